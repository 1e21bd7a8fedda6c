package main

import (
	"strconv"

	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/embedding"
	"github.com/tensorsketch/tensorsketch/ui/internal/sample"
)

// sampleLayout is that of the sample: as a file of it would have.
var sampleLayout = newSampleLayout()

func newSampleLayout() *csvfile.Layout {
	l := &csvfile.Layout{Name: "sample-digits.csv", Comma: ',', Decimal: '.', Header: true, Rows: sampleRows}
	for i := range sample.Features {
		l.Columns = append(l.Columns, csvfile.Column{Name: "p" + strconv.Itoa(i), Type: csvfile.Integer, Role: csvfile.Feature})
	}
	l.Columns = append(l.Columns, csvfile.Column{Name: "digit", Type: csvfile.Integer, Role: csvfile.Label})
	return l
}

// sampleRecording draws the sample.
func sampleRecording() *embedding.Recording {
	features, labels := sample.Digits(sampleRows)
	names := make([]string, len(labels))
	for i, label := range labels {
		names[i] = strconv.Itoa(int(label))
	}
	return embedding.NewRecording(features, sample.Features, names)
}

// digitsHTML draws the first ten digits of the sample.
func digitsHTML() string {
	features, labels := sample.Digits(10)
	html := ""
	for i, label := range labels {
		html += sample.Picture(features[i*sample.Features:(i+1)*sample.Features], label)
	}
	return html
}
