package embed

import (
	"fmt"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
)

// TestHeadlines: with every method and D the headline names the number of features and the sentence below it the
// kernel; a result made with other settings is marked as stale, and one of the same settings has the features that both
// say.
func TestHeadlines(t *testing.T) {
	walked := 0
	for _, method := range offered {
		for _, D := range []int{2, 64, 1024} {
			s := DefaultSettings()
			before := s
			s.Method, s.NComponents = method.Name, D
			if err := s.Settle(&before); err != nil {
				t.Fatal(err)
			}
			room := &Room{Settings: &s, Result: &Result{Embed: s, NFeatures: 8, Rows: 5,
				Report: NewReport(nil, sketch.Exact)}}
			room.Result.Layout = room.Data.Layout
			v := room.OpeningView()
			walked++
			if !strings.Contains(v.Title, format.Count(s.NComponents)) || !strings.Contains(v.Lede, s.KernelFormula()) {
				t.Errorf("%s, D = %d: %q, %q", method.Name, s.NComponents, v.Title, v.Lede)
			}
			size := room.Cards()[3].Value
			if want := "5 × " + format.Count(s.NComponents); room.IsStale() || size != want {
				t.Errorf("%s, D = %d: stale: %v, features %q, want %q", method.Name, s.NComponents, room.IsStale(), size, want)
			}
			next := s
			next.NComponents *= 2
			if room.Settings = &next; !room.IsStale() {
				t.Errorf("%s: %q is not stale beside %q", method.Name, size, room.OpeningView().Title)
			}
		}
	}
	t.Log(fmt.Sprint(walked, " headlines"))
}
