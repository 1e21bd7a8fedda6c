//go:build !js

package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// wideCSV has columns of numbers c0, c1 and so on, one of texts, and a label.
func wideCSV(columns, rows int) string {
	var b strings.Builder
	for i := range columns - 1 {
		fmt.Fprintf(&b, "c%d,", i)
	}
	b.WriteString("label\n")
	for r := range rows {
		for i := range columns - 1 {
			if i == columns-2 {
				fmt.Fprintf(&b, "text %d,", r)
			} else {
				fmt.Fprintf(&b, "%d,", (i*r+r*r)%97)
			}
		}
		fmt.Fprintf(&b, "l%d\n", r%2)
	}
	return b.String()
}

// inList describes the list of columns: how many it has by what it tells a screen reader, the rows in the page, the
// first and the last column in view, and what is wrong with it.
type inList struct {
	Columns, Rows int
	First, Last   string
	Problem       string
}

func (v *visit) list() inList {
	v.Helper()
	return eval[inList](v, `(async () => {
		for (let k = 0; k < 3; k++) await `+nextFrame+`;
		const list = document.querySelector("#column-list"), scroller = list.closest(".scroll");
		const table = list.closest("table"), head = table.querySelector("th").getBoundingClientRect(); // it sticks
		const view = scroller.getBoundingClientRect(), rows = [...list.querySelectorAll("tr:not(.gap)")];
		const seen = rows.filter((r) => r.getBoundingClientRect().bottom > head.bottom + 1 &&
			r.getBoundingClientRect().top < view.bottom - 1);
		const name = (r) => r?.cells[0].textContent ?? "";
		let problem = "";
		for (const [k, row] of seen.entries()) {
			const after = seen[k + 1];
			if (after && Number(after.ariaRowIndex) !== Number(row.ariaRowIndex) + 1)
				problem = "a row is missing after " + name(row);
			if (after && Math.abs(after.getBoundingClientRect().top - row.getBoundingClientRect().bottom) > 1) {
				problem = "there is a gap after " + name(row);
			}
		}
		const below = seen.length && view.bottom - seen.at(-1).getBoundingClientRect().bottom;
		const end = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
		if (!end && below > 2) problem = "below " + name(seen.at(-1)) + " there is nothing for " + below + " px";
		const heights = new Set(rows.map((r) => Math.round(r.getBoundingClientRect().height)));
		if (heights.size > 1) problem = "rows have heights " + [...heights].join();
		return { Columns: Number(table.ariaRowCount) - 1, Rows: list.children.length, First: name(seen[0]),
			Last: name(seen.at(-1)), Problem: problem };
	})()`)
}

// wheel turns the mouse wheel over an element.
func (v *visit) wheel(selector string, by float64) {
	v.Helper()
	box := v.box(selector)
	v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, box.Left+box.Width/2, box.Top+box.Height/2,
		func(p *input.DispatchMouseEventParams) { p.DeltaX, p.DeltaY = 1e-9, by })) // a zero would not be sent
}

// listed returns the names of all columns of the list. It scrolls through them by the mouse wheel.
func (v *visit) listed() []string {
	v.Helper()
	const scroller = "#columns .scroll"
	names := map[int]string{}
	for range 10_000 {
		all := v.list()
		for _, row := range eval[[]struct {
			At   int
			Name string
		}](v, `[...document.querySelectorAll("#column-list tr:not(.gap)")]
			.map((r) => ({ at: Number(r.ariaRowIndex) - 2, name: r.cells[0].textContent }))`) {
			names[row.At] = row.Name
		}
		if len(names) < all.Columns {
			v.wheel(scroller, 300)
			continue
		}
		var list []string
		for at := range all.Columns {
			list = append(list, names[at])
		}
		return list
	}
	v.Fatalf("the wheel does not lead through the list: %d columns were seen", len(names))
	return nil
}

// TestTypesAreWhole: what a column's cells are is never cut: of the amounts it was, at 1440 px.
func TestTypesAreWhole(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=16")
	v.readyAfter(func() { v.choose(v.write("odd.csv", oddCSV(1000))) })
	for _, place := range []string{"#/embed?nComponents=16", learnFromFile + "&nComponents=16"} {
		v.follow(place)
		for _, width := range []int64{1440, 1024, 600} {
			v.do(chromedp.EmulateViewport(width, 900))
			v.settled()
			cells := eval[[]string](v, `[...document.querySelectorAll("#column-list td:nth-child(2) > span")]
				.map((e) => (e.scrollHeight > e.clientHeight ? "cut: " : "") + e.textContent)`)
			if got := strings.Join(cells, ", "); !strings.Contains(got, "cells are empty or no numbers") ||
				!strings.Contains(got, "cells are empty or no dates") || strings.Contains(got, "cut: ") {
				t.Errorf("%s, %d px: the types are %q", place, width, cells)
			}
		}
	}
}

// oddCSV is a table of dates, amounts and kinds whose cells are empty here and there, or hold what they should not.
func oddCSV(rows int) string {
	var b strings.Builder
	b.WriteString("when;amount;kind\n")
	for i := range rows {
		when, amount := fmt.Sprintf("%02d.%02d.2024", 1+i%28, 1+i%12), fmt.Sprintf("%d,%02d", 10+i*7%93, i%100)
		if i%8 == 5 {
			when, amount = "n/a", ""
		}
		fmt.Fprintf(&b, "%s;%s;%s\n", when, amount, []string{"a", "b", "c"}[i*7%93/31])
	}
	return b.String()
}

// TestManyColumns: of 10,000 columns only those in view are in the page, however the list is scrolled. They can be
// found, and get another use. A row with the focus stays.
func TestManyColumns(t *testing.T) {
	t.Parallel()
	const columns, scroller = 10_000, "#columns .scroll"
	v := visitEmbed(t, "#/embed?nComponents=64")
	v.readyAfter(func() { v.choose(v.write("wide.csv", wideCSV(columns, 4))) })
	check := func(when string, first, last string) {
		t.Helper()
		l := v.list()
		if l.Columns != columns || l.Rows > 60 || l.Problem != "" || first != "" && l.First != first ||
			last != "" && l.Last != last {
			t.Errorf("%s: %+v, want %d columns from %s to %s", when, l, columns, first, last)
		}
	}
	check("at first", "c0", "")
	at := func() float64 { return eval[float64](v, `document.querySelector("#columns .scroll").scrollTop`) }
	for _, by := range []float64{120, 1500, 40_000, -900, 200_000, -33} {
		before := at()
		for turn := 0; turn < 20 && at() == before; turn++ { // a busy Chromium may drop a turn of the wheel
			v.wheel(scroller, by)
			v.list()
		}
		if at() == before {
			t.Errorf("%v px of the wheel do not scroll the list from %v", by, before)
		}
		check(fmt.Sprintf("after %v px of the wheel", by), "", "")
	}
	eval[any](v, `document.querySelector("#columns .scroll").focus()`)
	for _, key := range []struct{ key, first, last string }{{kb.End, "", "label"}, {kb.PageUp, "", ""},
		{kb.Home, "c0", ""}, {kb.PageDown, "", ""}, {kb.ArrowDown, "", ""}, {kb.Home, "c0", ""}} {
		before := at()
		v.do(chromedp.KeyEvent(key.key))
		v.wait(fmt.Sprintf(`document.querySelector("#columns .scroll").scrollTop !== %v`, before))
		eval[any](v, `new Promise((go) => { // a smooth scroll comes to its end
			const s = document.querySelector("#columns .scroll");
			let was = -1;
			const look = () => { if (s.scrollTop === was) go(); else { was = s.scrollTop; setTimeout(look, 100); } };
			look();
		})`)
		check(fmt.Sprintf("after the key %q", key.key), key.first, key.last)
	}

	// The tab key leads from row to row, also beyond those that were drawn, and every row it comes to is in view.
	const focus = `document.activeElement.dataset.column + " " + (document.activeElement.dataset.setting ?? "change")`
	eval[any](v, `document.querySelector('#columns [data-column="0"]').focus()`)
	for k := range 40 {
		if got, want := eval[string](v, focus), fmt.Sprintf("%d %s", k/2,
			[]string{"role", "change"}[k%2]); got != want {
			t.Fatalf("after %d times the tab key the focus is on %s, want %s", k, got, want)
		}
		if in := eval[bool](v, `(({ top, bottom }, view) => top >= view.top - 1 && bottom <= view.bottom + 1)(
			document.activeElement.getBoundingClientRect(),
			document.querySelector("#columns .scroll").getBoundingClientRect())`); !in {
			t.Errorf("after %d times the tab key the focus is out of view", k)
		}
		v.do(chromedp.KeyEvent(kb.Tab))
		v.list()
	}
	// The row that has the focus stays in the page when it is scrolled away.
	before := eval[string](v, focus)
	for k := 0; k < 50 && at() < 10_000; k++ {
		v.wheel(scroller, 1000)
		v.list()
	}
	if at() < 10_000 {
		t.Errorf("with the focus in a row, the wheel leads to %v px", at())
	}
	check("with the focus elsewhere", "", "")
	if got := eval[string](v, focus); got != before {
		t.Errorf("scrolled away, the focus goes from %s to %s", before, got)
	}

	// Find, and change the use of one.
	v.pressByMouse("#find-columns")
	v.do(chromedp.KeyEvent("c777"))
	v.until("#found", "11 columns found.")
	if l := v.list(); l.Columns != 11 || l.First != "c777" || l.Problem != "" {
		t.Errorf("found: %+v", l)
	}
	eval[any](v, `document.querySelector('#columns [data-column="7770"]').focus()`)
	v.readyAfter(func() { v.do(chromedp.KeyEvent("i")) }) // ignore
	v.says("#columns-title", "10,000 columns: 9,997 as numbers, 1 label, 1 kept, 1 ignored")
	if got := eval[string](v, `document.activeElement.dataset.column +
		document.activeElement.value`); got != "7770ignore" {
		t.Errorf("after the change the focus is on %s", got)
	}
}
