package main

import (
	"io"
	"strings"
	"testing"

	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/sample"
)

// TestSample: the rows of the sample fit its layout, in every replay.
func TestSample(t *testing.T) {
	recording := sampleRecording()
	for range 2 {
		rows, replay := 0, recording.Replay()
		for {
			row, err := replay.Next()
			if err == io.EOF {
				break
			}
			if err != nil || len(row.Features) != sample.Features || len(row.Label) != 1 || row.Label[0] != byte('0'+rows%10) {
				t.Fatalf("row %d: label %q, %d features, %v", rows, row.Label, len(row.Features), err)
			}
			rows++
		}
		if rows != sampleRows || sampleLayout.Rows != rows {
			t.Errorf("%d rows, want %d", rows, sampleRows)
		}
	}
	if n := len(sampleLayout.Indexes(csvfile.Feature)); n != sample.Features || sampleLayout.OutputNames()[0] != "digit" {
		t.Errorf("the layout has %d features, and names %q", n, sampleLayout.OutputNames())
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
