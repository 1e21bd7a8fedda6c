package main

import (
	"slices"
	"strconv"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/table"
)

// A columnList is the list of the columns of a file. Only the rows in view are in the page, and some around them: the
// rest of its height are rows without content.
type columnList struct {
	scroller dom.Value // scrolls the list; undefined before the first file
	body     dom.Value // of its table
	onScroll dom.Func
	observer dom.Value // of the size of scroller

	layout *table.Layout
	find   embed.Find
	found  []int             // the columns that match the search
	drawn  map[int]dom.Value // the rows in the page, by their place in found
	spans  []embed.Span      // the same
	row    float64           // height of a row
}

func newColumnList(page *browser) *columnList {
	l := new(columnList)
	redraw := func() bool { l.scroll(); return false }
	l.onScroll = page.Quiet(func(dom.Value) bool { return redraw() })
	l.observer = page.Watch(redraw)
	return l
}

// begin takes over the elements of a list that was just written.
func (l *columnList) begin() {
	l.observer.Call("disconnect")
	l.body, l.drawn, l.spans, l.found = dom.Element("column-list"), nil, nil, nil
	if !dom.Exists(l.body) {
		l.scroller = dom.Undefined()
		return
	}
	l.scroller = l.body.Call("closest", ".scroll")
	l.scroller.Call("addEventListener", "scroll", l.onScroll)
	l.observer.Call("observe", l.scroller)
}

// show lists the columns that match a search, from the first one on.
func (l *columnList) show(layout *table.Layout, find embed.Find) {
	l.layout, l.find = layout, find
	if !l.isThere() {
		return
	}
	l.found, l.drawn, l.spans = find.Of(layout), map[int]dom.Value{}, nil
	l.body.Set("innerHTML", "")
	l.scroller.Set("scrollTop", 0)
	dom.SetAttribute(l.body.Call("closest", "table"), "aria-rowcount", len(l.found)+1)
	dom.SetHTML("found", embed.FoundText(len(l.found)))
	l.scroll()
}

// set writes the changed parts of the rows in the page, so that the field being edited keeps the focus.
func (l *columnList) set(layout *table.Layout) {
	old := l.layout
	if l.layout = layout; !l.isThere() {
		return
	}
	for at, row := range l.drawn {
		i := l.found[at]
		c, was := &layout.Columns[i], &old.Columns[i]
		if c.Role != was.Role || c.Describe() != was.Describe() || c.Chosen != was.Chosen {
			row.Call("querySelector", "select").Set("value", c.Role.String())
			row.Call("querySelector", ".becomes").Set("innerHTML", embed.BecomesHTML(i, c))
		}
	}
}

func (l *columnList) isThere() bool {
	return dom.Exists(l.scroller) && dom.Truth(l.scroller, "isConnected")
}

// scroll draws the rows that have come into view.
func (l *columnList) scroll() {
	if !l.isThere() || l.drawn == nil {
		return
	}
	kept := -1
	if focused := l.body.Call("querySelector", "tr:has(:focus)"); dom.Exists(focused) {
		index, _ := strconv.Atoi(dom.Text(focused, "ariaRowIndex"))
		kept = index - 2
	}
	for range 2 { // once more where the height of a row was not known
		row := l.row
		if row == 0 {
			_, _, em := dom.Size(l.scroller)
			row = 3.5 * em
		}
		spans := embed.Window(len(l.found), dom.Number(l.scroller, "scrollTop"), dom.Number(l.scroller, "clientHeight"),
			row, kept)
		if slices.Equal(spans, l.spans) && row == l.row {
			return
		}
		l.draw(spans, row)
		for _, tr := range l.drawn {
			l.row = dom.Number(tr.Call("getBoundingClientRect"), "height")
			break
		}
		if l.row == row || len(l.drawn) == 0 {
			return
		}
	}
}

// draw puts the rows of the spans into the page, and takes the others out. Rows that stay are not touched.
func (l *columnList) draw(spans []embed.Span, row float64) {
	l.spans = spans
	for _, gap := range dom.List(l.body.Call("querySelectorAll", ".gap")) {
		gap.Call("remove")
	}
	html := ""
	for at, tr := range l.drawn {
		if !slices.ContainsFunc(spans, func(s embed.Span) bool { return s.From <= at && at < s.To }) {
			tr.Call("remove")
			delete(l.drawn, at)
		}
	}
	var missing []int
	for _, s := range spans {
		for at := s.From; at < s.To; at++ {
			if _, ok := l.drawn[at]; !ok {
				missing = append(missing, at)
				html += embed.RowHTML(at, l.found[at], &l.layout.Columns[l.found[at]])
			}
		}
	}
	template := dom.Document().Call("createElement", "template")
	template.Set("innerHTML", html)
	made := dom.List(dom.Get(template, "content", "children"))
	next, end := dom.Get(l.body, "firstChild"), 0
	fill := func(rows int) {
		if rows == 0 {
			return
		}
		gap := dom.Document().Call("createElement", "tr")
		gap.Set("className", "gap")
		dom.SetAttribute(gap, "aria-hidden", "true")
		dom.Get(gap, "style").Set("height", strconv.FormatFloat(float64(rows)*row, 'f', 2, 64)+"px")
		l.body.Call("insertBefore", gap, next)
	}
	for _, s := range spans {
		fill(s.From - end)
		for at := s.From; at < s.To; at++ {
			if len(missing) > 0 && missing[0] == at {
				l.body.Call("insertBefore", made[0], next)
				l.drawn[at], missing, made = made[0], missing[1:], made[1:]
			} else {
				next = dom.Get(l.drawn[at], "nextSibling")
			}
		}
		end = s.To
	}
	fill(len(l.found) - end)
}

// reveal scrolls to a column, if it is found, so that its row is in the page.
func (l *columnList) reveal(column int) {
	at := slices.Index(l.found, column)
	if _, ok := l.drawn[at]; ok || at < 0 || !l.isThere() {
		return
	}
	l.scroller.Set("scrollTop", float64(at)*l.row)
	l.scroll()
}
