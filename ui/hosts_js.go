package main

import (
	"strconv"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/scatter"
	"tensorsketch.example/ui/internal/table"
	"tensorsketch.example/ui/internal/tradeoff"
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

	method  string        // shown in the menu
	layout  *table.Layout // shown in the list
	editing int           // the column whose settings are shown
	find    embed.Find    // the search that selects the listed columns
	listed  []int         // the indices of the listed columns
	stage   stage         // of the teaching places
	head    string        // head of the data table of a teaching place
	learn   learnHosts
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
		learn: newLearnHosts(page)}
	h.stage.watchRoom()
	h.observer = dom.New("ResizeObserver", page.Func(func(dom.Value) { h.resized = true }))
	return h
}

// draw brings the hosts up to date with the App.
func (h *hosts) draw(app *App) {
	h.drawPicture(app)
	h.fill("digits", nil, digitsHTML)
	dom.Update("status", "textContent", app.ProgressView().Status)
	// The option being chosen in the menu stays until the method changes.
	if made := h.fill("menu", nil, embed.MethodHTML); made || h.method != app.State.Embed.Method {
		h.method = app.State.Embed.Method
		dom.Update("method", "value", h.method)
	}
	h.drawColumns(app)
	h.drawTradeoff(app)
	if h.stage.draw(app); h.stage.drawn.picture != nil {
		h.stage.mark("data-ready")
	}
	h.drawTable(app)
	h.drawAbout(app)
	h.drawLearn(app)
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
		return scatter.SVG(r.Report, h.size, embed.Summary(r), false)
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
	old, found := h.layout, h.find
	if !isNew && old == l && found == app.Find && h.editing == app.Editing {
		return
	}
	h.layout, h.find = l, app.Find
	h.fill("label-choice", d.Generation, func() string { return embed.LabelHTML(l) })
	h.drawReading(d)
	if isNew || found != app.Find {
		h.drawList(app)
	} else {
		h.setColumns(old, app)
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

// drawList lists the columns that match the search.
func (h *hosts) drawList(app *App) {
	rows, said, shown := embed.ListHTML(app.Data.Layout, app.Find)
	h.listed = shown
	dom.SetHTML("column-list", rows)
	dom.SetHTML("found", said)
	dom.SetHTML("found-role", embed.FoundRoles(app.Data.Layout, app.Find))
	hidden := len(app.Find.Of(app.Data.Layout)) <= embed.Listed
	for _, id := range []string{"columns-back", "columns-on"} {
		if button := dom.Element(id); dom.Exists(button) {
			button.Set("hidden", hidden)
		}
	}
}

// drawColumn writes the settings of the column being edited. The focused field there keeps the focus; a column that
// was not shown before gets it.
func (h *hosts) drawColumn(app *App) {
	host := dom.Element("column")
	content, selector := "", "h3 + div select, h3 + div input"
	if app.Editing > 0 {
		content = embed.ColumnHTML(app.Editing-1, &app.Data.Layout.Columns[app.Editing-1])
	}
	switch {
	case app.Editing == h.editing:
		selector = focused(host)
	case app.Editing == 0: // focus the column's button again
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

// setColumns updates only the changed parts of the list, so that the field being edited keeps the focus.
func (h *hosts) setColumns(old *table.Layout, app *App) {
	l := app.Data.Layout
	dom.SetHTML("label", embed.LabelOptions(l))
	dom.SetHTML("all-scaling", embed.OptionsHTML(embed.Scalings, embed.AllScaling(l)))
	dom.SetHTML("all-missing", embed.OptionsHTML(embed.Policies, embed.AllMissing(l)))
	dom.SetHTML("found-role", embed.FoundRoles(l, app.Find))
	list := dom.Element("column-list")
	if !dom.Exists(list) {
		return
	}
	choices := dom.List(list.Call("querySelectorAll", `select[data-setting="role"]`))
	for row, i := range h.listed {
		if c, was := &l.Columns[i], &old.Columns[i]; c.Role != was.Role || c.Describe() != was.Describe() {
			choices[row].Set("value", c.Role.String())
			dom.SetHTML("becomes-"+strconv.Itoa(i), embed.BecomesHTML(i, c))
		}
	}
}

// drawTradeoff draws the picture of a private release.
func (h *hosts) drawTradeoff(app *App) {
	var picture *tradeoff.Tradeoff
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
