package draw

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestCaption: whatever it says, the picture stays well-formed and has all of it within its width: the words wrapped,
// and the link whole in an <a>.
func TestCaption(t *testing.T) {
	picture := &Builder{}
	picture.Open(600, 300, 14, `a < b & "c"`, true)
	picture.Label(10, 20, "start", "inside")
	picture.Close()
	for name, c := range map[string]Caption{
		"short": {"Buckets: few", "d 16, D 8, seed 42", "http://127.0.0.1/#/buckets?seed=42"},
		"none":  {"About", "", "http://127.0.0.1/#/about"},
		"marks": {`<b> & "q" 'x'`, "seed <&>\x00\x1f\xff\uFFFE, Straße 🜚",
			"http://127.0.0.1/?a=1&b=<2>#/embed?seed=%3C&x=1"},
		"long": {strings.Repeat("title ", 60), strings.Repeat("word 1, ", 200),
			"https://a.b/#/x?s=" + strings.Repeat("%C3%A9", 500)},
		"commas": {"t", "x", "https://a.b/#/buckets?x=" + strings.Repeat("-0.125,", 64) + "1"},
	} {
		const width, height, em = 600, 300, 14
		svg := c.Below(picture.String(), width, height, em)
		var texts []string
		var said, href, element, first string
		links := 0
		decoder := xml.NewDecoder(strings.NewReader(svg))
		for {
			token, err := decoder.Token()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v in %s", name, err, svg)
			}
			switch token := token.(type) {
			case xml.StartElement:
				element = token.Name.Local
				for _, a := range token.Attr {
					switch {
					case element == "a" && a.Name.Local == "href":
						href = a.Value
						links++
					case element == "svg" && a.Name.Local == "height" && first == "":
						first = a.Value
					case element == "text" && a.Name.Local == "y":
						if y, _ := strconv.ParseFloat(a.Value, 64); y > height+c.Height(width, em) {
							t.Errorf("%s: a line is at %v, below the picture", name, y)
						}
					}
				}
			case xml.CharData:
				switch element {
				case "text":
					texts = append(texts, string(token))
				case "title", "desc":
					said += string(token)
				}
			}
		}
		if got, _ := strconv.ParseFloat(first, 64); math.Abs(got-height-c.Height(width, em)) > .06 {
			t.Errorf("%s: the picture is %v high, its parts %v and %v", name, got, height, c.Height(width, em))
		}
		for _, text := range texts {
			if wide := TextWidth(text, em); wide > width-2*captionMargin*em && strings.Contains(text, " ") {
				t.Errorf("%s: %q is %v wide", name, text, wide)
			}
		}
		all := strings.Join(texts, "")
		if links != 1 || href != legal(c.Link) || !strings.HasSuffix(all, legal(c.Link)) || !strings.Contains(said, href) {
			t.Errorf("%s: the link is %q, %d times, written as %q", name, href, links, all)
		}
		for word := range strings.FieldsSeq(legal(c.Title) + " " + legal(c.Words)) {
			if !strings.Contains(all, word) || !strings.Contains(said, word) {
				t.Errorf("%s: %q is missing in %q or in %q", name, word, all, said)
			}
		}
	}
	for letter, most := range map[string]int{"x": 45, "0": 45, "m": 30, "é": 30} {
		line := wrapLink("https://a.b/?"+strings.Repeat(letter, 1000), 300, 10)[1]
		if got := len([]rune(line)); got != most {
			t.Errorf("a line of 300 px has %d letters %s of 10 px, want %d", got, letter, most)
		}
	}
}
