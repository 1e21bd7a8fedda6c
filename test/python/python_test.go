// Package python tests the wheel of python/ as a Python program installs it, with exact versions from PyPI.
package python

import (
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
	python := need.Python(t, repo+"/python/requirements-test.txt")
	folder := need.Wheel(t, repo, python)
	test := exec.Command(python, "-m", "unittest", "discover", "-v", "-s", repo+"/python", "-p", "test_package.py")
	test.Env = append(os.Environ(), "PYTHONPATH="+folder, "TENSORSKETCH_WHEEL=1",
		"TENSORSKETCH_SHELL="+filepath.Join(folder, "shell"), "PYTHONDONTWRITEBYTECODE=1",
		"TENSORSKETCH_CACHE="+folder+"/cache")
	if *long {
		test.Env = append(test.Env, "TENSORSKETCH_LONG=1")
	}
	out, err := test.CombinedOutput()
	if err != nil {
		t.Errorf("unittest: %v", err)
	}
	t.Logf("%s", out)
}
