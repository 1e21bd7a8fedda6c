package main

import (
	"cmp"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/rowsmap"
)

// mapRows adds the map of the rows to a shown result. A later result has its own.
func (b *browser) mapRows(result *embed.Result) {
	label := ""
	if first := result.Layout.First(); first >= 0 {
		label = cmp.Or(result.Layout.Columns[first].Name, "label")
	}
	reply, err := b.files.call("mapRows", map[string]any{"shown": result.Shown})
	if err == nil && reply.IsNull() {
		return
	}
	b.Change(func() {
		if err != nil {
			b.app.Fail(err.Error())
		} else if b.app.Result == result {
			b.app.Map = rowsMapOf(reply, result)
			b.app.Map.Label = label
		}
	})
}

// rowsMapOf reads a map of the rows from the worker's reply.
func rowsMapOf(reply dom.Value, r *embed.Result) *embed.RowsMap {
	m := &embed.RowsMap{Cloud: rowsmap.Cloud{Of: r.Rows}, Number: r.Number, X: dom.Numbers[float32](dom.Get(reply, "X")),
		Width: dom.Int(reply, "width"), Labels: strings.Split(dom.Text(reply, "labels"), "\x00")}
	numbers, n := dom.Numbers[float64](dom.Get(reply, "numbers")), len(m.Labels)
	m.Share, m.XY, m.Places, m.Widths = numbers[:2], numbers[2:][:2*n], numbers[2+2*n:][:n], numbers[2+3*n:]
	if len(m.Widths) > 0 {
		m.Names = strings.Split(dom.Text(reply, "names"), "\x00")
		m.Days = strings.Split(dom.Text(reply, "days"), "\n")
	}
	return m
}

// drawMap brings the map of the rows up to date.
func (h *hosts) drawMap(app *App) {
	frame := app.MapFrame()
	h.fill("rows-map", frame, func() string { return frame })
	m := app.Map
	if m == nil {
		return
	}
	h.rowsMap.draw([2]any{m, app.MapBy}, app.MapRow-1, func(size lesson.Size) *learn.Picture {
		svg, spots := m.Draw(size, app.MapBy)
		return &learn.Picture{SVG: svg, Spots: spots}
	}, app.RowName)
	h.fill("map-says", [2]any{m, [2]int{app.MapBy, app.MapRow}}, app.MapSays)
	dom.Update("map-by", "value", strconv.Itoa(app.MapBy))
}

// newRowsMap returns the picker of the map of the rows.
func newRowsMap(page *browser) *picker {
	app := page.app
	return newPicker(page, "map-picture", "Rows", func(i int) { app.MapRow = i + 1 },
		func(i int, key string) (int, bool) { return app.Map.Step(i, key) })
}

// within returns where an event is in an element, in pixels.
func within(host, event dom.Value) (x, y float64) {
	box := host.Call("getBoundingClientRect")
	return dom.Number(event, "clientX") - dom.Number(box, "left"), dom.Number(event, "clientY") - dom.Number(box, "top")
}

// showPair names the two rows of the dot that is pointed at in the picture of the errors.
func (h *hosts) showPair(event dom.Value) bool {
	host := h.observed
	r := h.page.app.Result
	if r == nil {
		return false
	}
	x, y := within(host, event)
	pair, html := r.Report.PairAt(h.size, x, y)
	if mark := host.Call("querySelector", ".pair"); dom.Exists(mark) {
		mark.Set("innerHTML", html+h.page.app.PairLabel(pair, h.size))
	}
	return false
}
