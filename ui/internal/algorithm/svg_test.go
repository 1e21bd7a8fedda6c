package algorithm

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/draw"
)

// TestSVG: pictures of any numbers are well-formed, with classes of picture.css. In ui, TestPictureSVG looks at the
// texts of the one that is shown.
func TestSVG(t *testing.T) {
	for _, p := range pictures(t) {
		for _, width := range []float64{320, 1100} {
			svg := p.SVG(p.Fit(width, 13), false)
			if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil || strings.Contains(svg, "NaN") ||
				strings.Contains(svg, "Inf") {
				t.Errorf("%v: %s", err, svg)
			}
			for _, match := range regexp.MustCompile(`class="(\w+)`).FindAllStringSubmatch(svg, -1) {
				if !strings.Contains(draw.Style, "."+match[1]+" ") {
					t.Errorf("picture.css has no class %s", match[1])
				}
			}
		}
	}
}
