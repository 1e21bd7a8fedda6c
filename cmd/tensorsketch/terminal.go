package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"
)

// What people read goes through these: a file's text must not move the cursor, rename the window or reverse a line.
var (
	stdout io.Writer = harmless{os.Stdout}
	stderr io.Writer = harmless{os.Stderr}
)

// unsaid is the first error of a write to stdout.
var unsaid error

// harmless writes text with \u001b for the character that begins a terminal's commands, and so on for all that
// isHarmful names. JSON means the same with these escapes as without.
type harmless struct{ to io.Writer }

func (h harmless) Write(text []byte) (int, error) {
	_, err := io.WriteString(h.to, escaped(string(text)))
	if h.to == os.Stdout && unsaid == nil && err != nil {
		unsaid = unwritten("-", err)
	}
	return len(text), err
}

// escaped returns a text as harmless writes it.
func escaped(text string) string {
	if strings.IndexFunc(text, isHarmful) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if !isHarmful(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// isHarmful reports whether a terminal would obey a character instead of showing it: the classes Cc and Cf of Unicode,
// which have control characters and marks of direction, and the separators of lines and paragraphs.
func isHarmful(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp))
}
