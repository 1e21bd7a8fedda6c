package need

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Python returns the Python of a virtual environment with the packages of a requirements file, which is kept for the
// next run. It skips the test where they cannot be installed.
func Python(t *testing.T, list string) string {
	t.Helper()
	sum := sha256.Sum256(Value(os.ReadFile(list))(t))
	folder := filepath.Join(Value(os.UserCacheDir())(t), "tensorsketch-python-"+hex.EncodeToString(sum[:6]))
	python := filepath.Join(folder, "bin", "python")
	if _, err := os.Stat(folder + "/ready"); err == nil {
		return python
	}
	for _, command := range [][]string{{"python3", "-m", "venv", folder},
		{python, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "-r", list}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%v: %v: %s", command, err, out)
		}
	}
	OK(t, os.WriteFile(folder+"/ready", nil, 0o644))
	return python
}

// Wheel installs the wheel of dist/python with a Python into a new folder, beside it the command line as shell, and
// returns the folder. repo is the path of the repository.
func Wheel(t *testing.T, repo, python string) (folder string) {
	t.Helper()
	wheels := Value(filepath.Glob(repo + "/dist/python/*.whl"))(t)
	if len(wheels) != 1 {
		t.Fatalf("dist/python has %d wheels, want 1: run ./build.sh wheel first", len(wheels))
	}
	folder = t.TempDir()
	for _, command := range [][]string{
		{python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", folder, wheels[0]},
		{"go", "build", "-o", filepath.Join(folder, "shell"), repo + "/cmd/tensorsketch"}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	return folder
}
