package dataset

import (
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// TestBeside: a preprocessing knows what stands beside the numbers of a column, and says how many cells of a file have
// something else, or nothing.
func TestBeside(t *testing.T) {
	const learned = "mass,share,price,bare\n" + "3 kg,40%,$5,1\n4 kg,30%,-$6,2\n5 kg,20%,($7),3\n"
	p := NewPreprocessing(mustSniff(t, "f.csv", learned).WithLabel(-1))
	text := must(p.MarshalJSON())
	if !strings.Contains(string(text), `"measure":"%"`) || !strings.Contains(string(text), `"measure":"$"`) {
		t.Errorf("written as %s", text)
	}
	p = new(Preprocessing)
	if err := p.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	const unit = "; write the unit in all of them, and the same"
	const sign = "; write the sign in all of them, or 46% as 0.46"
	for name, c := range map[string]struct {
		text  string
		first []float32
		want  []string
	}{
		"alike": {"mass,share,price,bare\n6 kg,50%,-$7,1\n", []float32{6, 0.5, -7, 1}, nil},
		"bare": {"mass,share,price,bare\n6,0.5,7,1\n7,0.25,8,2\n", []float32{6, 0.5, 7, 1}, []string{
			`units-taken-off mass 2: 2 numbers of column "mass" have no "kg" beside them, and count as if they had` + unit,
			`units-taken-off share 2: 2 numbers of column "share" have no "%" beside them, and count as they are: ` +
				`46 is 4600%` + sign,
			`units-taken-off price 2: 2 numbers of column "price" have no "$" beside them, and count as if they had` + unit}},
		"others": {"mass,share,price,bare\n6 kg,5%,$1,4\n7 t,5%,$1,4\n8 kg,5%,€1,4\n9 kg,$5,$1,4\n", []float32{6, 0.05, 1, 4},
			[]string{`rows-left-out  1: 1 row is left out, line 3, column 1 ("mass"): "7 t" is not a number of "kg"; correct ` +
				`the cell, or use the column for something else than a number`,
				`rows-left-out  1: 1 row is left out, line 4, column 3 ("price"): "€1" is not a number of "$"; correct ` +
					`the cell, or use the column for something else than a number`,
				`rows-left-out  1: 1 row is left out, line 5, column 2 ("share"): "$5" is not a number of "%"; correct ` +
					`the cell, or use the column for something else than a number`}},
		"signs where there was none": {"mass,share,price,bare\n6 kg,5%,$1,7%\n6 kg,5%,$1,$7\n6 kg,5%,$1,$8\n",
			[]float32{6, 0.05, 1, 0.07}, []string{
				`units-taken-off bare 1: 1 number of column "bare" has "%" beside it, which others have not, and counts ` +
					`as a hundredth` + sign,
				`units-taken-off bare 2: 2 numbers of column "bare" have "$" beside them, which others have not, and ` +
					`count like them` + unit}},
		"JSON": {`{"mass":"6 kg","share":50,"price":"7","bare":1}` + "\n", []float32{6, 50, 7, 1}, []string{
			`units-taken-off share 1: 1 number of column "share" has no "%" beside it, and counts as it is: 46 is 4600%` +
				sign,
			`units-taken-off price 1: 1 number of column "price" has no "$" beside it, and counts as if it had` + unit}},
	} {
		l := must(p.Apply(must(p.SniffFile("f", strings.NewReader(c.text), columns.Reading{}))))
		rows, r, err := vectors(t, l, c.text, p)
		if err != nil {
			t.Fatal(err)
		}
		got := sentences(RowNotes("f", p, r.Counts(), r.Unused()))
		if !slices.Equal(got, c.want) || !slices.Equal(rows[0], c.first) {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", name, rows[0], strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestSignsOfSome: signs beside some numbers of a column were taken off in silence.
func TestSignsOfSome(t *testing.T) {
	text := "price,x\n" + strings.Repeat("5,1\n6,2\n", 10) + "$7,1\n$8,2\n"
	got := sentences(notesOf(t, text, func(l *Layout, p *Preprocessing) *Layout {
		l = l.WithLabel(-1)
		*p = *NewPreprocessing(l)
		return l
	}))
	want := []string{`units-taken-off price 2: 2 numbers of column "price" have "$" beside them, which others have not, ` +
		`and count like them; write the unit in all of them, and the same`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
