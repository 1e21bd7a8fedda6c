//go:build !js

package page

import (
	"fmt"
	"strings"
)

// wideCSV has columns of numbers c0, c1 and so on, the last but one of texts, and a label.
func wideCSV(columns, rows int) string {
	var b strings.Builder
	for i := range columns - 1 {
		fmt.Fprintf(&b, "c%d,", i)
	}
	b.WriteString("label\n")
	for r := range rows {
		for i := range columns - 1 {
			if i == columns-2 {
				fmt.Fprintf(&b, "text %d,", r)
			} else {
				fmt.Fprintf(&b, "%d,", (i*r+r*r)%97)
			}
		}
		fmt.Fprintf(&b, "l%d\n", r%2)
	}
	return b.String()
}
