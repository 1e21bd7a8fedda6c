package main

import (
	"regexp"
	"testing"

	"tensorsketch.example/ui/internal/embed"
)

// TestKeptWords: what is kept is said with its size, and beside it stands what forgets it.
func TestKeptWords(t *testing.T) {
	app := NewApp("#/learn?half=file")
	app.Data = embed.Data{Layout: sampleLayout, Bytes: 4_100_000}
	for _, test := range []struct {
		kept Kept
		want string
	}{
		{Kept{}, ` Keep on this machine 4.1\x{a0}MB`},
		{Kept{Busy: true}, `Keeping sample-digits.csv.`},
		{Kept{Name: "a.csv", Bytes: 4_100_000, IsOpen: true, HasRows: true},
			`Kept in this browser with its settings, 4.1\x{a0}MB: a reload comes back to it. Forget it`},
		{Kept{Name: "a.csv", Bytes: 2_100_000_000, IsOpen: true},
			`Its settings .* too large to be copied, 2.1\x{a0}GB: after a reload, choose it again. Forget them`},
		{Kept{Name: "<a>.csv", Bytes: 10, HasRows: true},
			`&lt;a&gt;.csv, .*, is kept in this browser. Forget it Open it Keep on this machine .*`},
		{Kept{Problem: "Not kept: this browser has no room for a.csv."}, ` Keep .* Not kept: .*`},
	} {
		app.Kept = test.kept
		got := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(app.keptHTML(), "")
		if !regexp.MustCompile("^" + test.want + "$").MatchString(got) {
			t.Errorf("%+v: %q, want %q", test.kept, got, test.want)
		}
	}
}
