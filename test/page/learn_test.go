//go:build !js

package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// panel brings the k-th square of the plane into sight and returns where it is.
func (v *visit) panel(k int) rect {
	v.Helper()
	return v.box(fmt.Sprintf(".drawing > svg > rect.axis:nth-of-type(%d)", k+1))
}

// clickPlane clicks at a place of the k-th square, whose sides are 2.4 long.
func (v *visit) clickPlane(k int, x, y float64) {
	v.Helper()
	r := v.panel(k)
	px, py := r.Left+(x/2.4+.5)*r.Width, r.Top+(.5-y/2.4)*r.Height
	v.drag(px, py, px, py)
}

// right returns the percentages of points held out that the three models answer rightly, as their cards say.
func (v *visit) right() (shares [3]float64) {
	v.Helper()
	for k, id := range []string{"line", "sketched", "kernel"} {
		value, _, _ := v.card(id)
		shares[k] = numbers(value)[0].value
	}
	return shares
}

// TestPlane: the straight line is no better than a coin, sketch and kernel are; the figures are the table's, and
// what is set shows in the picture.
func TestPlane(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/learn")
	if right := v.right(); right[0] > 60 || right[1] < 95 || right[2] < 95 {
		t.Errorf("the first picture has %v %% right", right)
	}
	painted := func() string { return eval[string](v, `document.querySelector("canvas.cells").toDataURL()`) }
	compare := func(when string) {
		t.Helper()
		data := v.table()
		held, class := data.cells("held out"), data.column("class")
		for k, name := range []string{"line", "sketch", "exact kernel"} {
			right, asked := 0., 0.
			for i, score := range data.column(name) {
				if held[i] == "yes" {
					asked++
					if score*class[i] > 0 {
						right++
					}
				}
			}
			if got := v.right()[k]; math.Abs(got-100*right/asked) > .051 {
				t.Errorf("%s: the card of the %s says %v %%, the table %v of %v", when, name, got, right, asked)
			}
		}
	}
	compare("at first")
	before, first := painted(), v.right()
	v.pick("preset", "xor")
	v.slide("degree", 2)
	if right := v.right(); right[0] > 60 || right[2] < 95 || painted() == before {
		t.Errorf("XOR at degree 2: %v %% right; was the plane painted: %v", right, painted() != before)
	}
	compare("with XOR")
	v.slide("degree", 1)
	if right := v.right(); right[2] > 60 {
		t.Errorf("XOR at degree 1: the exact kernel has %v %% right", right[2])
	}
	v.slide("degree", 4)
	var same []float64
	for _, position := range []int{3, 5, 12} { // 8, 32, 4096
		v.slide("nComponents", position)
		value, _, _ := v.card("same")
		same = append(same, numbers(value)[0].value)
	}
	if !slices.IsSorted(same) || same[2] < 99 {
		t.Errorf("with D = 8, 32, 4,096 the sketch is like the kernel on %v %% of the plane", same)
	}
	v.slide("noise", 40)
	if v.right()[2] > 90 {
		t.Errorf("with much noise %v %% are right", v.right())
	}
	v.click("#new-points")
	v.settled()
	if v.link().Get("dataSeed") == "1" {
		t.Error("New points keeps the seed of the points")
	}
	v.click("#reset")
	v.settled()
	if v.right() != first {
		t.Errorf("after Reset %v %% are right, were %v", v.right(), first)
	}
	v.follow("#/learn?half=plane&view=features&maps=0")
	map1 := v.box(`.handle[data-item="k0"]`)
	v.drag(map1.Left+5, map1.Top+5, map1.Left+5, map1.Top+5)
	v.settled()
	if got := v.link().Get("maps"); got != "1" {
		t.Errorf("a press on the first map: maps %q", got)
	}
	exact := v.box(`.handle[data-item^="c"]`)
	v.point(exact.Left+5, exact.Top+5)
	v.says("#sum", "At (…: w·f(x) over 32 numbers gives …; Σ αᵢ κ(xᵢ, x) over 200 points gives …")
}

// cells returns the words of a column.
func (t table) cells(name string) []string {
	t.v.Helper()
	at := slices.Index(t.head, name)
	if at < 0 {
		t.v.Fatalf("the data table has no column %q but %q", name, t.head)
	}
	var cells []string
	for _, row := range t.rows {
		cells = append(cells, row[at])
	}
	return cells
}

// TestOwnPoints: points are added and taken away by mouse, keys and touch, and a link holds them.
func TestOwnPoints(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/learn?preset=own")
	v.says("#sum", "There are no points yet. Press on a picture to add one.")
	has := func(want string) {
		t.Helper()
		near := func(a, b string) bool { // a pixel is a few hundredths
			one, two := numbers(strings.ReplaceAll(a, ",", " ")), numbers(strings.ReplaceAll(b, ",", " "))
			if strings.Map(letters, a) != strings.Map(letters, b) || len(one) != len(two) {
				return false
			}
			for i := range one {
				if math.Abs(one[i].value-two[i].value) > 1.5 {
					return false
				}
			}
			return true
		}
		if got := v.link().Get("points"); !near(got, want) {
			t.Errorf("the points are %q, want %q", got, want)
		}
	}
	v.clickPlane(0, .5, .5)
	has("p50,50")
	v.clickPlane(1, -.5, -.5)
	has("p50,50p-50,-50")
	v.pick("brush", "minus")
	v.clickPlane(2, -.5, .5)
	v.clickPlane(2, .5, -.6)
	const four = "p50,50p-50,-50m-50,50m50,-60"
	has(four)
	if right := v.right(); right[0] > 50 {
		t.Errorf("the line has %v of XOR right", right)
	}

	v.away()
	link := v.address()
	figures := v.figures()
	other := visitPlace(t, link)
	if got := other.figures(); got != figures {
		t.Errorf("somebody else sees\n%s\nwas\n%s", got, figures)
	}

	v.click("#table-toggle") // closes it, which moves what is pressed next
	v.wait(`document.querySelector("#table-toggle").ariaExpanded === "false"`)
	v.settled()
	v.pick("brush", "away")
	v.clickPlane(0, -.45, .45)
	has("p50,50p-50,-50m50,-60")
	v.clickPlane(0, 0, 0) // nothing is near
	has("p50,50p-50,-50m50,-60")
	eval[any](v, "history.back()")
	v.wait(`!location.hash.includes("brush=away") || location.hash.split("m").length > 2`)

	// By keys: the cursor starts in the corner, and Enter does what a press does.
	v.follow("#/learn?preset=own&points=p50,50&brush=minus&at=c24.24")
	v.pressByKeys(`.handle[data-item^="c"]`, kb.ArrowRight+kb.ArrowRight+kb.ArrowUp+kb.Enter)
	has("p50,50m10,5")
	v.press(kb.ArrowLeft + kb.Enter)
	has("p50,50m10,5m5,5")
	v.pick("brush", "away")
	v.pressByKeys(`.handle[data-item^="c"]`, kb.Enter)
	has("p50,50m10,5")
	v.pressByKeys(`.handle[data-item^="x"]`, kb.End)
	if got := eval[string](v, `document.activeElement.getAttribute("aria-valuetext")`); !strings.HasPrefix(got,
		"point 2 of 2, − at (0.10, 0.05), yours: the line says ") {
		t.Errorf("the last point is %q", got)
	}
	v.press(kb.Enter)
	has("p50,50")
	v.click("#clear-points")
	v.settled()
	has("")

	v.pressByTouch(`label:has(input[name="brush"][value="plus"])`)
	v.pressByTouchAt(1, -.25, .75)
	has("p-25,75")
	v.pressByTouchAt(0, .25, .75)
	has("p-25,75p25,75")
}

// letters keeps the letters of points, for strings.Map.
func letters(r rune) rune {
	if r == 'p' || r == 'm' {
		return r
	}
	return -1
}

// pressByKeys gives an element the focus and types keys one by one.
func (v *visit) pressByKeys(selector, keys string) {
	v.Helper()
	eval[any](v, fmt.Sprintf(`document.querySelector(%q).focus()`, selector))
	for _, key := range keys {
		v.press(string(key))
	}
}

// pressByTouchAt taps at a place of the k-th square.
func (v *visit) pressByTouchAt(k int, x, y float64) {
	v.Helper()
	r := v.panel(k)
	v.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: r.Left + (x/2.4+.5)*r.Width,
		Y: r.Top + (.5-y/2.4)*r.Height})
	v.touch(input.DispatchTouchEventTypeTouchEnd)
	v.settled()
}

// TestHalves: tabs lead from one half of Learn to the other, which keep what was set; a link can hide them.
func TestHalves(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/learn?preset=moons")
	v.click(`.halves a[href*="half=file"]`)
	v.wait(`document.querySelector("#learn-file h1") && !document.querySelector("#stage")`)
	if got := eval[string](v, `location.hash`); !strings.Contains(got, "half=file") ||
		!strings.Contains(got, "nComponents=1024") {
		t.Errorf("the half of a file has the address %s", got)
	}
	v.click(`.halves a[href*="half=plane"]`)
	v.pictured()
	v.holds("preset", "moons")
	eval[any](v, "history.back()")
	v.wait(`document.querySelector("#learn-file h1")`)
	eval[any](v, "history.forward()")
	v.wait(`document.querySelector("#stage[data-ready]")`)
	for _, link := range []string{"#/learn?hide=half", "#/learn?embed=1"} {
		v.follow(link)
		if v.shows(".halves") {
			t.Errorf("%s shows the tabs", link)
		}
	}
	v.follow("#/learn?hide=brush,title,play,cards,questions,save,points-group")
	for _, selector := range []string{".field.brush", "h1", ".transport", ".cards", ".questions", "#table-toggle"} {
		if v.shows(selector) {
			t.Errorf("%s is shown although it is hidden", selector)
		}
	}
	v.do(chromedp.Reload())
	v.pictured()
}

// TestPlaneRepaints reports how long the plane takes from moving a slider to the picture, laid out: it should be within
// 50 ms at the median. The first slider moves while the browser still compiles the application; it is measured again.
func TestPlaneRepaints(t *testing.T) {
	if !*long {
		return
	}
	browser, end := startBrowser(t)
	t.Cleanup(end)
	for _, link := range []string{"#/learn?nComponents=512", "#/learn?half=plane&nComponents=512&view=features",
		"#/learn?nComponents=512&degree=8&nSamples=1000",
		"#/learn?nComponents=4096&degree=8&nSamples=1000&question=3"} {
		v := open(t, browser, server(t), link)
		v.pictured()
		for _, name := range []string{"nComponents", "degree", "coef0", "alpha", "noise", "nComponents"} {
			times := eval[[]float64](v, fmt.Sprintf(planeRepaints, name))
			slices.Sort(times)
			t.Logf("%s: %s: median %.1f ms, longest %.1f ms (want 50 at the median)", link, name, times[len(times)/2],
				times[len(times)-1])
		}
	}
}

// planeRepaints moves a slider twenty times to and fro, and returns the milliseconds from each event to the picture
// laid out.
const planeRepaints = `(async () => {
	const stage = document.querySelector("#stage"), slider = document.querySelector(".%s input[type=range]");
	const channel = new MessageChannel(), times = [], from = Number(slider.value);
	const turn = () => new Promise((resolve) => { channel.port1.onmessage = resolve; channel.port2.postMessage(null); });
	for (let i = 0; i < 20; i++) {
		await new Promise((resolve) => setTimeout(resolve, 60));
		await turn();
		const before = stage.dataset.drawn, start = performance.now();
		slider.value = i %% 2 ? from : from === Number(slider.min) ? from + 1 : from - 1;
		slider.dispatchEvent(new Event("input", { bubbles: true }));
		while (stage.dataset.drawn === before && performance.now() - start < 1000) await turn();
		document.body.getBoundingClientRect();
		times.push(performance.now() - start);
	}
	return times;
})()`
