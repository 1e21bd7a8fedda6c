//go:build !js

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An ablation is a fit without a part of what a fit does: with other flags, or by a command line in whose source one
// text is another.
type ablation struct {
	what, flags   string
	file, was, is string
}

const (
	unweighted = "--search gaussian,gaussian-wide,laplacian,gaussian-ranks,polynomial-2,polynomial-3,linear," +
		"linear-uncut,linear-unit,codes-gaussian-wide,codes-laplacian,codes-linear"
	uncoded = "--search gaussian,gaussian-wide,laplacian,gaussian-ranks,polynomial-2,polynomial-3,linear," +
		"linear-uncut,linear-unit,gaussian-weights,laplacian-weights"
)

var ablations = []ablation{
	{what: "all of it"},
	{what: "without column weights", flags: unweighted},
	{what: "without codes", flags: uncoded},
	{what: "the least error wins, by whatever lead", file: "sketch/learn/searchchoose.go",
		was: "	chosen = s.steadier(chosen)\n", is: ""},
	{what: "one kernel, Gaussian, with column weights", flags: "--search gaussian,gaussian-weights"},
	{what: "one Gaussian alone", flags: "--search gaussian"},
	{what: "the linear candidate alone", flags: "--search linear"},
	{what: "the first seed, whatever its luck", flags: "--seed 0"},
	{what: "a grid of 12 bits", file: "internal/solve/moments_shape.go", was: "const Limit16 = 1<<15 - 1",
		is: "const Limit16 = 1<<11 - 1"},
	{what: "probabilities from sums, without kept rows", file: "internal/solve/kept.go",
		was: "{ return min(1, KeptRows/rows) }", is: "{ return min(0, KeptRows/rows) }"},
	{what: "no search: degree 3 on rows of length 1", flags: "--search off"},
}

// source returns the file that the ablation compiles instead of its own.
func (a *ablation) source() ([]byte, error) {
	text, err := os.ReadFile(a.file)
	if err != nil {
		return nil, err
	}
	if n := strings.Count(string(text), a.was); n != 1 {
		return nil, fmt.Errorf("%s has %q %d times, not once: say anew what is left out", a.file, a.was, n)
	}
	return []byte(strings.Replace(string(text), a.was, a.is, 1)), nil
}

// without returns a bench of the command line with an ablation.
func (b *breadth) without(a *ablation) (*breadth, error) {
	other := *b
	other.variant = a.flags
	if a.file == "" {
		return &other, nil
	}
	text, err := a.source()
	if err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(a.file)
	if err != nil {
		return nil, err
	}
	changed, overlay := filepath.Join(b.folder, "ablated.go"), filepath.Join(b.folder, "ablated.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {whole: changed}})
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(os.WriteFile(changed, text, 0o644), os.WriteFile(overlay, list, 0o644)); err != nil {
		return nil, err
	}
	other.shell = filepath.Join(b.folder, "tensorsketch-ablated")
	return &other, other.compile("-overlay", overlay)
}

// ablate measures the tables with each ablation, and returns a table.
func (b *breadth) ablate(names []string) (string, error) {
	var text strings.Builder
	var all []float64
	for i := range ablations {
		a := &ablations[i]
		other, err := b.without(a)
		if err != nil {
			return "", err
		}
		sets, err := other.run(names)
		if err != nil {
			return "", fmt.Errorf("%s: %w", cmp.Or(a.flags, a.what), err)
		}
		if i == 0 {
			text.WriteString(ablationHead(sets))
			all = behindOf(sets)
		}
		text.WriteString(a.line(sets, all))
	}
	return text.String() + "\n", nil
}

// ablationHead returns the head of the table.
func ablationHead(sets []tableSet) string {
	return fmt.Sprintf("%d tables, %s.\n\n| | points behind, mean | lost beside all of it | choosing half | "+
		"checking half | worst | log loss | seconds |\n|---|---|---|---|---|---|---|---|\n", len(behindOf(sets)),
		splitsText(sets))
}

// behindOf returns by how many points fit is behind on each table.
func behindOf(sets []tableSet) []float64 {
	return over(sets, func(s *tableSet) float64 { return s.behind("", peerNames...) })
}

// line returns the line of an ablation. The standard error belongs to the mean over the tables.
func (a *ablation) line(sets []tableSet, whole []float64) string {
	all, lost := behindOf(sets), ""
	m, _ := meanOf(all)
	if a.what != ablations[0].what {
		more := slices.Clone(all)
		for i := range more {
			more[i] -= whole[i]
		}
		x, e := meanOf(more)
		lost = fmt.Sprintf("%s ± %.2f", signed(x), e)
	}
	chosen, _ := meanOf(behindOf(inHalf(sets, choosing)))
	checked, _ := meanOf(behindOf(inHalf(sets, checking)))
	loss, _ := meanOf(over(sets, func(s *tableSet) float64 { return s.of("", logLoss).mean }))
	time, _ := meanOf(over(sets, func(s *tableSet) float64 { return s.of("", seconds).mean }))
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %.3f | %.1f |\n", a.what, signed(m), lost, signed(chosen),
		signed(checked), signed(slices.Max(all)), loss, time)
}
