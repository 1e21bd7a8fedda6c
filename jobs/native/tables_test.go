package native_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/need"
)

// The model of a real table has the bytes of the model of its parts: the first pass alone, sums of each half that are
// added like it, as Beam does, and a fit from these. Its report alone is another: what the search held out is in no
// sum. With -short, two tables are taken.
func TestTablesInParts(t *testing.T) {
	paths := cases.NeedTables(t)
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
	for i, path := range paths {
		if testing.Short() && i%15 != 4 {
			continue
		}
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
		got := withoutReport(t, need.Value(need.Value(fit(parts))(t).Model.File())(t))
		want := withoutReport(t, need.Value(whole.Model.File())(t))
		if compared++; !bytes.Equal(got, want) {
			t.Errorf("%s: the model of the parts is another", filepath.Base(path))
		}
	}
	if want := 20; compared < want && !testing.Short() || compared < want/15 {
		t.Errorf("%d of %d tables were compared", compared, len(paths))
	}
}

// withoutReport returns a model file without what it says of the fit.
func withoutReport(t *testing.T, file []byte) []byte {
	t.Helper()
	var parts map[string]json.RawMessage
	need.OK(t, json.Unmarshal(file, &parts))
	var head map[string]json.RawMessage
	need.OK(t, json.Unmarshal(parts["head"], &head))
	delete(head, "report")
	parts["head"] = need.Value(json.Marshal(head))(t)
	return need.Value(json.Marshal(parts))(t)
}
