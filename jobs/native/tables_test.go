package native_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/test/need"
)

// The model of a real table has the bytes of the model of its parts: the first pass alone, sums of each half that are
// added like it, as Beam does, and a fit from these.
func TestTablesInParts(t *testing.T) {
	data := os.Getenv("TENSORSKETCH_DATA")
	if data == "" {
		data = "../../../shared/data"
	}
	paths := need.Value(filepath.Glob(filepath.Join(data, "tables", "*.csv.gz")))(t)
	if len(paths) == 0 {
		t.Skip(filepath.Join(data, "tables"), " is not there")
	}
	fit := func(q jobs.FitRequest, parts ...[]byte) (*jobs.FitReply, error) {
		for _, part := range parts {
			q.Files = append(q.Files, jobs.NewFile("rows.csv", bytes.NewReader(part)))
		}
		return jobs.Fit(nil, native.Mapper{}, &q)
	}
	sums := func(q jobs.FitRequest, parts ...[]byte) jobs.Named {
		q.WithoutFit = true
		return jobs.Named{Name: "sums", Content: need.Value(need.Value(fit(q, parts...))(t).Learner.File())(t)}
	}
	compared := 0
	for _, path := range paths {
		file := need.Value(os.Open(path))(t)
		text := need.Value(io.ReadAll(need.Value(gzip.NewReader(file))(t)))(t)
		file.Close()
		q := jobs.FitRequest{Map: jobs.MapParams{NComponents: 32}}
		whole, err := fit(q, text)
		if err != nil { // no column is the label, or one has no cells
			continue
		}
		first := q
		first.WithoutRows = true
		like := jobs.FitRequest{Like: new(sums(first, text))}
		head := bytes.IndexByte(text, '\n') + 1
		middle := len(text)/2 + bytes.IndexByte(text[len(text)/2:], '\n') + 1
		second := append(bytes.Clone(text[:head]), text[middle:]...)
		parts := jobs.FitRequest{From: []jobs.Named{sums(like, text[:middle]), sums(like, second)}}
		got, want := need.Value(need.Value(fit(parts))(t).Model.File())(t), need.Value(whole.Model.File())(t)
		if compared++; !bytes.Equal(got, want) {
			t.Errorf("%s: the model of the parts is another", filepath.Base(path))
		}
	}
	if compared < 20 {
		t.Errorf("%d of %d tables were compared", compared, len(paths))
	}
}
