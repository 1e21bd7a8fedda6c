//go:build !js

package page

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSaves: in every place the picture is saved as SVG and PNG, and its data as
// CSV, whatever the theme and the width of the page.
func TestSaves(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for place, want := range map[string]struct{ link, stem string }{
		"buckets":     {"#/buckets?at=k2", "buckets"},
		"convolution": {"#/convolution?step=5", "convolution"},
		"frequencies": {"#/convolution?view=frequencies", "convolution"},
		"coordinates": {"#/convolution?view=coordinates&nFeatures=64&nComponents=128", "convolution"},
		"twin":        {"#/convolution?method=complex-tensor-sketch&at=k2", "convolution"},
		"twin bucket": {"#/buckets?method=complex-tensor-sketch", "buckets"},
		"convergence": {"#/convergence?seeds=30", "convergence"},
		"learn":       {"#/learn?points=p0,90m0,0&preset=xor", "learn"},
		"embed":       {"#/embed", "sample-digits-errors"},
		"about":       {"#/about", ""},
	} {
		v.Run(place, func(t *testing.T) {
			v.follow(want.link)
			switch place {
			case "convergence":
				v.streamed()
			case "embed":
				v.ready()
			}
			name, svg := v.download("#save-picture")
			if want.stem != "" && name != want.stem+".svg" || !strings.HasSuffix(name, ".svg") {
				t.Errorf("the picture is saved as %s", name)
			}
			checkSVG(t, svg)
			checkCaption(v, svg)
			n := 0 // the legend has one dot, before the others
			for _, dots := range strings.Split(string(svg), `class="dots" d="`)[1:] {
				n = max(n, strings.Count(strings.SplitN(dots, `"`, 2)[0], "h0"))
			}
			if place == "embed" && n != 2000 ||
				!strings.Contains(string(svg), "<style>") {
				t.Errorf("the picture has no style, or %d dots", n)
			}

			pngName, content := v.download("#save-picture-png")
			if pngName != strings.TrimSuffix(name, ".svg")+".png" {
				t.Errorf("the PNG is saved as %s", pngName)
			}
			checkPNG(t, content, svg)

			csvName, content := v.download("#save-picture-data")
			rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
			if err != nil || csvName != strings.TrimSuffix(name, ".svg")+".csv" || len(rows) < 2 {
				t.Fatalf("%s: %d rows, %v", csvName, len(rows), err)
			}
			if place != "embed" && place != "about" {
				data := v.table()
				if want := slices.Concat([][]string{data.head}, data.rows); !slices.EqualFunc(rows, want, slices.Equal) {
					t.Errorf("the file has the rows %.500q, the page %.500q", rows, want)
				}
			}
			for _, row := range rows[1:] {
				for i, cell := range row {
					if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "" && cell != "yes" &&
						cell != "no" && place != "about" {
						t.Errorf("column %q holds %q", rows[0][i], cell)
					}
				}
			}
		})
	}
}

// checkSVG reads a picture that has to stand alone: no variables, nothing that is
// fetched, no colour of the page's own.
func checkSVG(t *testing.T, svg []byte) {
	t.Helper()
	texts, shapes := 0, 0
	for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in %.300s", err, svg)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "svg":
			if start.Name.Space != "http://www.w3.org/2000/svg" {
				t.Errorf("the picture is in the namespace %q", start.Name.Space)
			}
		case "text", "tspan":
			texts++
		case "path", "rect", "circle", "line":
			shapes++
		case "script", "image", "foreignObject":
			t.Errorf("the picture has the element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") &&
				start.Name.Local != "a" {
				t.Errorf("the picture has the attribute %s=%q", a.Name.Local, a.Value)
			}
		}
	}
	svg = svg[:bytes.LastIndex(svg, []byte("<a "))] // the link in the caption fetches nothing
	if from := bytes.Index(svg, []byte("<desc>")); from > 0 {
		svg = append(slices.Clone(svg[:from]), svg[bytes.Index(svg, []byte("</desc>")):]...)
	}
	if texts < 5 || shapes < 5 {
		t.Errorf("the picture has %d texts and %d shapes", texts, shapes)
	}
	for _, wrong := range []string{"var(", "@import", "NaN", "Inf", "undefined", "<nil>", "%!"} {
		if bytes.Contains(svg, []byte(wrong)) {
			t.Errorf("the picture holds %q", wrong)
		}
	}
	if match := regexp.MustCompile(`url\(["']?[^#"')]`).Find(svg); match != nil ||
		bytes.Contains(bytes.ReplaceAll(svg, []byte("http://www.w3.org/2000/svg"), nil), []byte("http")) {
		t.Errorf("the picture fetches something: %q", match)
	}
}

// checkCaption reads the link and the words under a picture.
func checkCaption(v *visit, svg []byte) {
	v.Helper()
	var picture struct {
		Title string `xml:"title"`
		Desc  string `xml:"desc"`
		Inner struct {
			Height float64 `xml:"height,attr"`
		} `xml:"svg"`
		Height float64 `xml:"height,attr"`
		Link   struct {
			To    string   `xml:"href,attr"`
			Texts []string `xml:"text"`
		} `xml:"a"`
		Texts []string `xml:"text"`
	}
	if err := xml.Unmarshal(svg, &picture); err != nil {
		v.Fatal(err)
	}
	place := v.text("nav [aria-current]")
	if !strings.HasPrefix(picture.Title, "Tensor Sketch, "+place+": ") || len(picture.Texts) == 0 ||
		!strings.HasSuffix(picture.Desc, picture.Link.To) {
		v.Errorf("the caption says %q, %q, %q", picture.Title, picture.Desc, picture.Texts)
	}
	if want := v.origin + "/" + v.address(); picture.Link.To != want || strings.Join(picture.Link.Texts, "") != want {
		v.Errorf("the link is %q, written %q, want %q", picture.Link.To, picture.Link.Texts, want)
	}
	if beyond := eval[float64](v, fmt.Sprintf(`(() => {
		const box = document.createElement("div");
		box.innerHTML = %q;
		document.body.append(box);
		const right = (element) => element.getBoundingClientRect().right;
		const texts = [...box.querySelectorAll(":scope > svg > text, a text")];
		const beyond = Math.max(...texts.map(right)) - right(box.firstElementChild);
		box.remove();
		return beyond;
	})()`, regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(string(svg), ""))); beyond > 0 {
		v.Errorf("the caption goes %v px beyond the picture", beyond)
	}
	if !(picture.Height > picture.Inner.Height+50) {
		v.Errorf("with its caption the picture is %v high, without %v", picture.Height, picture.Inner.Height)
	}
}

// TestSavedLink: the link under a saved picture opens the same picture: what is saved then has the same bytes.
func TestSavedLink(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for _, link := range []string{"#/buckets?nFeatures=12&seed=7&at=k2&embed=1",
		"#/convolution?degree=3&step=4&view=frequencies",
		"#/convergence?seeds=30&angle=20", "#/embed?nComponents=64&seed=a%26b"} {
		save := func() (svg []byte) {
			switch {
			case strings.Contains(link, "convergence"):
				v.streamed()
			case strings.Contains(link, "embed?"):
				v.wait(rests + ` && document.querySelector("#picture[data-ready]")`)
			}
			_, svg = v.download("#save-picture")
			return svg
		}
		v.follow(link)
		before := save()
		match := regexp.MustCompile(`<a href="([^"]*)"`).FindSubmatch(before)
		if match == nil {
			t.Fatalf("%s: no link in %.300s", link, before)
		}
		to := html.UnescapeString(string(match[1]))
		if strings.Contains(to, "embed=1") || strings.Contains(link, "a%26b") && !strings.Contains(to, "a%26b") {
			t.Errorf("%s: the picture has the link %s", link, to)
		}
		v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(to))
		v.pictured()
		if after := save(); !bytes.Equal(after, before) {
			t.Errorf("%s: opened by %s, the picture is another: %d bytes, were %d", link, to, len(after), len(before))
		}
	}
}

// checkPNG decodes a picture: twice the size of the SVG, opaque and not blank.
func checkPNG(t *testing.T, content, svg []byte) {
	t.Helper()
	picture := must(png.Decode(bytes.NewReader(content)))(t)
	if match := regexp.MustCompile(`<svg[^>]* width="([\d.]+)" height="([\d.]+)"`).FindSubmatch(svg); match != nil {
		width, _ := strconv.ParseFloat(string(match[1]), 64)
		height, _ := strconv.ParseFloat(string(match[2]), 64)
		if got := picture.Bounds().Size(); got != image.Pt(int(2*width), int(2*height)) {
			t.Errorf("the PNG has %v pixels, want twice %v × %v", got, width, height)
		}
	}
	opaque, ok := picture.(interface{ Opaque() bool })
	if n := coloursOf(picture); n < 20 || !ok || !opaque.Opaque() {
		t.Errorf("the PNG has %d colours, and is opaque: %v", n, ok && opaque.Opaque())
	}
}

// coloursOf counts the colours of a picture, in every third row and column.
func coloursOf(picture image.Image) int {
	colours := map[color.Color]bool{}
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y += 3 {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x += 3 {
			colours[picture.At(x, y)] = true
		}
	}
	return len(colours)
}
