package dataset

import (
	"slices"

	"tensorsketch.example/dataset/plan"
)

// isArchive reports whether a file is read through the directory of a ZIP archive.
func isArchive(f File, r plan.Reading) bool {
	asked := r.Compression == "" && r.Format != XLSX.String() || r.Compression == Zip.String()
	return asked && isZip(f)
}

// isWorkbook reports whether these are the files of a workbook.
func isWorkbook(entries []zipEntry) bool {
	return slices.ContainsFunc(entries, func(e zipEntry) bool { return e.name == "xl/workbook.xml" })
}

// sniffWorkbook is SniffFile for a workbook. A workbook is a ZIP archive, but it does not count as compressed.
func sniffWorkbook(name string, f File, r plan.Reading) (*Layout, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	l := newLayout(name, XLSX, r)
	if err := l.sniffColumnar(f); err != nil {
		return nil, err
	}
	return l, nil
}
