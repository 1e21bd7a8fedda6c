package main

import (
	"strconv"
	"strings"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/scatter"
	"tensorsketch.example/ui/internal/table"
	"tensorsketch.example/ui/internal/tradeoff"
)

// hosts are the elements that Vugu leaves alone: the picture and long lists are
// drawn into them after each rendering, if they have changed.
type hosts struct {
	observer safejs.Value // of the picture's host
	observed safejs.Value // the host itself
	resized  bool         // since it was measured
	size     lesson.Size

	drawn    pictureKey
	status   string
	method   string        // that the menu shows
	columns  int           // generation of the list shown
	layout   *table.Layout // that it shows
	editing  int           // the column whose settings are shown
	find     Find          // which columns are listed,
	listed   []int         // and these
	tradeoff struct {
		picture *tradeoff.Tradeoff
		size    lesson.Size // that the picture above it had
	}
	stage stage          // of the teaching places
	table lesson.Picture // whose data are shown
	head  string         // of that table
}

// A pictureKey tells whether a picture has to be drawn anew.
type pictureKey struct {
	number int
	size   lesson.Size
}

func element(id string) (safejs.Value, error) {
	document, err := safejs.Global().Get("document")
	if err != nil {
		return document, err
	}
	return document.Call("getElementById", id)
}

// draw brings the hosts up to the App.
func (h *hosts) draw(app *App) error {
	for _, draw := range []func(*App) error{h.drawPicture, h.drawDigits, h.drawStatus, h.drawMenu, h.drawColumns,
		h.drawTradeoff, h.drawStage, h.drawTable, h.drawAbout} {
		if err := draw(app); err != nil {
			return err
		}
	}
	return nil
}

func (h *hosts) drawPicture(app *App) error {
	host, err := element("picture")
	if err != nil || host.IsNull() {
		return err
	}
	if app.Result == nil {
		if h.drawn == (pictureKey{}) {
			return nil
		}
		h.drawn = pictureKey{}
		return host.Set("innerHTML", "")
	}
	if err := h.measure(host); err != nil {
		return err
	}
	key := pictureKey{app.Result.Number, h.size}
	empty, err := isEmpty(host)
	if err != nil || key == h.drawn && !empty || h.size.Width == 0 {
		return err
	}
	svg := scatter.SVG(app.Result.Report, h.size, summary(app.Result), false)
	h.drawn = key
	if err := host.Set("innerHTML", svg); err != nil {
		return err
	}
	return mark("first-picture")
}

// marked are the moments that have been noted.
var marked = map[string]bool{}

// mark notes the first time of something in the browser's list of measurements, for
// whoever asks how long the page takes to start: "first-picture", and "files-ready"
// when all that is needed for files is loaded.
func mark(moment string) error {
	if marked[moment] {
		return nil
	}
	marked[moment] = true
	performance, err := safejs.Global().Get("performance")
	if err != nil {
		return err
	}
	_, err = performance.Call("mark", moment)
	return err
}

// measure measures the host when it is new or was resized: asking each time would
// have the browser lay out the page each time.
func (h *hosts) measure(host safejs.Value) error {
	if !host.Equal(h.observed) {
		if !h.observed.IsUndefined() {
			if _, err := h.observer.Call("disconnect"); err != nil {
				return err
			}
		}
		if _, err := h.observer.Call("observe", host); err != nil {
			return err
		}
		h.observed, h.resized = host, true
	}
	if !h.resized {
		return nil
	}
	size, err := pictureSize(host)
	h.size, h.resized = size, false
	return err
}

// newHosts returns the hosts of a page.
func newHosts(page *browser) (*hosts, error) {
	h := &hosts{observed: safejs.Undefined(), stage: stage{page: page, host: safejs.Undefined(),
		shared: safejs.Undefined()}}
	if err := h.stage.watchRoom(); err != nil {
		return nil, err
	}
	onResize, err := page.jsFunc(func(safejs.Value) error {
		h.resized = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	h.observer, err = newObject("ResizeObserver", onResize)
	return h, err
}

// pictureSize measures the room for a picture, and the letters around it: 0 where
// the host has left the page.
func pictureSize(host safejs.Value) (lesson.Size, error) {
	width, err := number(host, "clientWidth")
	if err != nil {
		return lesson.Size{}, err
	}
	height, err := number(host, "clientHeight")
	if err != nil {
		return lesson.Size{}, err
	}
	style, err := safejs.Global().Call("getComputedStyle", host)
	if err != nil {
		return lesson.Size{}, err
	}
	letters := strings.TrimSuffix(text(style, "fontSize"), "px")
	if letters == "" {
		return lesson.Size{}, nil
	}
	em, err := strconv.ParseFloat(letters, 64)
	return lesson.Size{Width: width, Height: height, Em: em}, err
}

// isEmpty tells whether an element has no content, because it is new.
func isEmpty(host safejs.Value) (bool, error) {
	child, err := host.Get("firstChild")
	return child.IsNull(), err
}

func number(v safejs.Value, property string) (float64, error) {
	value, err := v.Get(property)
	if err != nil {
		return 0, err
	}
	return value.Float()
}

func (h *hosts) drawDigits(app *App) error {
	host, err := element("digits")
	if err != nil || host.IsNull() {
		return err
	}
	if empty, err := isEmpty(host); err != nil || !empty {
		return err
	}
	return host.Set("innerHTML", digitsHTML())
}

// drawStatus sets the sentence on the phase where it has changed, so that it is
// read out once.
func (h *hosts) drawStatus(app *App) error {
	sentence := app.ProgressView().Status
	if sentence == h.status {
		return nil
	}
	host, err := element("status")
	if err != nil || host.IsNull() {
		return err
	}
	h.status = sentence
	return host.Set("textContent", sentence)
}

// drawMenu brings the menu of methods up to the state where that has changed: what is
// being chosen in it stays.
func (h *hosts) drawMenu(app *App) error {
	host, err := element("menu")
	if err != nil || host.IsNull() {
		return err
	}
	empty, err := isEmpty(host)
	if err != nil || !empty && h.method == app.State.Embed.Method {
		return err
	}
	if empty {
		if err := host.Set("innerHTML", methodHTML()); err != nil {
			return err
		}
	}
	menu, err := element("method")
	if err != nil {
		return err
	}
	h.method = app.State.Embed.Method
	return menu.Set("value", h.method)
}

func (h *hosts) drawColumns(app *App) error {
	host, err := element("columns")
	if err != nil || host.IsNull() || app.Data.IsSample() {
		return err
	}
	empty, err := isEmpty(host)
	if err != nil || h.layout == app.Data.Layout && h.editing == app.Editing && h.find == app.Find && !empty {
		return err
	}
	before, old, found := h.columns, h.layout, h.find
	h.columns, h.layout, h.find = app.Data.Generation, app.Data.Layout, app.Find
	if before == app.Data.Generation && !empty {
		if found != app.Find {
			return h.drawList(app)
		}
		if len(old.Guessed) != len(app.Data.Layout.Guessed) {
			if err := h.drawReading(&app.Data); err != nil {
				return err
			}
		}
		if err := h.setColumns(old, app); err != nil {
			return err
		}
		return h.drawColumn(app)
	}
	choice, err := element("label-choice")
	if err != nil {
		return err
	}
	if err := choice.Set("innerHTML", labelHTML(app.Data.Layout)); err != nil {
		return err
	}
	if err := h.drawReading(&app.Data); err != nil {
		return err
	}
	if err := host.Set("innerHTML", columnsHTML(app.Data.Layout, app.Data.Reading, app.Find)); err != nil {
		return err
	}
	if err := h.drawList(app); err != nil {
		return err
	}
	return h.drawColumn(app)
}

// drawReading writes how the file is read. What is open, or has the focus, stays so.
func (h *hosts) drawReading(d *Data) error {
	host, err := element("reading")
	if err != nil || host.IsNull() {
		return err
	}
	r := reader{}
	focus, err := host.Call("querySelector", ":focus")
	if err != nil {
		return err
	}
	id := ""
	if !focus.IsNull() {
		id = text(focus, "id")
	}
	details := r.get(host, "firstElementChild")
	open := !details.IsNull() && r.truth(details, "open")
	if err := host.Set("innerHTML", readingHTML(d)); err != nil {
		return err
	}
	if details = r.get(host, "firstElementChild"); !details.IsNull() {
		if err := details.Set("open", open); err != nil {
			return err
		}
	}
	if field, err := element(id); id != "" && err == nil && !field.IsNull() {
		h.stage.page.provoke(field, "focus")
	}
	return r.err
}

// drawList lists the columns that are found.
func (h *hosts) drawList(app *App) error {
	rows, said, shown := listHTML(app.Data.Layout, app.Find)
	h.listed = shown
	for id, content := range map[string]string{"column-list": rows, "found": said,
		"found-role": foundRoles(app.Data.Layout, app.Find)} {
		if err := setHTML(id, content); err != nil {
			return err
		}
	}
	n := len(app.Find.of(app.Data.Layout))
	for id, hidden := range map[string]bool{"columns-back": n <= listed, "columns-on": n <= listed} {
		if button, err := element(id); err != nil || button.IsNull() {
			return err
		} else if err := button.Set("hidden", hidden); err != nil {
			return err
		}
	}
	return nil
}

// setHTML sets the content of an element that may not be there.
func setHTML(id, content string) error {
	host, err := element(id)
	if err != nil || host.IsNull() {
		return err
	}
	return host.Set("innerHTML", content)
}

// drawColumn writes the settings of the column that is being changed. What has the
// focus there keeps it, and a column shown anew gets it.
func (h *hosts) drawColumn(app *App) error {
	host, err := element("column")
	if err != nil {
		return err
	}
	content, focus := "", "h3 + div select, h3 + div input"
	if app.Editing > 0 {
		content = columnHTML(app.Editing-1, &app.Data.Layout.Columns[app.Editing-1])
	}
	if app.Editing == h.editing {
		if focus, err = focused(host); err != nil {
			return err
		}
	}
	if app.Editing == 0 && h.editing > 0 { // back to the button
		host, focus = safejs.Global(), ""
		if button, err := element("becomes-" + strconv.Itoa(h.editing-1)); err == nil && !button.IsNull() {
			host, focus = button, "button"
		}
	}
	h.editing = app.Editing
	settings, err := element("column")
	if err != nil {
		return err
	}
	if err := settings.Set("innerHTML", content); err != nil || focus == "" {
		return err
	}
	field, err := host.Call("querySelector", focus)
	if err != nil || field.IsNull() {
		return err
	}
	h.stage.page.provoke(field, "focus")
	return nil
}

// focused returns the selector of the field with the focus in a host, or nothing.
func focused(host safejs.Value) (string, error) {
	field, err := host.Call("querySelector", ":focus")
	if err != nil || field.IsNull() {
		return "", err
	}
	r := reader{}
	selector := `[data-setting="` + text(r.get(field, "dataset"), "setting") + `"]`
	if text(field, "type") == "checkbox" {
		selector += `[value="` + text(field, "value") + `"]`
	}
	return selector, r.err
}

// setColumns changes what has changed in the list, so that the field in hand keeps the
// focus.
func (h *hosts) setColumns(old *table.Layout, app *App) error {
	l := app.Data.Layout
	for id, content := range map[string]string{"label": labelOptions(l), "all-scaling": options(scalings, allScaling(l)),
		"all-missing": options(policies, allMissing(l)),
		"found-role":  foundRoles(l, app.Find)} {
		if err := setHTML(id, content); err != nil {
			return err
		}
	}
	list, err := element("column-list")
	if err != nil || list.IsNull() {
		return err
	}
	choices, err := list.Call("querySelectorAll", `select[data-setting="role"]`)
	if err != nil {
		return err
	}
	for row, i := range h.listed {
		c, was := &l.Columns[i], &old.Columns[i]
		if c.Role == was.Role && c.Describe() == was.Describe() {
			continue
		}
		choice, err := choices.Index(row)
		if err != nil {
			return err
		}
		if err := choice.Set("value", c.Role.String()); err != nil {
			return err
		}
		if err := setHTML("becomes-"+strconv.Itoa(i), becomesHTML(i, c)); err != nil {
			return err
		}
	}
	return nil
}

// drawStage draws the picture of a teaching place.
func (h *hosts) drawStage(app *App) error {
	if err := h.stage.draw(app); err != nil || h.stage.drawn.picture == nil {
		return err
	}
	return h.stage.mark()
}

// drawTable writes the data of a teaching place's picture where they are shown.
// Of a table that is there already only the rows change, so that it keeps its
// place and the focus.
func (h *hosts) drawTable(app *App) error {
	host, err := element("table")
	if err != nil || host.IsNull() {
		return err
	}
	picture := app.Picture()
	if !app.Lesson.Table {
		picture = nil
	}
	empty, err := isEmpty(host)
	if err != nil || picture == h.table && empty == (picture == nil) {
		return err
	}
	h.table = picture
	if picture == nil {
		return host.Set("innerHTML", "")
	}
	table := picture.Table()
	head := tableHead(table)
	if body, err := host.Call("querySelector", "tbody"); err != nil {
		return err
	} else if !empty && head == h.head && !body.IsNull() {
		return body.Set("innerHTML", tableRows(table))
	}
	h.head = head
	return host.Set("innerHTML", head+tableRows(table)+tableEnd)
}
