package draw

import (
	"math"
	"os"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1.25: "1.3", -0.04: "0", -0.31: "-0.3", 12: "12", 99.96: "100",
		-100.02: "-100"} {
		var b Builder
		if b.Number(x); b.String() != want {
			t.Errorf("%v: got %s, want %s", x, b.String(), want)
		}
	}
}

func TestRect(t *testing.T) {
	var b Builder
	b.Rect("plus", 1, 10, 2, -4)
	if got, want := b.String(), `<rect class="plus" x="1" y="6" width="2" height="4"/>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCircle: the arcs of a circle are as wide as two of their radii, however the radius is rounded.
func TestCircle(t *testing.T) {
	var b Builder
	b.Circle(10, 20, 3.76)
	if got, want := b.String(), "M6.2 20a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0 -7.6 0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// luminance is WCAG 2's.
func luminance(c RGB) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= .04045 {
			return x / 12.92
		}
		return math.Pow((x+.055)/1.055, 2.4)
	}
	return .2126*linear(c.R) + .7152*linear(c.G) + .0722*linear(c.B)
}

func contrast(a, b RGB) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

// TestHue: the colours stand out from the cards of both themes, and neighbours
// differ.
func TestHue(t *testing.T) {
	light, dark := RGB{255, 255, 255}, RGB{0x1a, 0x1d, 0x21}
	for _, n := range []int{1, 2, 12, 128} {
		for k := range n {
			c := Hue(k, n)
			if contrast(c, light) < 3 || contrast(c, dark) < 3 {
				t.Errorf("colour %d of %d, %v: contrast %.2f and %.2f, want 3", k, n, c, contrast(c, light), contrast(c, dark))
			}
			if n > 1 && c == Hue((k+1)%n, n) {
				t.Errorf("colours %d and %d of %d are the same", k, k+1, n)
			}
		}
	}
}

// TestStyle: pictures that stand alone have the colours of the page's light theme.
func TestStyle(t *testing.T) {
	if strings.Contains(Style, "var(") {
		t.Errorf("a colour is missing: %s", Style)
	}
	page, err := os.ReadFile("../../../public/page/style.css")
	if err != nil {
		t.Fatal(err)
	}
	theme, _, _ := strings.Cut(string(page), "}")
	for _, line := range strings.Split(theme, "\n") {
		line, _, _ = strings.Cut(line, ";")
		name, value, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || !strings.HasPrefix(value, "#") || !strings.Contains(pictureCSS, "var("+name+")") {
			continue
		}
		if got := light.Replace("var(" + name + ")"); got != value {
			t.Errorf("%s is %s, on the page %s", name, got, value)
		}
	}
}
