package udf

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

// row appends the arguments of a row to a block.
func row(block []byte, text string, x ...float32) []byte {
	block = binary.AppendUvarint(appendText(block, text), uint64(len(x)))
	for _, v := range x {
		block = binary.LittleEndian.AppendUint32(block, math.Float32bits(v))
	}
	return block
}

func textOf(t testing.TB, D int) string {
	m := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: D, Degree: 2, Seed: sketch.IntSeed(5)}))(t)
	return string(need.Value(model.Marshal(m))(t))
}

// TestEmptyText: an empty text is the model of the row before, also where that is not the last one that was read.
func TestEmptyText(t *testing.T) {
	f, a, b := New(), textOf(t, 4), textOf(t, 8)
	lengths := func(block []byte, rows int) (D []byte) {
		out := need.Value(f.Features(nil, block, rows))(t)
		for len(out) > 0 {
			D, out = append(D, out[0]), out[1+4*int(out[0]):]
		}
		return D
	}
	if got := lengths(row(row(nil, a, 1, 2), "", 3, 4), 2); string(got) != "\x04\x04" {
		t.Errorf("with the first row's model: %v", got)
	}
	if got := lengths(row(nil, "", 1, 2), 1); string(got) != "\x04" {
		t.Errorf("with the only model before: %v", got)
	}
	both := row(row(row(row(nil, b, 1, 2), "", 3, 4), a, 1, 2), "", 1, 2)
	if got := lengths(both, 4); string(got) != "\x08\x08\x04\x04" {
		t.Errorf("with two models: %v", got)
	}
	if _, err := f.Features(nil, row(nil, "", 1, 2), 1); err == nil || !strings.Contains(err.Error(), "several") {
		t.Errorf("after two models an empty text gives %v", err)
	}
	why := need.Value(f.Errors(nil, row(row(row(nil, a, 1, 2), "{", 1, 2), "", 1, 2), 3))(t)
	if n := bytes.Count(why, []byte("not a JSON object")); n != 2 || why[0] != 0 {
		t.Errorf("after a bad model an empty text gives %q", why)
	}
}

// TestLimits: what would not fit into the memory is an error.
func TestLimits(t *testing.T) {
	text := textOf(t, 1<<20)
	block := row(nil, text, 1, 2)
	for range 299 {
		block = row(block, "", 1, 2)
	}
	_, err := New().Features(nil, block, 300)
	if err == nil || !strings.Contains(err.Error(), "give fewer rows at a time") {
		t.Errorf("1.3 GB of features give %v", err)
	}
}

// specOf returns a learner of no rows of two numbers.
func specOf(t testing.TB) *learn.Learner {
	m := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 4, Degree: 2, Seed: sketch.IntSeed(5)}))(t)
	return need.Value(learn.NewLearner(learn.Spec{Map: m, Task: learn.TaskClassify, Radius: 2}))(t)
}

// TestNames: which label a text is depends on the classes that are given.
func TestNames(t *testing.T) {
	one, b := learn.NumberLabel(1), learn.TextLabel("b")
	yes := learn.BoolLabel(true)
	for _, c := range []struct {
		text    string
		classes []learn.Label
		want    learn.Label
	}{
		{"1", nil, one}, {"-2.5", nil, learn.NumberLabel(-2.5)}, {"1.0", nil, learn.TextLabel("1.0")},
		{"007", nil, learn.TextLabel("007")}, {"NaN", nil, learn.TextLabel("NaN")}, {"", nil, learn.TextLabel("")},
		{"12345678901234567890", nil, learn.TextLabel("12345678901234567890")}, {"true", nil, learn.TextLabel("true")},
		{"1.0", []learn.Label{one, b}, one}, {"b", []learn.Label{one, b}, b}, {"true", []learn.Label{yes, one}, yes},
		{"1", []learn.Label{learn.TextLabel("1"), b}, learn.TextLabel("1")},
	} {
		if got := nameOf(c.text, c.classes); got != c.want {
			t.Errorf("%q among %v is %#v, want %#v", c.text, c.classes, got.Value(), c.want.Value())
		}
	}
}

// FuzzBlock: any bytes give results or an error.
func FuzzBlock(f *testing.F) {
	head := string(bytes.TrimSpace(need.Value(os.ReadFile("../../sketch/model/testdata/learned/model-logistic.json"))(f)))
	f.Add(row(row(nil, textOf(f, 4), 1, 2), "", 3, 4), 2)
	f.Add(row(nil, head, 1, 2, 3, 4, 5, 6, 7, 8), 1)
	f.Add(row(nil, "{"), 1)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 1)
	learner := specOf(f)
	spec := string(need.Value(model.MarshalSpec(learner))(f))
	sums := string(need.Value(model.MarshalLearnerBinary(learner))(f))
	table := []byte("\x02\x02\x00\x00\x80\x3f\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x80\x3f\x02\x01a\x01b")
	f.Add(append(appendText(nil, spec), table...), 1)
	f.Add(appendText(appendText([]byte{2}, sums), sums), 1)
	f.Add(appendText(appendText(nil, sums), `{"alpha":1}`), 1)
	f.Fuzz(func(t *testing.T, block []byte, rows int) {
		fs := New()
		for _, of := range []func(dst, block []byte, rows int) ([]byte, error){fs.Features, fs.Predict, fs.Scores,
			fs.Probabilities, fs.Errors, fs.Sums, fs.SumsErrors, fs.Merge, fs.MergeErrors, fs.Fit, fs.FitErrors,
			fs.SpecOf} {
			if out, err := of(nil, block, rows); err == nil && len(out) < rows {
				t.Errorf("%d bytes are the results of %d rows", len(out), rows)
			}
		}
	})
}
