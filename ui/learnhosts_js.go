package main

import (
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/table"
)

// learnHosts are the hosts of the half of Learn that learns from a file.
type learnHosts struct {
	curve, detail, report *picker
	rowsMap               *picker
	layout                *table.Layout // in the menu of labels
}

func newLearnHosts(page *browser) learnHosts {
	app := page.app
	return learnHosts{
		report: newPicker(page, "learn-report", "", nil, nil),
		curve: newPicker(page, "learn-curve", "Components whose predictions are shown", func(k int) {
			app.PickSize(k)
			page.LearnDetail()
		}, stepAlong(func() int { return len(app.Learned.Sketches()) })),
		rowsMap: newPicker(page, "learn-map", "Rows held out", app.PickDot, func(row int, key string) (int, bool) {
			if app.Learned.Map == nil {
				return row, false
			}
			return app.Learned.Map.Step(row, key)
		}),
		detail: newPicker(page, "learn-detail", "Predictions of held-out rows", app.PickCell,
			func(item int, key string) (int, bool) {
				if app.Learned.Detail == nil {
					return item, false
				}
				return app.Learned.Detail.Step(item, key)
			}),
	}
}

// stepAlong returns the keys of a row of items.
func stepAlong(count func() int) func(item int, key string) (int, bool) {
	return func(item int, key string) (int, bool) {
		switch key {
		case "ArrowLeft", "ArrowDown":
			return max(item-1, 0), true
		case "ArrowRight", "ArrowUp":
			return min(item+1, count()-1), true
		case "Home":
			return 0, true
		case "End":
			return count() - 1, true
		}
		return item, false
	}
}

// drawLearn brings the half up to date.
func (h *hosts) drawLearn(app *App) {
	if !app.State.IsHalf(HalfFile) {
		return
	}
	l, r, d := &h.learn, &app.Learned, &app.Data
	if made := h.fill("learn-label", d.Generation, func() string { return labelHTML(d) }); made {
		l.layout = d.Layout
	} else if l.layout != d.Layout {
		l.layout = d.Layout
		dom.SetHTML("label", embed.LabelOptions(d.Layout))
	}
	if app.learnProblem() != "" {
		r = &learn.Session{}
	}
	most := app.State.Embed.NComponents
	points := r.Sketches()
	chosen := -1
	if p := r.Chosen(); p != nil {
		for i := range points {
			if points[i].D == p.D {
				chosen = i
			}
		}
	}
	l.curve.draw([4]any{r.Changes(), most, r.ID, chosen}, chosen,
		func(size lesson.Size) *learn.Picture { return r.Curve(size, most, false) },
		func(i int) string { return "D " + format.Count(points[i].D) + ": " + r.ScoreText(points[i].Score) })
	detail := r.Detail
	cell := r.Cell - 1
	if r.Dot() >= 0 {
		cell = -1
	}
	l.detail.draw(detail, cell, func(size lesson.Size) *learn.Picture {
		if detail == nil {
			return &learn.Picture{}
		}
		return detail.Picture(size, false)
	}, func(i int) string { return detail.Describe(i) })
	l.report.draw([4]any{r.Changes(), r.ID, chosen, detail}, -1,
		func(size lesson.Size) *learn.Picture { return r.Report(size, false) }, nil)
	behind := [2]any{r.Behind, r.Dot()}
	h.fill("learn-behind", behind, func() string { return app.behindHTML(false) })
	h.fill("learn-map-row", behind, func() string { return app.behindHTML(true) })
	l.drawMap(h, r)
}

// drawMap brings the map of the held-out rows up to date.
func (l *learnHosts) drawMap(h *hosts, r *learn.Session) {
	m, detail := r.Map, r.Detail
	if m == nil || detail == nil || m.D != detail.D {
		m = nil
	}
	key := [2]any{m, detail}
	l.rowsMap.draw(key, r.Dot(), func(size lesson.Size) *learn.Picture {
		if m == nil {
			return &learn.Picture{}
		}
		return m.Picture(size, detail)
	}, func(row int) string { return m.Describe(row, detail) })
	awaits := r.MapAwaits()
	h.fill("learn-map-says", [2]any{key, awaits}, func() string {
		if m == nil {
			return `<p class="small">` + awaits + "</p>"
		}
		return m.SaysHTML(detail)
	})
}
