//go:build !js

package page

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/test/cases"
)

// These tests measure, so ./build.sh soak runs them, and nothing else at the same time. Timings are reported, and fail
// a test only at this many times their limit.
const allowance = 10

// TestFirstPicture reports after how long the first picture of every place is
// there in a fresh browser. It should be within a second.
func TestFirstPicture(t *testing.T) {
	if !*long {
		return
	}
	const limit = time.Second
	address := server(t)
	for _, place := range allPlaces {
		t.Run(place, func(t *testing.T) {
			best := time.Hour
			for range 3 {
				browser, end := startBrowser(t)
				t.Cleanup(end)
				v := open(t, browser, address, "#/"+place)
				v.wait(pictureReady)
				drawn := time.Duration(eval[float64](v,
					`performance.getEntriesByName("first-picture")[0].startTime`) * float64(time.Millisecond))
				t.Logf("first picture after %v (want %v)", drawn.Round(time.Millisecond), limit)
				if best = min(best, drawn); best <= limit {
					return
				}
			}
			if best > allowance*limit {
				t.Errorf("the first picture takes %v, want at most %v", best, limit)
			}
		})
	}
}

// TestRepaint reports how long a repaint takes at the largest d and D: from the
// event to the picture, laid out.
func TestRepaint(t *testing.T) {
	if !*long {
		return
	}
	browser, end := startBrowser(t)
	t.Cleanup(end)
	const median, most = 16, 50
	for name, link := range map[string]string{
		"buckets":       "#/buckets?nFeatures=64&nComponents=128",
		"products":      "#/convolution?nFeatures=64&nComponents=128",
		"coordinates":   "#/convolution?nFeatures=64&nComponents=128&view=coordinates",
		"twin buckets":  "#/buckets?method=complex-tensor-sketch&nFeatures=64&nComponents=128",
		"twin products": "#/convolution?method=complex-tensor-sketch&nFeatures=64&nComponents=128",
		"frequencies":   "#/convolution?nFeatures=64&nComponents=128&view=frequencies",
	} {
		t.Run(name, func(t *testing.T) {
			v := open(t, browser, server(t), link)
			v.pictured()
			times := eval[map[string][]float64](v, repaints)
			for _, what := range []string{"drag", "slide"} {
				all := times[what]
				slices.Sort(all)
				middle, high := all[len(all)/2], all[len(all)*95/100]
				t.Logf("%s: median %.1f ms, 95 %% within %.1f ms, longest %.1f ms (want %d and %d)", what, middle,
					high, all[len(all)-1], median, most)
				if middle > allowance*median {
					t.Errorf("%s takes %.0f ms at the median", what, middle)
				}
			}
		})
	}
}

// repaints drags a bar forty times and moves the slider of D thirty times, and
// returns the milliseconds from each event to the picture laid out.
const repaints = `(async () => {
	const stage = document.querySelector("#stage"), scene = document.querySelector(".scene");
	const channel = new MessageChannel();
	const turn = () => new Promise((resolve) => { channel.port1.onmessage = resolve; channel.port2.postMessage(null); });
	const time = async (n, act) => {
		const times = [];
		for (let i = 0; i < n; i++) {
			await new Promise(requestAnimationFrame);
			await turn();
			const before = stage.dataset.drawn, start = performance.now();
			act(i);
			while (stage.dataset.drawn === before && performance.now() - start < 1000) await turn();
			document.body.getBoundingClientRect();
			times.push(performance.now() - start);
		}
		return times;
	};
	const strip = document.querySelector(".strip").getBoundingClientRect(), x = strip.left + 0.4 * strip.width;
	const event = (type, x, y) => scene.dispatchEvent(new PointerEvent(type, {
		clientX: x, clientY: y, bubbles: true, button: 0, pointerId: 1,
	}));
	event("pointerdown", x, strip.top + 10);
	const drag = await time(40, (i) => event("pointermove", x, strip.top + 5 + ((i * 37) % (strip.height - 10))));
	event("pointerup", x, strip.top + 20);
	const D = document.querySelector(".nComponents input[type=range]");
	const slide = await time(30, (i) => {
		D.value = D.max - 2 - 2 * (i % 14);
		D.dispatchEvent(new Event("input", { bubbles: true }));
	});
	return { drag, slide };
})()`

// TestLongTasks reports what holds the page's thread while seeds stream in.
func TestLongTasks(t *testing.T) {
	if !*long {
		return
	}
	browser, end := startBrowser(t)
	t.Cleanup(end)
	const limit = 50
	for _, link := range []string{"#/convergence", "#/convergence?pairs=20&seeds=50&nFeatures=256&degree=3",
		"#/convergence?seeds=100&axis=time&" + compared} {
		v := open(t, browser, server(t), link)
		v.pictured()
		v.streamed()
		tasks := eval[[]float64](v, `new Promise((resolve) => {
			const drawn = performance.getEntriesByName("first-picture")[0].startTime;
			new PerformanceObserver((list) => resolve(list.getEntries().filter((e) => e.startTime > drawn)
				.map((e) => e.duration))).observe({ type: "longtask", buffered: true });
			setTimeout(resolve, 500, []);
		})`)
		t.Logf("%s: after the first picture, tasks over %d ms: %.0f", link, limit, tasks)
		slices.Sort(tasks)
		if n := len(tasks); n > 0 && tasks[n/2] > allowance*limit {
			t.Errorf("%s: half of them take %.0f ms and longer", link, tasks[n/2])
		}
	}
}

// TestLearnAims reports how long the curves of the sample and of digits.csv take, from the start of the session to its
// last point, and what holds the page's thread meanwhile. The aims are 2 s, 5 s and 50 ms.
func TestLearnAims(t *testing.T) {
	if !*long {
		return
	}
	browser, end := startBrowser(t)
	t.Cleanup(end)
	const watch = `globalThis.long = []; globalThis.curve = 0;
		new PerformanceObserver((list) => long.push(...list.getEntries().map((e) => Math.round(e.duration))))
			.observe({ type: "longtask" });
		new MutationObserver((list) => {
			const busy = document.querySelector("#learn-curve").ariaBusy === "true";
			if (busy && list.some((m) => m.oldValue === "false")) globalThis.began = performance.now();
			if (!busy) globalThis.curve = performance.now() - began;
		}).observe(document.querySelector("#learn-curve"), { attributeFilter: ["aria-busy"], attributeOldValue: true });`
	for range 3 {
		v := open(t, browser, server(t), learnFromFile)
		v.learned()
		first := eval[float64](v, `performance.now()`)
		eval[any](v, watch)
		report := func(what string) {
			v.wait(`curve && document.querySelector("#learn-curve[aria-busy=false]")`)
			t.Logf("%s: %.0f ms, long tasks %v ms", what, eval[float64](v, `curve`), eval[[]float64](v, `long`))
			eval[any](v, `curve = 0; long.length = 0`)
		}
		v.set("seed", "2")
		report("the sample, another seed")
		v.choose(cases.Data(t, "digits.csv"))
		report("digits.csv, with reading")
		v.set("seed", "3")
		report("digits.csv, another seed")
		t.Logf("the page from its start to the curve of the sample: %.0f ms", first)
	}
}

// TestWaits reports how long a visitor waits for a file: until Embed shows it, until all of it is embedded, and in
// Learn until the first accuracy and until the curve.
func TestWaits(t *testing.T) {
	if !*long {
		return
	}
	browser, end := startBrowser(t)
	t.Cleanup(end)
	since := func(begun time.Time) time.Duration { return time.Since(begun).Round(10 * time.Millisecond) }

	head, body, _ := strings.Cut(largeCSV(8000), "\n")
	v := open(t, browser, server(t), "#/embed?nComponents=64")
	v.wait(`performance.getEntriesByName("files-ready").length`)
	narrow := v.write("narrow.csv", head+"\n")
	appendTo(t, narrow, body, 300_000_000/len(body)+1)
	begun := time.Now()
	v.readyAfter(func() { v.choose(narrow) })
	shown := since(begun)
	folder, begun := v.saveInto(), time.Now()
	v.click("#save-npy")
	v.wait(`document.querySelector("#stop-saving")`)
	v.wait(`!document.querySelector("#stop-saving")`)
	took := since(begun)
	if name, _ := saved(folder, time.Minute); name != "narrow-features.npy" {
		t.Errorf("saved %q", name)
	}
	t.Logf("CSV of 300 MB, 64 columns: shown after %v, embedded in %v", shown, took)

	wide := v.write("wide.csv", wideCSV(10_000, 1000))
	begun = time.Now()
	v.readyAfter(func() { v.choose(wide) })
	t.Logf("10,000 columns, 1,000 rows: shown after %v", since(begun))

	for _, rows := range []int{1000, 10_000, 100_000} {
		v := open(t, browser, server(t), learnFromFile)
		v.learned()
		name := fmt.Sprintf("mixed%d.csv", rows)
		file := v.write(name, twentyColumns(rows))
		begun := time.Now()
		v.learnedAfter(func() {
			v.choose(file)
			v.until(".origin strong", name)
			v.wait(`document.querySelectorAll("#learn-curve .sigma").length`)
			shown = since(begun)
		})
		t.Logf("Learn, %d rows of 20 columns: first accuracy after %v, curve after %v; %s", rows, shown, since(begun),
			v.text("#learn-score strong"))
	}
}

// twentyColumns is a CSV of 20 columns, every fourth of a few whole numbers, and a label that three of them decide.
func twentyColumns(rows int) string {
	random := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	for j := range 20 {
		fmt.Fprintf(&b, "x%d,", j)
	}
	b.WriteString("label\n")
	for range rows {
		x := make([]float64, 20)
		for j := range x {
			if x[j] = 2*random.Float64() - 1; j%4 == 3 {
				x[j] = float64(random.IntN(5))
			}
			fmt.Fprintf(&b, "%.4g,", x[j])
		}
		label := "b"
		if x[0]*x[1]+0.5*x[4]+0.3*(random.Float64()-0.5) > 0 {
			label = "a"
		}
		b.WriteString(label + "\n")
	}
	return b.String()
}
