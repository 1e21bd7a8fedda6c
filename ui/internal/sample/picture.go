package sample

import (
	"strconv"
	"strings"
)

// Picture draws a digit as SVG, with one path per shade, in the colour of the surrounding text.
func Picture(row []float32, label uint8) string {
	return PictureOf(row, "a drawn "+strconv.Itoa(int(label)))
}

// PictureOf draws shades from 0 to Most as Picture does. says describes them.
func PictureOf(row []float32, says string) string {
	var shades [Most + 1]strings.Builder
	for i, x := range row {
		path := &shades[int(x)]
		path.WriteString("M" + strconv.Itoa(i%Side) + " " + strconv.Itoa(i/Side) + "h1v1h-1z")
	}
	var b strings.Builder
	b.WriteString(`<svg viewBox="0 0 8 8" role="img" aria-label="` + says + `">`)
	for shade := 1; shade <= Most; shade++ {
		if shades[shade].Len() > 0 {
			b.WriteString(`<path fill="currentColor" fill-opacity="` + strconv.FormatFloat(float64(shade)/Most, 'f', 2, 64) +
				`" d="` + shades[shade].String() + `"/>`)
		}
	}
	b.WriteString("</svg>")
	return b.String()
}
