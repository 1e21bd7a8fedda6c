package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"
)

var updateModel = flag.Bool("updatemodel", false, "write the model and the digest of testdata")

func readFile(t *testing.T, name string) string {
	t.Helper()
	return string(must(os.ReadFile("testdata/" + name)))
}

// sharedPreprocessing is what test/api/dataset.test.mjs learns from testdata/rows.csv.
func sharedPreprocessing(t *testing.T) *Preprocessing {
	t.Helper()
	text := readFile(t, "rows.csv")
	layout := mustSniff(t, "rows.csv", text)
	p := NewPreprocessing(layout.With(2, columns.AsCategory).With(3, columns.AsDate).With(4, columns.AsWords))
	for i, want := range []columns.Column{
		{Name: "size", Role: columns.AsNumber, Missing: columns.Mean, Scaling: columns.Standard},
		{Name: "weight", Role: columns.AsNumber, Missing: columns.Zero, Scaling: columns.MinMax},
		{Name: "colour", Role: columns.AsCategory, Missing: columns.Zero},
		{Name: "day", Role: columns.AsDate, Missing: columns.Mean, Scaling: columns.Standard,
			Parts: []columns.DatePart{columns.Days, columns.YearPhase, columns.WeekPhase}},
		{Name: "note", Role: columns.AsWords, Words: [2]int{1, 2}, Chars: [2]int{3, 3}, Width: 64},
		{Name: "label", Role: columns.AsLabel},
	} {
		if c := &p.Columns[i]; c.Name != want.Name || c.Role != want.Role {
			t.Fatalf("column %d is %q as %v, want %q as %v", i, c.Name, c.Role, want.Name, want.Role)
		}
		p.Columns[i] = want
	}
	fit(t, layout, text, p)
	return p
}

// featuresDigest applies a model file to a table.
func featuresDigest(t *testing.T, file []byte, name string) string {
	t.Helper()
	m := must(model.Unmarshal(file))
	p := must(FromModel(file))
	text := readFile(t, name)
	layout := must(p.Apply(mustSniff(t, name, text)))
	rows := must(NewReader(open(t, layout, text), p))
	digest := sha256.New()
	err := each(rows, func(batch *Batch) {
		Z := must(m.TransformRows(nil, batch.Sparse))
		binary.Write(digest, binary.LittleEndian, Z)
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// The model of a table, and the features that it gives the rows of another: JavaScript
// gives the same bytes in Node and in the page.
func TestModelOfTable(t *testing.T) {
	p := sharedPreprocessing(t)
	p.Reading = nil // version 1, whose files stay as they are
	m := must(sketch.New(sketch.Params{NFeatures: p.NFeatures(), NComponents: 32, Coef0: 1, Seed: sketch.IntSeed(5)}))
	file := must(model.MarshalWith(m, model.Options{Preprocessing: p}))
	digest := featuresDigest(t, file, "new-rows.csv")
	if *updateModel {
		for name, text := range map[string]string{"model.json": string(file), "new-rows.sha256": digest + "\n"} {
			if err := os.WriteFile("testdata/"+name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := readFile(t, "model.json"); string(file) != want {
		t.Errorf("the model is\n%s\nwant\n%s", file, want)
	}
	if want := strings.TrimSpace(readFile(t, "new-rows.sha256")); digest != want {
		t.Errorf("the features of new rows have digest %s, want %s", digest, want)
	}
	back := must(FromModel(file))
	if again, err := model.MarshalWith(m, model.Options{Preprocessing: back}); err != nil || !bytes.Equal(again, file) {
		t.Errorf("the model comes back as %s (%v)", again, err)
	}
}

// A model holds the JSON of a preprocessing as JavaScript writes it, from any writer.
func TestModelIsWrittenAsJavaScriptDoes(t *testing.T) {
	p := &Preprocessing{Columns: []columns.Column{
		{Name: "<a> & \u2028\\u2028\"\x01", Role: columns.AsNumber, Missing: columns.Constant, Fill: math.Copysign(0, -1),
			Scaling: columns.Standard, Center: 1e21, Scale: 1e-7, Learned: true},
	}}
	m := must(sketch.New(sketch.Params{NFeatures: 1, NComponents: 2}))
	want := `"preprocessing":{"format":"tensorsketch-preprocessing","version":1,"unitNorm":false,"columns":[` +
		`{"name":"<a> & ` + "\u2028" + `\\u2028\"\u0001","role":"number","missing":"constant","fill":0,` +
		`"scaling":"standard","center":1e+21,"scale":1e-7}]}}`
	for _, written := range []func() ([]byte, error){p.MarshalJSON,
		func() ([]byte, error) { return json.MarshalIndent(p, "", "\t") }} {
		file, err := model.MarshalWith(m, model.Options{Preprocessing: asWritten{p, written}})
		if err != nil || !strings.HasSuffix(string(file), want) {
			t.Errorf("the model is %s (%v), want it to end with %s", file, err, want)
		}
	}
}

// asWritten is a preprocessing whose JSON somebody else wrote.
type asWritten struct {
	*Preprocessing
	json func() ([]byte, error)
}

func (a asWritten) MarshalJSON() ([]byte, error) { return a.json() }

func TestFromModelRefuses(t *testing.T) {
	file := readFile(t, "model.json")
	p := must(FromModel([]byte(file)))
	m := must(sketch.New(sketch.Params{NFeatures: p.NFeatures() + 1}))
	products := must(sketch.New(sketch.Params{NFeaturesEach: []int{3, 4}}))
	for _, c := range []struct {
		m    *sketch.FeatureMap
		p    *Preprocessing
		want string
	}{
		{m, p, "model: nFeatures must be 74, as in the preprocessing, got a map of 75"},
		{m, &Preprocessing{Sparse: true}, "nFeatures must be 0"}, // it needs Fit
		{products, p, "a map of products"},
	} {
		if _, err := model.MarshalWith(c.m, model.Options{Preprocessing: c.p}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	for _, c := range []struct{ old, new, message string }{
		{`"nFeatures":74`, `"nFeatures":75`, "dataset: nFeatures must be 74, as in the preprocessing, got 75"},
		{`"nFeatures":74`, `"nFeatures":[74]`,
			"dataset: nFeatures must be 74, as in the preprocessing, got [74]"},
		{`"preprocessing"`, `"other"`, "dataset: the model holds no preprocessing: it was written without; " +
			"make the rows of its map as they were made for it"},
		{`"scaling":"standard"`, `"scaling":"other"`,
			`dataset: columns[0]: scaling must be none, standard or min-max, got "other"`},
		{`{`, `[`, "dataset: the model is not a JSON object"},
	} {
		if _, err := FromModel([]byte(strings.Replace(file, c.old, c.new, 1))); err == nil ||
			!strings.HasPrefix(err.Error(), c.message) {
			t.Errorf("%s: %v, want %q", c.new, err, c.message)
		}
	}
}
