package embed

import "testing"

func TestRequests(t *testing.T) {
	for _, c := range []struct {
		requests Requests
		want     string
	}{
		{Requests{}, ""},
		{Requests{File: "rows.csv"}, "0 requests left this device since rows.csv was opened."},
		{Requests{"rows.csv", "https://here.example/a/", []Sent{{"https://here.example/a/worker.js", 1}}},
			"Since rows.csv was opened, this page requested only its own files, 1 of them."},
		{Requests{"rows.csv", "x/", []Sent{{"x/dataset-columnar.wasm", 1}, {"x/worker.js", 1}}},
			"Since rows.csv was opened, this page requested only its own files, 2 of them."},
		{Requests{"rows.csv", "https://here.example/a/", []Sent{{"https://else.example/a/worker.js", 1}}},
			"1 request left this device since rows.csv was opened: worker.js."},
		{Requests{"rows.csv", "https://here.example/",
			[]Sent{{"https://here.example/a/", 2}, {"https://here.example/b?c=d", 1}}},
			"3 requests left this device since rows.csv was opened: a/, b?c=d."},
		{Requests{"rows.csv", "x/", []Sent{{"x/a", 1}, {"x/b", 1}, {"x/c", 1}, {"x/d", 1}, {"x/e", 2000}}},
			"Since rows.csv was opened, this page requested only its own files, 5 of them."},
	} {
		if got := plain(c.requests.Text()); got != c.want {
			t.Errorf("%+v: %q, want %q", c.requests, got, c.want)
		}
	}
}
