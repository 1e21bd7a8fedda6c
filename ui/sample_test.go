package main

import (
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/sample"
)

// TestSample: the rows of the sample fit its layout and its file.
func TestSample(t *testing.T) {
	rows, labels := sampleVectors(false)
	lines := strings.Split(sampleFile(), "\n")
	if len(lines) != embed.SampleRows+2 || !strings.HasPrefix(lines[0], "p0,p1,") ||
		!strings.HasSuffix(lines[0], ",p63,digit") {
		t.Fatalf("%d lines, the first %q", len(lines), lines[0])
	}
	for i, label := range labels {
		cells := ""
		for _, x := range rows[i*sample.Features : (i+1)*sample.Features] {
			cells += format.Exact(float64(x)) + ","
		}
		if cells += strconv.Itoa(int(label)); cells != lines[i+1] || int(label) != i%10 {
			t.Fatalf("row %d is %s, line %q", i, cells, lines[i+1])
		}
	}
	if len(labels) != embed.SampleRows || sampleLayout.Rows != embed.SampleRows {
		t.Errorf("%d rows, want %d", len(labels), embed.SampleRows)
	}
	label := sampleLayout.Columns[sampleLayout.First()].Name
	if n := sampleLayout.Count(columns.AsNumber); n != sample.Features || label != "digit" {
		t.Errorf("the layout has %d features, and begins with column %d", n, sampleLayout.First())
	}
	square := 0.0
	unit, _ := sampleVectors(true)
	for _, v := range unit[:sample.Features] {
		square += float64(v) * float64(v)
	}
	if square < .999999 || square > 1.000001 {
		t.Errorf("a row of length 1 has squared length %v", square)
	}
}

func TestDigitsHTML(t *testing.T) {
	html := digitsHTML()
	for _, name := range []string{"a drawn 0", "a drawn 9"} {
		if strings.Count(html, name) != 1 {
			t.Errorf("%q is not there once", name)
		}
	}
	if n := strings.Count(html, "<svg"); n != 10 {
		t.Errorf("%d digits", n)
	}
}

// TestSampleNeedsProducts: on the sample a linear model fails, and the map that Embed opens with does not. Both are
// ridge regression on 700 rows of length 1, and are asked about the other 300.
func TestSampleNeedsProducts(t *testing.T) {
	const trained = 700
	rows, digits := sampleVectors(true)
	var labels []learn.Label
	for _, digit := range digits {
		labels = append(labels, learn.NumberLabel(float64(digit)))
	}
	X, held := sketch.Dense(rows[:trained*sample.Features]), sketch.Dense(rows[trained*sample.Features:])
	m := need.Value(sketch.New(embed.DefaultSettings().Params(sample.Features)))(t)
	l := need.Value(learn.NewLearner(need.Value(learn.Prepare(learn.Spec{Map: m}, X, labels[:trained]))(t)))(t)
	if err := l.Add(X, labels[:trained], nil); err != nil {
		t.Fatal(err)
	}
	model := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	got := need.Value(model.Evaluate(held, labels[trained:]))(t).Accuracy.Value
	linear := need.Value(model.Beside.Evaluate(held, labels[trained:]))(t).Accuracy.Value
	t.Logf("sketch %.3f, linear %.3f", got, linear)
	if got < .9 || linear < .7 || linear > .8 {
		t.Errorf("the sketch is right on %.3f, want 0.9 or more; the linear model on %.3f, want 0.7 to 0.8", got, linear)
	}
}
