package main

import (
	"math"
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/sample"
	"tensorsketch.example/ui/internal/table"
)

// sampleLayout is the layout of the sample, as if it were a file.
var sampleLayout = newSampleLayout()

func newSampleLayout() *table.Layout {
	l := &table.Layout{Name: "sample-digits.csv", Stem: "sample-digits", Format: "csv", Compression: "none",
		Rows: embed.SampleRows, Total: embed.SampleRows,
		Reading: columns.Reading{Format: "csv", Compression: columns.NoCompression, Encoding: columns.UTF8, Delimiter: ",",
			Quote: new(`"`), Decimal: ".", Thousands: new(""), Header: new(true), Dates: columns.ISODates}}
	for i := range sample.Features {
		l.Columns = append(l.Columns, table.Column{Column: columns.NewColumn("p"+strconv.Itoa(i), columns.AsNumber),
			Type: columns.Integer})
	}
	l.Columns = append(l.Columns, table.Column{Column: columns.NewColumn("digit", columns.AsLabel), Type: columns.Integer})
	return l
}

// sampleVectors draws the sample. If unit is set, each row is scaled to length 1.
func sampleVectors(unit bool) (rows []float32, labels []uint8) {
	rows, labels = sample.Mixed(embed.SampleRows)
	if unit {
		for i := range labels {
			toUnit(rows[i*sample.Features : (i+1)*sample.Features])
		}
	}
	return rows, labels
}

// toUnit scales x to length 1. It computes the norm in float64, as package dataset does.
func toUnit(x []float32) {
	squares := 0.0
	for _, v := range x {
		squares += float64(float64(v) * float64(v))
	}
	norm := math.Sqrt(squares)
	for i, v := range x {
		x[i] = float32(float64(v) / norm)
	}
}

// sampleFile returns the sample as the CSV file that sampleLayout describes.
func sampleFile() string {
	var t lesson.Table
	for i := range sampleLayout.Columns {
		t.Head = append(t.Head, sampleLayout.Columns[i].Name)
	}
	rows, labels := sample.Mixed(embed.SampleRows)
	for i, label := range labels {
		var row []string
		for _, x := range rows[i*sample.Features : (i+1)*sample.Features] {
			row = append(row, strconv.Itoa(int(x)))
		}
		t.Rows = append(t.Rows, append(row, strconv.Itoa(int(label))))
	}
	return tableCSV(t)
}

// digitsHTML draws the first ten digits of the sample.
func digitsHTML() string {
	features, labels := sample.Mixed(10)
	html := ""
	for i, label := range labels {
		html += sample.Picture(features[i*sample.Features:(i+1)*sample.Features], label)
	}
	return html
}
