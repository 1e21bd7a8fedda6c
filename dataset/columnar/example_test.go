package columnar_test

import (
	"bytes"
	"fmt"
	"os"

	"tensorsketch.example/dataset"
	_ "tensorsketch.example/dataset/columnar" // reads Parquet and Arrow
	"tensorsketch.example/dataset/columns"
)

// With the import above, package dataset reads Parquet like any other table.
func Example() {
	content, err := os.ReadFile("testdata/plain.parquet")
	if err != nil {
		panic(err)
	}
	layout, err := dataset.SniffFile("plain.parquet", bytes.NewReader(content), columns.Reading{})
	if err != nil {
		panic(err)
	}
	fmt.Println(layout.Format, layout.Total, "rows of", len(layout.Columns), "columns, the first of them",
		layout.Columns[0].Name)
	// Output:
	// parquet 20 rows of 27 columns, the first of them i8
}
