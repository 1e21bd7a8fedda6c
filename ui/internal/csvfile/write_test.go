package csvfile

import (
	"encoding/csv"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// TestWrite: encoding/csv reads back what is written.
func TestWrite(t *testing.T) {
	rows := []Row{
		{Label: "plain", Kept: []string{"a,b", `say "so"`}, Features: []float32{1, -0.25}},
		{Label: "", Kept: []string{"two\nlines", " spaces "}, Features: []float32{1e-30, 16777216}},
	}
	text := AppendHeader(nil, []string{"la,bel", "k0", "k1"}, 2)
	want := [][]string{{"la,bel", "k0", "k1", "f0", "f1"}}
	for i := range rows {
		text = AppendRow(text, AppendCells(nil, true, &rows[i]), rows[i].Features)
		line := append([]string{rows[i].Label}, rows[i].Kept...)
		for _, x := range rows[i].Features {
			line = append(line, strconv.FormatFloat(float64(x), 'g', -1, 32))
		}
		want = append(want, line)
	}
	got, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if got, want := string(AppendRow(nil, AppendCells(nil, false, &Row{Label: "x"}), []float32{0.5, 2})), "0.5,2\n"; got != want {
		t.Errorf("no cells: got %q, want %q", got, want)
	}
}

func TestPack(t *testing.T) {
	packed := PackCells(PackCells(nil, []byte("a,")), nil)
	for _, want := range []string{"a,", ""} {
		cells, rest, err := UnpackCells(packed)
		if err != nil || string(cells) != want {
			t.Fatalf("got %q, %v; want %q", cells, err, want)
		}
		packed = rest
	}
	for _, cut := range []string{"", "\x01\x00\x00", "\x01\x00\x00\x00"} {
		if _, _, err := UnpackCells([]byte(cut)); err == nil {
			t.Errorf("%q: no error", cut)
		}
	}
}

func TestOutputNames(t *testing.T) {
	l, err := Sniff("my.data.csv", []byte("name,a,label\nu,1,2\nv,3,4\n"), true, GuessHeader)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.OutputNames(); !reflect.DeepEqual(got, []string{"label", "name"}) || l.Stem() != "my.data" {
		t.Errorf("got %q, %q", got, l.Stem())
	}
	if got := (&Layout{Name: ".csv"}).Stem(); got != ".csv" {
		t.Errorf("got %q", got)
	}
}
