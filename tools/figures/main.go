// Command figures makes the two figures of Pham & Pagh (KDD 2013) again, with the
// maps of package sketch, from the data sets in ../shared/data or the folder named
// by TENSORSKETCH_DATA:
//
//	figures error [DOCS]   Figure 1: DOCS/figure-error.svg (default: docs)
//	figures time [DOCS]    Figure 2: DOCS/figure-time.svg
//
// Each also writes its figures as words and tables into DOCS/figures.md, between
// the marks of its name.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	makers := map[string]func() (picture, text string, err error){"error": errorFigure, "time": timeFigure}
	args := append(os.Args[1:], "")
	make, ok := makers[args[0]]
	if !ok || len(args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: figures error|time [DOCS]")
		os.Exit(2)
	}
	docs := args[1]
	if docs == "" {
		docs = "docs"
	}
	picture, text, err := make()
	if err == nil {
		err = os.WriteFile(filepath.Join(docs, "figure-"+args[0]+".svg"), []byte(picture), 0o644)
	}
	if err == nil {
		err = replaceSection(filepath.Join(docs, "figures.md"), args[0], text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
	fmt.Print(text)
}

// replaceSection replaces what a file has between the marks of a name.
func replaceSection(file, name, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+name+":begin -->\n", "<!-- "+name+":end -->"
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no marks %q and %q", file, begin, end)
	}
	return os.WriteFile(file, []byte(before+begin+text+end+after), 0o644)
}
