package jobs

import (
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// TestOneRow: of a single row with a label, whatever it is, another label column is no way out.
func TestOneRow(t *testing.T) {
	const want = "There is only one row with a label: too few to learn from some and try the others."
	l := need.Value(dataset.Sniff("one.csv", []byte("a,label\n1,5\n"), true, columns.Reading{}))(t)
	s := labels.NewStats(l, &l.Columns[1])
	s.See([]byte("5"))
	for _, task := range []string{learn.TaskClassify, learn.TaskRegress} {
		if err := checkLabels(s, task); err == nil || err.Error() != want {
			t.Errorf("%s: %v", task, err)
		}
	}
}
