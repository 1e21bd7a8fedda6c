//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"os"

	"tensorsketch.example/tools/internal/lab"
)

// breadthOptions are the flags of `bench -only tables`.
type breadthOptions struct {
	quick          bool
	splits, large  int // of each table, and of one of more than 2,000 rows
	names          []string
	folder, flags  string
	shell          string // measured in place of ./cmd/tensorsketch
	json           string // the file of all figures; by default tables.json in folder
	readme, report string // the files with marks
	check          bool   // a claim that does not hold is an error
	ablate         bool   // what each part of the search is worth, instead of the peers
	grid           bool   // what the grid costs beside float64, instead of the peers
}

// benchTables measures, prints, and writes the tables.
func benchTables(o breadthOptions) error {
	b, err := newBreadth(&o)
	if err != nil || b == nil {
		return err
	}
	if o.quick && len(o.names) == 0 {
		o.names = quickTables
	}
	if o.ablate {
		return o.printAblations(b)
	}
	if o.grid {
		text, err := b.gridCosts(o.names)
		fmt.Print(text)
		return err
	}
	sets, err := b.run(o.names)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(map[string]any{"flags": o.flags, "machine": lab.Machine(), "tables": sets}, "", " ")
	if err == nil {
		err = os.WriteFile(o.json, append(text, '\n'), 0o644)
	}
	if err != nil {
		return err
	}
	fmt.Print(breadthMarkdown(sets))
	broken := 0
	for _, c := range claims(sets) {
		fmt.Printf("%-5v %s\n", c.holds, c.what)
		if !c.holds {
			broken++
		}
	}
	if isWhole := len(o.names) == 0 && o.flags == ""; isWhole {
		for file, section := range map[string][2]string{o.report: {"breadth", breadthMarkdown(sets)},
			o.readme: {"breadth", breadthSentence(sets)}} {
			if file == "" {
				continue
			}
			if err := lab.ReplaceSection(file, section[0], section[1]); err != nil {
				return err
			}
		}
	}
	if o.check && broken > 0 {
		return fmt.Errorf("%d claims do not hold", broken)
	}
	return nil
}

// printAblations measures and prints the table of ablations.
func (o *breadthOptions) printAblations(b *breadth) error {
	text, err := b.ablate(o.names)
	if err != nil {
		return err
	}
	fmt.Print(text)
	return nil
}
