package dataset_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"
)

const flowers = `width,length,colour,species
1.5,4,red,a
2.5,5,blue,b
3.5,6,red,a
,7,red,b
`

// A table is read twice: to learn what the preprocessing has to, then to make vectors
// for a feature map.
func Example() {
	layout, err := dataset.Sniff("flowers.csv", []byte(flowers), true, columns.Reading{})
	if err != nil {
		panic(err)
	}
	layout = layout.With(2, columns.AsCategory)
	p := dataset.NewPreprocessing(layout)
	p.SetScaling(columns.MinMax)
	source, err := layout.Open(strings.NewReader(flowers))
	if err != nil {
		panic(err)
	}
	counts, err := p.Fit(source)
	if err != nil {
		panic(err)
	}
	fmt.Println(counts.Rows, "rows of", p.NFeatures(), "coordinates")

	source, err = layout.Open(strings.NewReader(flowers))
	if err != nil {
		panic(err)
	}
	rows, err := dataset.NewReader(source, p)
	if err != nil {
		panic(err)
	}
	m, err := sketch.New(sketch.Params{NFeatures: p.NFeatures(), NComponents: 8, Degree: 2, Gamma: 1})
	if err != nil {
		panic(err)
	}
	var batch dataset.Batch
	for err = rows.Next(&batch); err == nil; err = rows.Next(&batch) {
		features, err := m.TransformBatch(nil, batch.Dense)
		if err != nil {
			panic(err)
		}
		for i := range batch.Rows() {
			fmt.Printf("line %d: %s %v → %d features\n", batch.Places[i], batch.Cell(i, 0),
				batch.Dense[i*p.NFeatures():(i+1)*p.NFeatures()], len(features)/batch.Rows())
		}
	}
	if err != io.EOF {
		panic(err)
	}
	for _, problem := range rows.Unused().First {
		fmt.Println(problem)
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text[:72]))
	// Output:
	// 3 rows of 4 coordinates
	// line 2: a [0 0 0 1] → 8 features
	// line 3: b [0.5 0.5 1 0] → 8 features
	// line 4: a [1 1 0 1] → 8 features
	// flowers.csv, line 5, column "width": the cell is missing; fill it, or set missing to mean or zero.
	// {"format":"tensorsketch-preprocessing","version":2,"unitNorm":false,"rea
}

// A model file that the page saved, or MarshalWith wrote, is all that new rows need:
// their columns are found by name, and the features have the same bits everywhere.
func ExampleFromModel() {
	file, err := os.ReadFile("testdata/model.json")
	if err != nil {
		panic(err)
	}
	m, err := model.Unmarshal(file)
	if err != nil {
		panic(err)
	}
	p, err := dataset.FromModel(file)
	if err != nil {
		panic(err)
	}
	const rows = "day,colour,weight,size,note\n2026-06-01,blue,11,0.3,a round one\n"
	layout, err := p.SniffFile("new.csv", strings.NewReader(rows), columns.Reading{})
	if err != nil {
		panic(err)
	}
	source, err := layout.Open(strings.NewReader(rows))
	if err != nil {
		panic(err)
	}
	reader, err := dataset.NewReader(source, p)
	if err != nil {
		panic(err)
	}
	var batch dataset.Batch
	if err := reader.Next(&batch); err != nil {
		panic(err)
	}
	features, err := m.TransformRows(nil, batch.Sparse)
	if err != nil {
		panic(err)
	}
	fmt.Println(batch.Rows(), "row of", p.NFeatures(), "coordinates →", len(features),
		"features, the first of them", features[0])
	// Output:
	// 1 row of 74 coordinates → 32 features, the first of them 0.24974275
}

// Rows of features as CSV, with their label.
func ExampleEncoder() {
	e, err := dataset.NewEncoder(dataset.CSV, []string{"species"}, 2)
	if err != nil {
		panic(err)
	}
	file := e.AppendHeader(nil)
	if file, err = e.AppendRow(file, [][]byte{[]byte("a, b")}, []float32{0.5, -1}); err != nil {
		panic(err)
	}
	file = e.AppendFooter(e.AppendBlock(file))
	fmt.Print(string(file))
	// Output:
	// species,f0,f1
	// "a, b",0.5,-1
}
