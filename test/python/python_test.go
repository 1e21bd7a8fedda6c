// Package python tests the wheel of python/ as a Python program installs it, with exact versions from PyPI.
package python

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tensorsketch.example/test/need"
)

const repo = "../.."

var long = flag.Bool("long", false, "let scikit-learn check the estimators")

// TestWheel installs the wheel beside scikit-learn and runs python/test_package.py, with the command line to compare.
func TestWheel(t *testing.T) {
	wheels := need.Value(filepath.Glob(repo + "/dist/python/*.whl"))(t)
	if len(wheels) != 1 {
		t.Fatalf("dist/python has %d wheels, want 1: run ./build.sh wheel first", len(wheels))
	}
	python := environment(t)
	folder := t.TempDir()
	pip := exec.Command(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", folder,
		wheels[0])
	if out, err := pip.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", pip.Args, err, out)
	}
	shell := filepath.Join(folder, "shell")
	if out, err := exec.Command("go", "build", "-o", shell, repo+"/cmd/tensorsketch").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	test := exec.Command(python, "-m", "unittest", "discover", "-v", "-s", repo+"/python", "-p", "test_package.py")
	test.Env = append(os.Environ(), "PYTHONPATH="+folder, "TENSORSKETCH_WHEEL=1", "TENSORSKETCH_SHELL="+shell,
		"PYTHONDONTWRITEBYTECODE=1", "TENSORSKETCH_CACHE="+folder+"/cache")
	if *long {
		test.Env = append(test.Env, "TENSORSKETCH_LONG=1")
	}
	out, err := test.CombinedOutput()
	if err != nil {
		t.Errorf("unittest: %v", err)
	}
	t.Logf("%s", out)
}

// environment returns the Python of a virtual environment with python/requirements-test.txt, which is kept for the
// next run. It skips the test where they cannot be installed.
func environment(t *testing.T) string {
	t.Helper()
	list := repo + "/python/requirements-test.txt"
	sum := sha256.Sum256(need.Value(os.ReadFile(list))(t))
	folder := filepath.Join(need.Value(os.UserCacheDir())(t), "tensorsketch-python-"+hex.EncodeToString(sum[:6]))
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
	need.OK(t, os.WriteFile(folder+"/ready", nil, 0o644))
	return python
}
