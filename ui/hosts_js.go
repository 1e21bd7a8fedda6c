package main

import (
	"strconv"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/lesson"
)

// hosts are the elements that Vugu leaves alone: the picture and long lists. After each rendering they are drawn
// again if they have changed.
type hosts struct {
	page     *browser
	contents map[string]content // by the id of the element
	observer dom.Value          // of the picture's host
	observed dom.Value          // the host itself
	resized  bool               // the host was resized since it was last measured
	size     lesson.Size

	key     dom.Value   // the field of the key
	keyHome dom.Value   // its parent in index.html
	method  string      // shown in the menu
	columns *columnList // of the file
	editing int         // the column whose settings are shown
	stage   stage       // of the teaching places
	head    string      // head of the data table of a teaching place
	learn   learnHosts
	rowsMap *picker // of Embed
}

// A content describes what a host shows.
type content struct {
	key   any // what it was made from
	blank bool
}

// due returns a host, and whether it exists and is new or its content was made from another key.
func (h *hosts) due(id string, key any) (host dom.Value, isDue bool) {
	host = dom.Element(id)
	shown, ok := h.contents[id]
	return host, dom.Exists(host) && (!ok || shown.key != key || !shown.blank && dom.IsEmpty(host))
}

func (h *hosts) write(host dom.Value, id string, key any, html string) {
	h.contents[id] = content{key, html == ""}
	host.Set("innerHTML", html)
}

// fill writes the content of a host if the host exists and its content is due. It reports whether it wrote.
func (h *hosts) fill(id string, key any, html func() string) bool {
	host, isDue := h.due(id, key)
	if isDue {
		h.write(host, id, key, html())
	}
	return isDue
}

// newHosts returns the hosts of a page.
func newHosts(page *browser) *hosts {
	h := &hosts{page: page, contents: map[string]content{}, stage: stage{page: page},
		columns: newColumnList(page), learn: newLearnHosts(page), rowsMap: newRowsMap(page)}
	h.stage.watchRoom()
	h.observer = page.Watch(func() bool { h.resized = true; return true })
	return h
}

// draw brings the hosts up to date with the App.
func (h *hosts) draw(app *App) {
	h.drawPicture(app)
	h.fill("digits", nil, digitsHTML)
	h.fill("kept", app.keptHTML(), app.keptHTML) // written anew, a button would lose its press
	h.placeKey()
	dom.Update("status", "textContent", app.ProgressView().Status)
	dom.Update("saving-status", "textContent", app.SavingView().Status)
	// The option being chosen in the menu stays until the method changes.
	if made := h.fill("menu", nil, embed.MethodHTML); made || h.method != app.State.Embed.Method {
		h.method = app.State.Embed.Method
		dom.Update("method", "value", h.method)
	}
	h.drawColumns(app)
	h.drawMap(app)
	h.drawTradeoff(app)
	if h.stage.draw(app); h.stage.drawn.picture != nil {
		h.stage.mark("data-ready")
	}
	h.drawTable(app)
	h.drawAbout(app)
	if app.State.Place == PlaceStart {
		for id, html := range startParts {
			h.fill(id, nil, func() string { return html })
		}
	}
	h.drawLearn(app)
}

// placeKey moves the field of the key to its place in Embed, and elsewhere back to where index.html has it. Vugu knows
// nothing of it, so that no state of the page holds a key.
func (h *hosts) placeKey() {
	if h.key.IsUndefined() {
		h.key = dom.Document().Call("querySelector", ".key")
		h.keyHome = dom.Get(h.key, "parentNode")
	}
	place := dom.Element("key-place")
	if !dom.Exists(place) {
		place = h.keyHome
	}
	if !dom.Get(h.key, "parentNode").Equal(place) {
		place.Call("prepend", h.key)
	}
}

func (h *hosts) drawPicture(app *App) {
	host := dom.Element("picture")
	if !dom.Exists(host) {
		return
	}
	r := app.Result
	if r == nil {
		h.fill("picture", nil, func() string { return "" })
		return
	}
	if h.measure(host); h.size.Width > 0 && h.fill("picture", [2]any{r.Number, h.size}, func() string {
		return r.Report.SVG(h.size, embed.Summary(r), false)
	}) {
		dom.Mark("first-picture")
	}
}

// measure measures the host if it is new or was resized. Measuring each time would make the browser lay out the page
// each time.
func (h *hosts) measure(host dom.Value) {
	if !host.Equal(h.observed) {
		h.observer.Call("disconnect")
		h.observer.Call("observe", host)
		h.observed, h.resized = host, true
		h.page.Listen(host, "pointermove", h.showPair)
	}
	if h.resized {
		h.size, h.resized = roomIn(host), false
	}
}

// roomIn returns the room for a picture. It is 0 if the host has left the page.
func roomIn(host dom.Value) lesson.Size {
	width, height, em := dom.Size(host)
	return lesson.Size{Width: width, Height: height, Em: em}
}

func (h *hosts) drawColumns(app *App) {
	d, l := &app.Data, app.Data.Layout
	if !dom.Exists(dom.Element("columns")) || d.IsSample() {
		return
	}
	isNew := h.fill("columns", d.Generation, func() string { return embed.ColumnsHTML(l, d.Reading, app.Find) })
	old, found := h.columns.layout, h.columns.find
	if !isNew && old == l && found == app.Find && h.editing == app.Editing {
		return
	}
	h.fill("label-choice", d.Generation, func() string { return embed.LabelHTML(l, "Label column") })
	h.drawReading(d)
	if isNew {
		h.columns.begin()
	}
	if isNew || found != app.Find {
		h.columns.show(l, app.Find)
	} else if old != l {
		h.columns.set(l)
	}
	if !isNew && old != l {
		if label, was := l.Label(), old.Label(); embed.IsInMenu(label) && embed.IsInMenu(was) {
			dom.Update("label", "value", strconv.Itoa(label))
		} else if label != was {
			dom.SetHTML("label", embed.LabelOptions(l))
		}
		dom.SetHTML("all-scaling", embed.OptionsHTML(embed.Scalings, embed.AllScaling(l)))
		dom.SetHTML("all-missing", embed.OptionsHTML(embed.Policies, embed.AllMissing(l)))
	}
	if old != l || found != app.Find {
		dom.SetHTML("found-role", embed.FoundRoles(l, app.Find))
	}
	h.drawColumn(app)
}

// drawReading writes the settings for reading the file. An open section stays open, and the focused field keeps the
// focus.
func (h *hosts) drawReading(d *embed.Data) {
	key := [2]int{d.Generation, len(d.Layout.Guessed)}
	host, isDue := h.due("reading", key)
	if !isDue {
		return
	}
	selector, open := focused(host), dom.Truth(host, "firstElementChild", "open")
	h.write(host, "reading", key, embed.ReadingHTML(d))
	if details := dom.Get(host, "firstElementChild"); dom.Exists(details) {
		details.Set("open", open)
	}
	h.focus(host, selector)
}

// focus focuses the first element within an element that matches selector, unless selector is "".
func (h *hosts) focus(within dom.Value, selector string) {
	if selector == "" || !dom.Exists(within) {
		return
	}
	if field := within.Call("querySelector", selector); dom.Exists(field) {
		h.page.Provoke(field, "focus")
	}
}

// drawColumn writes the settings of the column being edited. The focused field there keeps the focus; a column that
// was not shown before gets it.
func (h *hosts) drawColumn(app *App) {
	host := dom.Element("column")
	content, selector := "", "h4 + div select, h4 + div input"
	if app.Editing > 0 {
		content = embed.ColumnHTML(app.Editing-1, &app.Data.Layout.Columns[app.Editing-1])
	}
	switch {
	case app.Editing == h.editing:
		selector = focused(host)
	case app.Editing == 0: // focus the column's button again
		h.columns.reveal(h.editing - 1)
		host, selector = dom.Element("becomes-"+strconv.Itoa(h.editing-1)), "button"
	}
	h.editing = app.Editing
	dom.SetHTML("column", content)
	h.focus(host, selector)
}

// focused returns a selector of the focused field in a host, or "".
func focused(host dom.Value) string {
	field := host.Call("querySelector", ":focus")
	if !dom.Exists(field) {
		return ""
	}
	if id := dom.Text(field, "id"); id != "" {
		return "#" + id
	}
	selector := `[data-setting="` + dom.Text(field, "dataset", "setting") + `"]`
	if dom.Text(field, "type") == "checkbox" {
		selector += `[value="` + dom.Text(field, "value") + `"]`
	}
	return selector
}

// drawTradeoff draws the picture of a private release.
func (h *hosts) drawTradeoff(app *App) {
	var picture *embed.Tradeoff
	if app.Meter != nil && app.State.Release.IsPrivate() {
		picture = app.Meter.Tradeoff
	}
	key := [2]any{picture, h.size} // h.size is the size of the picture above
	if host, isDue := h.due("tradeoff", key); isDue && picture == nil {
		h.write(host, "tradeoff", key, "")
	} else if isDue {
		if size := roomIn(host); size.Width > 0 {
			h.write(host, "tradeoff", key, picture.SVG(size, false))
		}
	}
}

// drawTable writes the data of a teaching place's picture if the table is shown. If the head is unchanged, it
// replaces only the rows, so that the table keeps its position and the focus.
func (h *hosts) drawTable(app *App) {
	picture := app.Picture()
	if !app.Lesson.Table {
		picture = nil
	}
	host, isDue := h.due("table", picture)
	if !isDue {
		return
	}
	if picture == nil {
		h.write(host, "table", nil, "")
		return
	}
	table := picture.Table()
	head := tableHead(table)
	body := host.Call("querySelector", "tbody")
	if dom.Exists(body) && head == h.head {
		body.Set("innerHTML", tableRows(table))
		h.contents["table"] = content{key: picture}
		return
	}
	h.head = head
	h.write(host, "table", picture, head+tableRows(table)+tableEnd)
}
