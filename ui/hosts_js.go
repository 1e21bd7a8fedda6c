package main

import (
	"strconv"
	"strings"

	"github.com/hack-pad/safejs"
	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/lesson"
	"github.com/tensorsketch/tensorsketch/ui/internal/scatter"
)

// hosts are the elements that Vugu leaves alone: the picture and long lists are
// drawn into them after each rendering, if they have changed.
type hosts struct {
	observer safejs.Value // of the picture's host
	observed safejs.Value // the host itself
	resized  bool         // since it was measured
	size     lesson.Size

	drawn   pictureKey
	status  string
	method  string          // that the menu shows
	columns int             // generation of the list shown
	layout  *csvfile.Layout // that it shows
	stage   stage           // of the teaching places
	table   lesson.Picture  // whose data are shown
	head    string          // of that table
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
	for _, draw := range []func(*App) error{h.drawPicture, h.drawDigits, h.drawStatus, h.drawMenu, h.drawColumns, h.drawStage, h.drawTable, h.drawAbout} {
		if err := draw(app); err != nil {
			return err
		}
	}
	return nil
}

func (h *hosts) drawPicture(app *App) error {
	host, err := element("picture")
	if err != nil || host.IsNull() || app.Result == nil {
		return err
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
	return markFirst()
}

// marked tells that the first picture has been.
var marked bool

// markFirst notes the time of the page's first picture in the browser's list of
// measurements, for whoever asks how long the page takes to start.
func markFirst() error {
	if marked {
		return nil
	}
	marked = true
	performance, err := safejs.Global().Get("performance")
	if err != nil {
		return err
	}
	_, err = performance.Call("mark", "first-picture")
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

// newHosts returns the hosts of a page; redraw is called when one is resized.
func newHosts(page *browser, redraw func()) (*hosts, error) {
	h := &hosts{observed: safejs.Undefined(), stage: stage{page: page, host: safejs.Undefined(), shared: safejs.Undefined()}}
	if err := h.stage.watchRoom(); err != nil {
		return nil, err
	}
	onResize, err := safejs.FuncOf(func(safejs.Value, []safejs.Value) any {
		h.resized = true
		redraw()
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
	if err != nil || h.layout == app.Data.Layout && !empty {
		return err
	}
	before := h.columns
	h.columns, h.layout = app.Data.Generation, app.Data.Layout
	if before == app.Data.Generation && !empty {
		return setRoles(host, app.Data.Layout)
	}
	choice, err := element("label-choice")
	if err != nil {
		return err
	}
	if err := choice.Set("innerHTML", labelHTML(app.Data.Layout)); err != nil {
		return err
	}
	return host.Set("innerHTML", columnsHTML(app.Data.Layout))
}

// setRoles changes the choices in the list, so that the one in hand keeps the
// focus.
func setRoles(host safejs.Value, l *csvfile.Layout) error {
	label, err := element("label")
	if err != nil {
		return err
	}
	if err := label.Set("value", strconv.Itoa(l.Label())); err != nil {
		return err
	}
	choices, err := host.Call("querySelectorAll", "select[data-column]")
	if err != nil {
		return err
	}
	for i := range l.Columns[:min(len(l.Columns), mostColumns)] {
		choice, err := choices.Index(i)
		if err != nil {
			return err
		}
		if err := choice.Set("value", l.Columns[i].Role.String()); err != nil {
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
