package dataset

import (
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// TestSpellings: categories and labels that differ only by case or spaces are counted, and not made one; texts of a
// kept column, booleans and columns of a model are not noted, nor are different words such as hid and hId.
func TestSpellings(t *testing.T) {
	note := func(column, such, values, cells string) string {
		return `column "` + column + `" has texts that differ only by the case of letters or by spaces, such as ` + such +
			`: ` + values + ` several spellings in ` + cells + `, which count as different; ` +
			`write them alike where they mean the same`
	}
	for name, c := range map[string]struct{ text, want string }{
		"category": {"colour,x,class\n" + strings.Repeat("Red,1,u\nred ,2,v\nRED,3,u\nblue,4,v\n"+
			"light blue,1,v\nlight  blue,2,u\n", 5), note("colour", `"Red", "red" and "RED"`, "2 of its values have",
			"25 cells of the first 30 texts")},
		"label": {"x,class\n" + strings.Repeat("1,yes\n2,no\n3,Yes\n", 5), note("class", `"yes" and "Yes"`,
			"1 of its values has", "10 cells of the first 15 texts")},
		"alike":    {"colour,x,class\n" + strings.Repeat("red,1,u\nred ,2,v\nblue,3,u\n", 5), ""},
		"booleans": {"on,x,class\n" + strings.Repeat("true,1,u\nTrue,2,v\nmaybe,3,u\n", 5), ""},
		"yes and no": {"on,x,class\n" + strings.Repeat("yes,1,u\nNo,2,v\nno,1,v\ntrue,3,u\n0,4,u\n,1,u\n", 5),
			`column "on" has yes and no in 4 spellings, such as "yes", "No" and "true", which count as different; ` +
				`write them in two`},
		"words": {"x,class\n" + strings.Repeat("1,hid\n2,hId\n3,had\n4,hAd\n", 12), ""},
		"capitals of two writers": {"x,class\n" + strings.Repeat("1,hid\n2,HID\n3,had\n", 12),
			note("class", `"hid" and "HID"`, "1 of its values has", "24 cells of the first 36 texts")},
		"one cell in thirteen": {"x,class\n" + strings.Repeat(strings.Repeat("1,hid\n", 12)+"2,hId\n3,had\n", 12),
			note("class", `"hid" and "hId"`, "1 of its values has", "156 cells of the first 168 texts")},
		"words and a slip": {"x,class\n" + strings.Repeat("1,hid\n2,hId\n3,had\n", 12) + "4,Had\n",
			note("class", `"had" and "Had"`, "1 of its values has", "13 cells of the first 37 texts")},
		"letters": {"on,x,class\n" + strings.Repeat("y,1,u\nn,2,v\nt,3,u\n", 5), ""},
		"texts":   {"name,x,class\nAnn,1,u\nann,2,v\nBob,1,u\nCy,2,v\n", ""},
	} {
		l := mustSniff(t, "f.csv", c.text)
		p, got := NewLearnPreprocessing(l), ""
		for _, n := range Notes(l, p, nil, nil) {
			if n.Code == columns.NoteSpellings {
				got += n.String()
			}
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
