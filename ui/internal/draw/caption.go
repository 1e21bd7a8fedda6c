package draw

import (
	"math"
	"strings"
)

// A Caption is written below a picture that is saved, so that it can be made again from the file alone.
type Caption struct {
	Title string
	Words string // the parameters
	Link  string // opens the page with the same picture
}

// Lengths of a caption, in em.
const (
	captionMargin = 1.2
	captionLine   = 1.5
)

// lines divides the caption into lines for a picture of the given width.
func (c Caption) lines(width, em float64) (title, words, link []string) {
	width -= 2 * captionMargin * em
	const digits, bold = 1.15, 1.25 // how much wider than TextWidth says lines full of digits, and of bold letters, are
	return Wrap(legal(c.Title), width/bold, em), Wrap(legal(c.Words), width/digits, em), wrapLink(legal(c.Link), width, em)
}

// Height returns the height of the caption below a picture of that width and font size, in whole pixels for a PNG.
func (c Caption) Height(width, em float64) float64 {
	title, words, link := c.lines(width, em)
	return math.Ceil((captionLine*float64(len(title)+len(words)+len(link)) + captionMargin) * em)
}

// Below returns a standalone picture with the caption below it. It has the colours and fonts of the picture.
func (c Caption) Below(svg string, width, height, em float64) string {
	b := &Builder{}
	total := height + c.Height(width, em)
	b.Text(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, width, " ", total, `" width="`, width, `" height="`,
		total, `" font-size="`, em, `"><title>`, Escape(legal(c.Title)), "</title><desc>",
		Escape(legal(c.Words+" "+c.Link)), `</desc><rect class="ground" width="100%" height="100%"/>`, svg)
	y := height
	write := func(class string, lines []string) {
		for _, text := range lines {
			y += captionLine * em
			b.LabelOf(class, captionMargin*em, y, "start", text)
		}
	}
	title, words, link := c.lines(width, em)
	write("strong", title)
	write("", words)
	b.Text(`<a href="`, Escape(legal(c.Link)), `">`)
	write("ink", link)
	b.Text("</a>")
	b.Close()
	return b.String()
}

// wrapLink divides a link into lines of at most the given width: after an ampersand or another mark, or else anywhere.
func wrapLink(link string, width, em float64) []string {
	var lines []string
	for letters := []rune(link); len(letters) > 0; {
		end := fitting(letters, width, em)
		if end < len(letters) {
			if mark := strings.LastIndexAny(string(letters[:end]), "&?/,"); mark > 0 {
				end = len([]rune(string(letters[:end])[:mark+1]))
			}
		}
		lines, letters = append(lines, string(letters[:end])), letters[end:]
	}
	return lines
}

// fitting returns how many letters surely fit into a width, at least one. A link has no spaces, and no font makes its
// letters wider than this: digits and most letters have at most 0.66 em, and these up to 1 em.
func fitting(letters []rune, width, em float64) int {
	end := 0
	for ; end < len(letters) && width > 0; end++ {
		wide := .66
		if strings.ContainsRune("mwMW%@&=+#~", letters[end]) || letters[end] > 0x7e {
			wide = 1
		}
		width -= wide * em
	}
	if width < 0 {
		end--
	}
	return max(end, 1)
}

// legal replaces what XML forbids in any form.
func legal(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '\uFFFE' || r == '\uFFFF' {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
