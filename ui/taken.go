package main

import (
	"math"

	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/scatter"
)

// Taken is the picture of a place as it is saved: in the colours of the light theme, and in a fixed size.
type Taken struct {
	Name string // of the file, without its ending
	Size lesson.Size
	SVG  func() string
	CSV  func() string
}

// Taken returns the picture to save, or nil if there is none.
func (a *App) Taken() *Taken {
	if picture := a.Picture(); picture != nil {
		look := a.State.lookout().At
		if !lesson.Has(picture.Groups(), look) {
			look = lesson.Item{}
		}
		size := wholeSize(picture.Fit(1120, 1000, 14))
		table := picture.Table()
		return &Taken{Name: table.Name, Size: size,
			SVG: func() string { return picture.SVG(size, look, true) },
			CSV: func() string { return tableCSV(table) }}
	}
	if r := a.Result; a.State.Place == PlaceEmbed && r != nil {
		size := lesson.Size{Width: 1080, Height: 420, Em: 14}
		return &Taken{Name: r.Layout.Stem + "-errors", Size: size,
			SVG: func() string { return scatter.SVG(r.Report, size, embed.Summary(r), true) },
			CSV: func() string { return tableCSV(r.Pairs()) }}
	}
	if a.State.Place == PlaceAbout {
		if picture, err := theAlgorithm(); err == nil {
			size, table := wholeSize(picture.Fit(760, 14)), picture.Table()
			return &Taken{Name: table.Name, Size: size,
				SVG: func() string { return picture.SVG(size, true) },
				CSV: func() string { return tableCSV(table) }}
		}
	}
	return nil
}

// wholeSize rounds up to whole pixels, because a PNG has no others.
func wholeSize(size lesson.Size) lesson.Size {
	size.Width, size.Height = math.Ceil(size.Width), math.Ceil(size.Height)
	return size
}
