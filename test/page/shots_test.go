//go:build !js

package page

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var shots = flag.String("shots", "", "save pictures of the page in this folder, and test nothing else")

var someShots = flag.String("some-shots", "", "save only the pictures whose names match this")

// A shot is a picture of the page in some state.
type shot struct {
	name, link    string
	width, height int64
	scheme        string
	whole         bool // the page from top to bottom
	prepare       func(*visit)
}

// embedShots are the pictures of Embed, whose states need files.
var embedShots = []shot{
	{"1440-light", "", 1440, 900, "light", false, nil},
	{"1440-light-whole", "", 1440, 900, "light", true, nil},
	{"1440-dark", "", 1440, 900, "dark", false, nil},
	{"360-light", "", 360, 1400, "light", false, nil},
	{"360-dark-file", "", 360, 1400, "dark", false, showFile},
	{"360-dark-file-end", "", 360, 2300, "dark", false, func(v *visit) {
		showFile(v)
		eval[any](v, `scrollTo(0, 1400)`)
	}},
	{"768-light", "", 768, 1024, "light", true, nil},
	{"3840-light", "", 3840, 2160, "light", false, nil},
	{"1440-file", "", 1440, 900, "light", true, showFile},
	{"1440-refused", "", 1440, 900, "light", false, func(v *visit) { v.set("degree", "0") }},
	{"1440-problem", "", 1440, 900, "dark", false, func(v *visit) {
		v.choose(v.write("table.csv", "a,b\n"))
		v.wait(`document.querySelector("#problem")`)
	}},
	{"1440-rows-as-they-are", "", 1440, 900, "light", false, func(v *visit) {
		v.readyAfter(func() { v.click(`input[name="rows"][value="none"] + span`) })
		v.readyAfter(func() { v.set("degree", "3") })
	}},
	{"1440-nystroem", "#/embed?method=nystroem&kernel=gaussian", 1440, 900, "light", true, nil},
	{"360-spherical", "#/embed?method=spherical&degree=8", 360, 2300, "dark", false, nil},
	{"1440-spherical-refused", "#/embed?method=spherical&degree=8", 1440, 900, "light", false, func(v *visit) {
		v.click(`input[name="rows"][value="none"] + span`)
		v.until("#status", "…is not of length 1…")
	}},
	{"1440-embedded", "", 1440, 900, "light", false, func(v *visit) {
		v.embeds("#/embed?degree=3&embed=1&hide=data,save,output,rows")
	}},
	{"1440-running", "", 1440, 900, "light", false, func(v *visit) {
		v.choose(v.write("large.csv", largeCSV(60_000)))
		v.until(".figures", "…left…")
	}},
	{"1440-columns", "", 1440, 900, "light", true, showPeople},
	{"360-dark-columns", "", 360, 900, "dark", true, showPeople},
	{"1440-paused", "", 1440, 900, "dark", false, func(v *visit) {
		v.readyAfter(func() { v.choose(v.write("large.csv", largeCSV(150_000))) })
		v.click("#save-npy")
		v.wait(`document.querySelector("#pause")`)
		v.click("#pause")
		v.until("#saving-status", "Paused…")
	}},
	{"1440-release", "#/embed?release=rows", 1440, 900, "light", true, showRelease},
	{"360-dark-release", "#/embed?release=mean&meanRows=60000", 360, 900, "dark", true, showRelease},
	{"1440-offline", "", 1440, 900, "light", false, showOffline},
	{"360-dark-offline", "", 360, 800, "dark", false, showOffline},
}

// storyShots are the entrance, and the steps of the thread as they are, in lecture mode and on a phone.
var storyShots = func() (all []shot) {
	for _, scheme := range []string{"light", "dark"} {
		all = append(all, shot{"start-desktop-" + scheme, "#/start", 1440, 900, scheme, false, showGrown},
			shot{"start-phone-" + scheme, "#/start", 390, 844, scheme, false, showGrown})
	}
	all = append(all, shot{"start-desktop-whole", "#/start", 1440, 900, "light", true, showGrown},
		shot{"start-phone-whole", "#/start", 390, 844, "dark", true, showGrown})
	for n := '1'; n <= '7'; n++ {
		step, prepare := "#/start/"+string(n), map[rune]func(*visit){'7': (*visit).learned}[n]
		all = append(all, shot{"step-" + string(n), step, 1440, 900, "light", false, prepare},
			shot{"step-" + string(n) + "-dark", step, 1440, 900, "dark", false, prepare},
			shot{"step-" + string(n) + "-360", step, 360, 800, "light", true, prepare},
			shot{"step-" + string(n) + "-lecture", step + "?lecture=1", 1280, 720, "light", false, prepare})
	}
	return all
}()

// showGrown waits until D has come to where it stays.
func showGrown(v *visit) { v.wait(`document.querySelector("#play.Play")`) }

// showPeople shows a file with columns of every kind, one of them being changed.
func showPeople(v *visit) {
	v.readyAfter(func() { v.choose(v.write("people.csv", peopleCSV)) })
	v.click("#becomes-1 button")
	v.wait(`document.querySelector("#column").firstChild`)
}

func showRelease(v *visit) {
	v.wait(`document.querySelector("#tradeoff svg")`)
	eval[any](v, `document.querySelector(".key").open = true`)
}

func showOffline(v *visit) {
	v.click("#offline-first")
	v.until("#offline-kept", "✓…")
}

// learnNumber suits the points of clouds.
const learnNumber = learnFromFile + "&nComponents=256&degree=4&rows=none"

// stateShots are telling states of the other places.
var stateShots = []shot{
	{"buckets-step", "#/buckets?step=9", 1440, 900, "light", false, nil},
	{"buckets-unsigned", "#/buckets?vector=zipf&signs=off&draws=1000", 1440, 900, "light", false, (*visit).grown},
	{"buckets-drawn-dark", "#/buckets?draws=1000", 1440, 900, "dark", false, (*visit).grown},
	{"buckets-drawn-360", "#/buckets?draws=1000", 360, 800, "light", true, (*visit).grown},
	{"buckets-bucket", "#/buckets?at=k6", 1440, 900, "dark", false, nil},
	{"buckets-largest", "#/buckets?nFeatures=64&nComponents=128", 1440, 900, "light", false, nil},
	{"buckets-largest-320", "#/buckets?nFeatures=64&nComponents=128", 320, 700, "light", true, nil},
	{"buckets-digit", "#/buckets?vector=digit&nComponents=16&y=hidden", 1440, 900, "light", false, nil},
	{"buckets-answer", "#/buckets?nComponents=4&question=1", 1440, 900, "light", true, nil},
	{"buckets-table", "#/buckets", 1440, 900, "light", true, func(v *visit) { v.table() }},
	{"buckets-refused", "#/buckets?colour=red", 1440, 900, "light", false, func(v *visit) { v.set("nComponents", "0") }},
	{"buckets-embedded", "#/buckets?embed=1&hide=seed,questions,save", 1000, 760, "light", true, nil},
	{"buckets-3840", "#/buckets", 3840, 2160, "light", false, nil},
	{"buckets-twin", "#/buckets?method=complex-tensor-sketch", 1440, 900, "light", true, nil},
	{"buckets-twin-bucket", "#/buckets?method=complex-tensor-sketch&nComponents=8&at=k2", 1440, 900, "dark", false, nil},
	{"buckets-twin-largest-320", "#/buckets?method=complex-tensor-sketch&nFeatures=64&nComponents=128", 320, 700,
		"light", true, nil},
	{"buckets-twin-step-phone", "#/buckets?method=complex-tensor-sketch&step=9", 360, 800, "light", true, nil},
	{"buckets-twin-answer", "#/buckets?method=complex-tensor-sketch&nComponents=4&question=1", 1440, 900,
		"dark", true, nil},
	{"convolution-step", "#/convolution?step=6", 1440, 900, "light", false, nil},
	{"convolution-chain", "#/convolution?y=shown&at=p3.4", 1440, 900, "dark", false, nil},
	{"convolution-chain-360", "#/convolution?y=shown", 360, 800, "light", true, nil},
	{"convolution-cell", "#/convolution", 1440, 900, "light", false, func(v *visit) {
		cell := v.box(`.handle[data-item^="c"]`)
		v.point(cell.Left+5.5*cell.Width, cell.Top+5.5*cell.Height)
	}},
	{"convolution-coordinates", "#/convolution?view=coordinates", 1440, 900, "light", false, nil},
	{"convolution-frequencies", "#/convolution?view=frequencies", 1440, 900, "light", false, nil},
	{"convolution-frequencies-dark", "#/convolution?view=frequencies&step=4", 1440, 900, "dark", false, nil},
	{"convolution-degree-3", "#/convolution?degree=3&round=2&question=3", 1440, 900, "light", true, nil},
	{"convolution-largest", "#/convolution?nFeatures=64&nComponents=128", 1440, 900, "light", false, nil},
	{"convolution-largest-320", "#/convolution?nFeatures=64&nComponents=128", 320, 700, "light", true, nil},
	{"convolution-3840", "#/convolution", 3840, 2160, "light", false, nil},
	{"convolution-twin", "#/convolution?method=complex-tensor-sketch", 1440, 900, "light", true, nil},
	{"convolution-twin-cell", "#/convolution?method=complex-tensor-sketch&at=c1.2", 1440, 900, "dark", false, nil},
	{"convolution-twin-coordinates", "#/convolution?method=complex-tensor-sketch&view=coordinates&degree=3", 1440,
		900, "light", false, nil},
	{"convolution-twin-frequencies", "#/convolution?method=complex-tensor-sketch&view=frequencies&step=4", 1440, 900,
		"light", false, nil},
	{"convolution-twin-largest", "#/convolution?method=complex-tensor-sketch&nFeatures=64&nComponents=128", 1440, 900,
		"light", false, nil},
	{"convolution-twin-phone", "#/convolution?method=complex-tensor-sketch&degree=4&round=3&question=3", 360, 800,
		"dark", true, nil},
	{"convolution-twin-coordinates-phone", "#/convolution?method=complex-tensor-sketch&view=coordinates&at=x4", 360,
		800, "light", true, nil},
	{"convergence-question", "#/convergence?degree=6&question=3", 1440, 900, "light", true, nil},
	{"convergence-degrees", "#/convergence?against=degree&bounds=shown", 1440, 900, "light", false, nil},
	{"convergence-degrees-360", "#/convergence?against=degree", 360, 1400, "dark", false, nil},
	{"convergence-unlucky", "#/convergence?vector=one-hot", 1440, 900, "dark", false, (*visit).streamed},
	{"convergence-pairs", "#/convergence?pairs=20&seeds=100&angle=60", 1440, 900, "light", false, nil},
	{"convergence-no-error", "#/convergence?vector=one-hot&angle=0&seeds=50", 1440, 900, "light", false, nil},
	{"convergence-compared", "#/convergence?degree=4&coef0=1&" + compared, 1440, 900, "light", true, nil},
	{"convergence-compared-time", "#/convergence?degree=4&coef0=1&axis=time&" + compared, 1440, 900, "light", true, nil},
	{"convergence-compared-time-dark", "#/convergence?degree=4&coef0=1&axis=time&" + compared, 1440, 900,
		"dark", false, nil},
	{"convergence-compared-360", "#/convergence?degree=4&coef0=1&" + compared, 360, 1300, "light", false, nil},
	{"convergence-compared-time-360", "#/convergence?degree=4&coef0=1&axis=time&" + compared, 360, 1300,
		"dark", false, nil},
	{"convergence-compared-kernels", "#/convergence?seeds=50&compare=random-fourier,spherical,taylor-sketch", 1440,
		900, "light", false, nil},
	{"convergence-320", "#/convergence?seeds=100", 320, 700, "light", true, nil},
	{"convergence-3840", "#/convergence", 3840, 2160, "dark", false, nil},
	{"learn-xor-dark", "#/learn?preset=xor&degree=2&nComponents=8&at=c30.20&question=3", 1440, 900, "dark", true, nil},
	{"learn-features", "#/learn?half=plane&view=features&maps=1234", 1440, 900, "light", true, nil},
	{"learn-features-dark", "#/learn?half=plane&view=features&nComponents=512&seed=42&question=4&at=k2", 1440, 900,
		"dark", true, nil},
	{"learn-features-360", "#/learn?half=plane&view=features&preset=spirals&at=c30.20", 360, 800, "light", true, nil},
	{"learn-own-320", "#/learn?preset=own&points=p30,30p40,-40m-30,-30m-20,40&question=2", 320, 700, "light", true, nil},
	{"learn-spirals-360", "#/learn?preset=spirals&degree=8&alpha=0.001&nComponents=64", 360, 800, "dark", true, nil},
	{"learn-3840", "#/learn", 3840, 2160, "light", false, nil},
	{"learn-file-1440-light", learnFromFile, 1440, 900, "light", false, (*visit).learned},
	{"learn-file-1440-dark", learnFromFile, 1440, 900, "dark", true, showDigit},
	{"learn-file-360-light", learnFromFile, 360, 800, "light", true, showDigit},
	{"learn-file-360-dark", learnFromFile, 360, 800, "dark", false, (*visit).learned},
	{"learn-file-compared-1440", learnFromFile + "&nComponents=256", 1440, 900, "light", true, showCompared},
	{"learn-file-number-1440", learnNumber, 1440, 900, "light", true, showNumber},
	{"learn-file-number-360", learnNumber, 360, 800, "dark", true, showNumber},
	{"learn-file-checked-1440", learnNumber, 1440, 900, "light", true, showChecked("clouds.csv", clouds(1500))},
	{"learn-file-checked-360", learnNumber, 360, 800, "dark", true, showChecked("clouds.csv", clouds(1500))},
	{"learn-file-checked-digits", learnFromFile, 1440, 900, "dark", true, showChecked("", "")},
	{"learn-file-checked-height", learnNumber, 1440, 900, "light", true, showChecked("heights.csv", heights(900))},
	{"learn-file-checked-height-360", learnNumber, 360, 800, "light", true, showChecked("heights.csv", heights(900))},
	{"learn-file-private-1440", learnFromFile + "&nComponents=64", 1440, 900, "dark", true, showTraining},
	{"learn-file-private-360", learnFromFile + "&nComponents=64", 360, 800, "light", true, showTraining},
	{"learn-file-mixed-1440", learnFromFile, 1440, 900, "light", true, showMixed},
	{"learn-file-mixed-360", learnFromFile, 360, 800, "dark", true, showMixed},
	{"learn-file-none-1440", learnFromFile, 1440, 900, "light", true, func(v *visit) {
		v.learned()
		v.choose(v.write("none.csv", "a,b\n1,2\n2,3\n3,4\n"))
		v.until("#learn-status", "No column looks like a label…")
	}},
	{"learn-file-3840", learnFromFile, 3840, 2160, "light", false, (*visit).learned},
	{"about-speed", "#/about", 1440, 900, "light", true, func(v *visit) {
		v.click("#test-speed")
		v.wait(`[...document.querySelectorAll("#speed tbody td")].every((cell) => /\d/.test(cell.textContent))`)
	}},
	{"about-320", "#/about", 320, 700, "light", true, nil},
}

// showDigit draws a digit, and shows the rows behind the last cell.
func showDigit(v *visit) {
	v.learned()
	v.pressByKey("#learn-detail .spot", kb.End)
	v.wait(`document.querySelector("#learn-behind tbody")`)
	v.drawSeven()
	v.until("#pad-said", "The model says…")
	eval[any](v, `scrollTo(0, 0)`)
}

// showCompared shows other seeds and the exact kernel.
func showCompared(v *visit) {
	v.learned()
	for _, button := range []string{"#learn-seeds", "#learn-exact"} {
		v.pressByMouse(button)
		v.wait(`document.querySelector("#learn-curve[aria-busy=true]")`)
		v.wait(`document.querySelector("#learn-curve[aria-busy=false]")`)
	}
	eval[any](v, `scrollTo(0, 0)`)
}

// showNumber learns a number, and shows the row of a dot.
func showNumber(v *visit) {
	v.learned()
	v.choose(v.write("clouds.csv", clouds(1500)))
	v.wait(learnedOf("clouds.csv"))
	v.pressByKey("#learn-detail .spot", kb.End)
	v.wait(`document.querySelector("#learn-behind tbody")`)
	eval[any](v, `scrollTo(0, 0)`)
}

// showChecked learns from a file, or from the sample, and checks the model.
func showChecked(name, text string) func(v *visit) {
	return func(v *visit) {
		v.learned()
		if name != "" {
			v.choose(v.write(name, text))
			v.wait(learnedOf(name))
		}
		v.checked()
		eval[any](v, `scrollTo(0, 0)`)
	}
}

// showTraining asks before a private training of a file.
func showTraining(v *visit) {
	v.learned()
	v.learnedAfter(func() { v.choose(v.write("ring.csv", ringCSV(900, 3, "where"))) })
	v.set("private-labels", "outside, inside")
	v.set("private-ranges", "-1 1")
	v.pressByMouse("#train-privately")
}

// compared are maps beside Tensor Sketch.
const compared = "compare=random-maclaurin,complex-tensor-srht,craft,tree-tensor-sketch"

// shotsOf are those that every place has.
func shotsOf(place string) (all []shot) {
	for _, scheme := range []string{"light", "dark"} {
		all = append(all,
			shot{place + "-desktop-" + scheme, "#/" + place, 1440, 900, scheme, false, nil},
			shot{place + "-phone-" + scheme, "#/" + place, 390, 844, scheme, false, nil})
	}
	return append(all, shot{place + "-desktop-whole", "#/" + place, 1440, 900, "light", true, nil},
		shot{place + "-phone-whole", "#/" + place, 390, 844, "light", true, nil})
}

// TestShots saves pictures of the page to look at: ./build.sh shots calls it.
func TestShots(t *testing.T) {
	if *shots == "" {
		return
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(embedShots, stateShots, storyShots)
	for _, place := range allPlaces[1:] { // storyShots has the first
		all = append(all, shotsOf(place)...)
	}
	browser, address := sharedBrowser(t), server(t)
	for _, s := range all {
		if !regexp.MustCompile(*someShots).MatchString(s.name) {
			continue
		}
		v := open(t, browser, address, s.link)
		v.do(chromedp.EmulateViewport(s.width, s.height), media("prefers-color-scheme", s.scheme), chromedp.Reload())
		v.pictured()
		place := `document.querySelector("#stage")?.dataset.place ?? location.hash.slice(2, 7)` // of a step, too
		switch eval[string](v, place) {
		case "embed":
			v.wait(coreTimed)
		case "convergence":
			v.streamed()
		}
		if s.prepare != nil {
			s.prepare(v)
		}
		action := chromedp.CaptureScreenshot()
		if s.whole {
			action = chromedp.FullScreenshot(100)
		}
		png := must(chromedp.Run(v.ctx, action))(t)
		if err := os.WriteFile(filepath.Join(*shots, s.name+".png"), png, 0o644); err != nil {
			t.Fatal(err)
		}
		v.do(chromedp.Stop())
	}
}

// coreTimed holds when the card shows the time of the core alone.
const coreTimed = `document.querySelector("#time").textContent.includes("by the core")`

// showFile shows a small file with rows that cannot be used.
func showFile(v *visit) {
	v.readyAfter(func() {
		v.choose(v.write("iris-like.csv", smallCSV))
	})
}

// media emulates a preference of the visitor.
func media(feature, value string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: feature, Value: value}}})
		return chromedp.Void{}, err
	}
}

// mixedCSV is a table of a date, three texts, two numbers with gaps, and what is bought.
func mixedCSV(rows int) string {
	random := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	b.WriteString("customer,signed_up,city,plan,remark,age,spent,buys\n")
	for i := range rows {
		age, spent := 18+random.IntN(60), 200*random.Float64()*random.Float64()
		city := []string{"Bern", "Ulm", "Köln", "Graz"}[random.IntN(4)]
		plan := []string{"free", "basic", "pro"}[random.IntN(3)]
		far := math.Abs(float64(age)-45) / 30
		score := 1.2*far + spent/120 - 1 + map[string]float64{"pro": .8, "free": -.5}[plan]*(1-2*far) +
			.3*random.NormFloat64()
		answer := map[bool]string{true: "yes", false: "no"}[score > 0]
		cells := []string{fmt.Sprintf("K-%04d", i), fmt.Sprintf("2024-%02d-%02d", 1+i%12, 1+i%28), city, plan,
			fmt.Sprintf("called %d times", random.IntN(5000)), strconv.Itoa(age), fmt.Sprintf("%.2f", spent), answer}
		if at := random.IntN(40); at >= 2 && at < 7 {
			cells[at] = ""
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

// showMixed learns from such a table.
func showMixed(v *visit) {
	v.learned()
	v.choose(v.write("customers.csv", mixedCSV(900)))
	v.wait(learnedOf("customers.csv"))
	eval[any](v, `scrollTo(0, 0)`)
}
