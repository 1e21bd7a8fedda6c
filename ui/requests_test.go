package main

import "testing"

func TestRequests(t *testing.T) {
	for _, c := range []struct {
		requests Requests
		want     string
	}{
		{Requests{}, ""},
		{Requests{File: "rows.csv"}, "0 requests left this device since rows.csv was opened."},
		{Requests{"rows.csv", []Sent{{"https://here.example/a/worker.js", 1}}},
			"1 request left this device since rows.csv was opened: worker.js."},
		{Requests{"rows.csv", []Sent{{"https://here.example/a/", 2}, {"https://here.example/b?c=d", 1}}},
			"3 requests left this device since rows.csv was opened: a/, b?c=d."},
		{Requests{"rows.csv", []Sent{{"x/a", 1}, {"x/b", 1}, {"x/c", 1}, {"x/d", 1}, {"x/e", 2000}}},
			"2,004 requests left this device since rows.csv was opened: a, b, c and 2 more."},
	} {
		if got := plain(c.requests.Text()); got != c.want {
			t.Errorf("%+v: %q, want %q", c.requests, got, c.want)
		}
	}
}

// A frame and a page without its data offer neither a file nor going offline.
func TestGoOfflineIsOffered(t *testing.T) {
	for hash, want := range map[string]bool{"#/embed": true, "#/embed?embed=1": false, "#/embed?hide=data": false,
		"#/embed?hide=save": true} {
		if got := NewApp(hash).OpeningView().CanGoOffline; got != want {
			t.Errorf("%s: %v, want %v", hash, got, want)
		}
	}
}
