package algorithm

import (
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/test/slow"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
)

var minusSign = regexp.MustCompile(`-\d`)

// checkText checks a text that is shown.
func checkText(t *testing.T, text string) {
	t.Helper()
	if text == "" || strings.Contains(text, "NaN") || strings.Contains(text, "%!") || minusSign.MatchString(text) {
		t.Errorf("text %q", text)
	}
}

// A box is where a text of the picture is.
type box struct {
	text                     string
	left, top, right, bottom float64
}

// texts parses a picture and returns its texts; it checks classes and numbers.
func texts(t *testing.T, svg string, em float64) []box {
	t.Helper()
	css, err := os.ReadFile("../draw/picture.css")
	if err != nil {
		t.Fatal(err)
	}
	var boxes []box
	var current *box
	anchor := ""
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return boxes
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			a := map[string]string{}
			for _, attribute := range token.Attr {
				a[attribute.Name.Local] = attribute.Value
			}
			for class := range strings.FieldsSeq(a["class"]) {
				if !strings.Contains(string(css), "."+class+" ") && !strings.Contains(string(css), "."+class+".") {
					t.Errorf("picture.css has no class %s", class)
				}
			}
			if token.Name.Local == "text" {
				x, _ := strconv.ParseFloat(a["x"], 64)
				y, _ := strconv.ParseFloat(a["y"], 64)
				current, anchor = &box{left: x, top: y - .75*em, bottom: y + .2*em}, a["text-anchor"]
			}
		case xml.CharData:
			if current != nil {
				current.text += string(token)
			}
		case xml.EndElement:
			if token.Name.Local == "text" {
				width := draw.TextWidth(current.text, em)
				current.left -= map[string]float64{"start": 0, "middle": .5, "end": 1}[anchor] * width
				current.right = current.left + width
				boxes = append(boxes, *current)
				current = nil
			}
		}
	}
}

// TestSVG: at every width the texts of the picture lie inside and apart from each
// other.
func TestSVG(t *testing.T) {
	slow.Elsewhere(t)
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, em := range []float64{12, 13, 16, 26} {
		for width := 286.0; width <= 3000; width += 7 {
			if width < 23*em {
				continue // of a phone with letters as large as on a projector
			}
			size := p.Fit(width, em)
			svg := p.SVG(size, width < 300)
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Fatalf("%v: %s", size, svg)
			}
			boxes := texts(t, svg, em)
			if len(boxes) < 50 {
				t.Fatalf("%v: %d texts", size, len(boxes))
			}
			for i, a := range boxes {
				checkText(t, a.text)
				if a.left < 0 || a.top < 0 || a.right > size.Width || a.bottom > size.Height {
					t.Errorf("%v: %q is cut: %+v", size, a.text, a)
				}
				for _, b := range boxes[:i] {
					if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
						t.Errorf("%v: %q and %q overlap: %+v %+v", size, a.text, b.text, a, b)
					}
				}
			}
		}
	}
}

// TestAll: pictures of any numbers are well-formed.
func TestAll(t *testing.T) {
	for _, p := range pictures(t) {
		for _, width := range []float64{320, 1100} {
			size := p.Fit(width, 13)
			svg := p.SVG(size, false)
			texts(t, svg, 13)
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Errorf("%v: %s", size, svg)
			}
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	for b.Loop() {
		p, err := New()
		if err != nil {
			b.Fatal(err)
		}
		p.SVG(lesson.Size{Width: 740, Height: 660, Em: 13}, false)
	}
}
