package columns

import (
	"slices"
	"strings"
)

// A Format is a kind of file.
type Format struct {
	Name     string // in the API, in model files, and as the extension of written files
	Label    string // its name in sentences
	settings string // keys of a Reading that it has besides format and compression
	Lines    bool   // a row is a line of text
	Columnar bool   // package columnar reads it, and needs access to any place of the file
	Written  bool   // features can be saved in it
	Cells    bool   // saved files have columns for labels, kept cells and row numbers
	Raw      bool   // saved files have a header, then the features as float32 and nothing else
	misfit   string // why no private release can be made from it; empty if one can
}

// Formats are all formats of files, in the order of dataset.Format.
var Formats = [...]Format{
	{Name: "csv", Label: "CSV", settings: "encoding delimiter quote decimal thousands header dates skip comment rownames",
		Lines: true, Written: true, Cells: true},
	{Name: "jsonl", Label: "JSON Lines", settings: "encoding keys lists", Lines: true, Written: true, Cells: true},
	{Name: "libsvm", Label: "LIBSVM", settings: "encoding base skip comment", Lines: true, Written: true},
	{Name: "npy", Label: ".npy", Written: true, Raw: true},
	{Name: "idx", Label: "IDX"},
	{Name: "text", Label: "plain text", settings: "encoding", Lines: true},
	{Name: "parquet", Label: "Parquet", settings: "keys", Columnar: true, Written: true, Cells: true},
	{Name: "arrow", Label: "Arrow", settings: "keys", Columnar: true, Written: true, Cells: true},
	{Name: "json", Label: "JSON", settings: "encoding keys lists",
		misfit: "a row of a JSON array can end in the middle of a line, and one row then changes others: " +
			"save it as JSON Lines"},
	{Name: "xlsx", Label: "Excel workbook", settings: "header skip sheet", Columnar: true,
		misfit: "the rows of a workbook share a list of texts, and one row then changes others: " +
			"save its sheet as CSV UTF-8"},
}

// FormatOf returns the format of a name, or nil if the name is unknown.
func FormatOf(name string) *Format {
	for i := range Formats {
		if Formats[i].Name == name {
			return &Formats[i]
		}
	}
	return nil
}

// FormatNames returns the names of all formats, or only of the formats that can be written.
func FormatNames(written bool) []string {
	var names []string
	for i := range Formats {
		if f := &Formats[i]; f.Written || !written {
			names = append(names, f.Name)
		}
	}
	return names
}

// CellCount returns how many of the cells of a row saved files have: all, the label alone, or none.
func (f *Format) CellCount(cells int) int {
	switch {
	case f.Raw:
		return 0
	case !f.Cells:
		return min(1, cells)
	}
	return cells
}

// Predicts reports whether saved files have a place for predictions.
func (f *Format) Predicts() bool { return f.Written && (f.Cells || f.Raw) }

// has reports whether a key of a Reading applies to the format.
func (f *Format) has(key string) bool {
	return key == "format" || key == "compression" || slices.Contains(strings.Fields(f.settings), key)
}

// Stem returns the name of a file without the extensions of format and compression.
func Stem(name string) string { return WithoutExtension(WithoutCompression(name)) }

// WithoutCompression returns the name of a file without the extension of its compression.
func WithoutCompression(name string) string {
	stem := WithoutExtension(name)
	switch strings.ToLower(name[len(stem):]) {
	case ".gz", ".zst", ".zstd", ".zip":
		return stem
	}
	return name
}

// WithoutExtension returns the name of a file up to its last dot, unless that dot is its first character.
func WithoutExtension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}
