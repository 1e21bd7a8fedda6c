package main

import (
	"io"
	"strings"
	"testing"

	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/sample"
)

// TestSample: the rows of the sample fit its layout and its file, in every replay.
func TestSample(t *testing.T) {
	recording := sampleRecording(false)
	lines := strings.Split(sampleFile(), "\n")
	if len(lines) != sampleRows+2 || !strings.HasPrefix(lines[0], "p0,p1,") || !strings.HasSuffix(lines[0], ",p63,digit") {
		t.Fatalf("%d lines, the first %q", len(lines), lines[0])
	}
	for range 2 {
		rows, replay := 0, recording.Replay()
		for {
			block, err := replay.Next(7)
			if err == io.EOF {
				break
			}
			x := make([]float32, sample.Features)
			for i := range block.Len() {
				block.Vector(x, i)
				rows++
				if label := block.Label(i); label != string(rune('0'+(rows-1)%10)) || !strings.HasSuffix(lines[rows], ","+label) ||
					!strings.HasPrefix(lines[rows], format.Exact(float64(x[0]))+",") {
					t.Fatalf("row %d: label %q, line %q, %v", rows, label, lines[rows], x)
				}
			}
		}
		if rows != sampleRows || sampleLayout.Rows != rows {
			t.Errorf("%d rows, want %d", rows, sampleRows)
		}
	}
	if n := sampleLayout.Count(plan.AsNumber); n != sample.Features || sampleLayout.OutputNames()[0] != "digit" {
		t.Errorf("the layout has %d features, and names %q", n, sampleLayout.OutputNames())
	}
	x := make([]float32, sample.Features)
	unit, _ := sampleRecording(true).Replay().Next(1)
	unit.Vector(x, 0)
	square := 0.0
	for _, v := range x {
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
