// Command figures makes the two figures of Pham & Pagh (KDD 2013) again, with the
// maps of package sketch, from the data sets in ../shared/data or the folder named
// by TENSORSKETCH_DATA:
//
//	figures error   Figure 1: docs/figure-error.svg
//	figures time    Figure 2: docs/figure-time.svg
//
// Each also writes its numbers into docs/figures.md, between the marks of its name,
// and prints them.
package main

import (
	"fmt"
	"os"

	"tensorsketch.example/tools/internal/lab"
)

func main() {
	figures := map[string]func() (picture, text string, err error){"error": errorFigure, "time": timeFigure}
	if len(os.Args) != 2 || figures[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: figures error|time")
		os.Exit(2)
	}
	name := os.Args[1]
	picture, text, err := figures[name]()
	if err == nil {
		err = os.WriteFile("docs/figure-"+name+".svg", []byte(picture), 0o644)
	}
	if err == nil {
		err = lab.ReplaceSection("docs/figures.md", name, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
	fmt.Print(text)
}
