package need

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Maven returns Java's class path for what a pom.xml depends on, which is kept for the next run. It skips the test
// where Maven is not installed or cannot get it.
func Maven(t *testing.T, pom string) (classPath string) {
	t.Helper()
	sum := sha256.Sum256(Value(os.ReadFile(pom))(t))
	folder := filepath.Join(Value(os.UserCacheDir())(t), "tensorsketch-maven-"+hex.EncodeToString(sum[:6]))
	if _, err := os.Stat(folder + "/ready"); err != nil {
		command := []string{"mvn", "--batch-mode", "--quiet", "--file", pom, "dependency:copy-dependencies",
			"-DincludeScope=runtime", "-DoutputDirectory=" + folder}
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%v: %v: %s", command, err, out)
		}
		OK(t, os.WriteFile(folder+"/ready", nil, 0o644))
	}
	return filepath.Join(folder, "*")
}
