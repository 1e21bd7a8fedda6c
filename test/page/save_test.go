//go:build !js

package page

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
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
			_, dots, _ := strings.Cut(string(svg), `class="dots" d="`)
			if n := strings.Count(strings.SplitN(dots, `"`, 2)[0], "h0"); place == "embed" && n != 2000 ||
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
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
				t.Errorf("the picture has the attribute %s=%q", a.Name.Local, a.Value)
			}
		}
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
