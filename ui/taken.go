package main

import (
	"math"

	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/scatter"
)

// Taken is the picture of a place as it is saved: in the colours of the light theme, and in a fixed size.
type Taken struct {
	lesson.Table // its data; the name is the file's, without the ending
	Size         lesson.Size
	SVG          func() string
}

// CSV returns the data as a CSV file.
func (t *Taken) CSV() string { return tableCSV(t.Table) }

// Taken returns the picture to save, or nil if there is none.
func (a *App) Taken() *Taken {
	if picture := a.Picture(); picture != nil {
		look := a.State.lookout().At
		if !lesson.Has(picture.Groups(), look) {
			look = lesson.Item{}
		}
		size := wholeSize(picture.Fit(1120, 1000, 14))
		return &Taken{picture.Table(), size, func() string { return picture.SVG(size, look, true) }}
	}
	if r := a.Result; a.State.Place == PlaceEmbed && r != nil {
		size := lesson.Size{Width: 1080, Height: 420, Em: 14}
		return &Taken{r.Pairs(), size, func() string { return scatter.SVG(r.Report, size, embed.Summary(r), true) }}
	}
	if r := &a.Learned; a.State.IsHalf(HalfFile) && len(r.Points) > 0 {
		size, most := lesson.Size{Width: 1080, Height: 520, Em: 14}, a.State.Embed.NComponents
		return &Taken{r.CurveTable(a.Data.Layout.Stem), size, func() string { return r.Curve(size, most, true).SVG }}
	}
	if a.State.Place == PlaceAbout {
		if picture, err := theAlgorithm(); err == nil {
			size := wholeSize(picture.Fit(760, 14))
			return &Taken{picture.Table(), size, func() string { return picture.SVG(size, true) }}
		}
	}
	return nil
}

// TakenDetail returns the picture of the predictions to save, or nil if there is none.
func (a *App) TakenDetail() *Taken {
	d := a.Learned.Detail
	if d == nil {
		return nil
	}
	size := lesson.Size{Width: 760, Height: 680, Em: 14}
	return &Taken{d.Table(a.Data.Layout.Stem), size, func() string { return d.Picture(size, true).SVG }}
}

// wholeSize rounds up to whole pixels, because a PNG has no others.
func wholeSize(size lesson.Size) lesson.Size {
	size.Width, size.Height = math.Ceil(size.Width), math.Ceil(size.Height)
	return size
}
