package model

import (
	"os"
	"path/filepath"
	"testing"

	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// TestSpecAlone: the Spec of a learner's file, of either form, is that of the learner, and it is written without rows.
func TestSpecAlone(t *testing.T) {
	files := need.Value(filepath.Glob("testdata/learned/*learner*.json"))(t)
	if len(files) < 8 {
		t.Fatalf("%d files, want 8", len(files))
	}
	for _, file := range files {
		text := need.Value(os.ReadFile(file))(t)
		l := need.Value(UnmarshalLearner(text, nil))(t)
		want := need.Value(MarshalSpec(l))(t)
		binary := need.Value(MarshalLearnerBinary(l))(t)
		for form, text := range map[string][]byte{"JSON": text, "binary": binary, "Spec": want} {
			spec := need.Value(UnmarshalSpec(text))(t)
			empty := need.Value(learn.NewLearner(spec))(t)
			if got := need.Value(MarshalSpec(empty))(t); string(got) != string(want) {
				t.Errorf("%s, %s: the Spec is\n%s\nwant\n%s", file, form, got, want)
			}
			if err := empty.Merge(l); err != nil {
				t.Errorf("%s, %s: a learner of the Spec refuses the file's: %v", file, form, err)
			}
		}
	}
}
