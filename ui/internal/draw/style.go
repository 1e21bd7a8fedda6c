package draw

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
)

//go:embed picture.css
var pictureCSS string

// light has the colours of the page's light theme, which standalone pictures use.
var light = strings.NewReplacer("var(--ink)", "#14181a", "var(--soft)", "#585e61", "var(--line)", "#e2e2da",
	"var(--edge)", "#8b908d",
	"var(--wash)", "#f0f0ea", "var(--card)", "#ffffff", "var(--accent)", "#0f766e", "var(--plus)", "#1d5fc4",
	"var(--minus)", "#b8480a", "var(--theory)", "#787e7a")

// Style is the style sheet of standalone pictures.
var Style = light.Replace(pictureCSS)

// Hatch defines the pattern that Filled fills minus with. Write Hatch once in each picture that uses it.
const Hatch = `<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" ` +
	`patternTransform="rotate(45)"><path class="hatch" d="M0 0V5"/></pattern></defs>`

// RGB is a colour of the screen.
type RGB struct{ R, G, B uint8 }

// String writes the colour as in CSS.
func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Hue returns the k-th of n colours around the colour circle. All are equally light, with a contrast of 3 : 1 or
// more to the background of both themes. They are OKLCH with lightness 0.62 and chroma 0.13 (Ottosson 2020,
// https://bottosson.github.io/posts/oklab/).
func Hue(k, n int) RGB {
	const lightness, chroma = .62, .13
	sin, cos := math.Sincos(2 * math.Pi * (float64(k)/float64(n) + .07))
	a, b := chroma*cos, chroma*sin
	cube := func(x float64) float64 { return x * x * x }
	l := cube(lightness + .3963377774*a + .2158037573*b)
	m := cube(lightness - .1055613458*a - .0638541728*b)
	s := cube(lightness - .0894841775*a - 1.2914855480*b)
	return RGB{
		gamma(4.0767416621*l - 3.3077115913*m + .2309699292*s),
		gamma(-1.2684380046*l + 2.6097574011*m - .3413193965*s),
		gamma(-.0041960863*l - .7034186147*m + 1.7076147010*s),
	}
}

// gamma encodes a linear intensity as sRGB does.
func gamma(x float64) uint8 {
	if x <= .0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - .055
	}
	return uint8(math.Round(255 * min(max(x, 0), 1)))
}
