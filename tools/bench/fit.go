//go:build !js

package main

import (
	"fmt"
	"os"
)

// A fitTime is what bench/fitrows.js measures of ts.fit with its search.
type fitTime struct {
	First    float64 `json:"first"` // seconds until the first answer
	All      float64 `json:"all"`   // and until the model
	Chosen   string  `json:"chosen"`
	Accuracy float64 `json:"accuracy"`
}

// benchFits prints how long ts.fit takes in Chromium for 10,000 rows of 20 mixed columns, in one thread and with two
// workers: three fits in one instance each, with the load of the machine.
func benchFits(quick bool) error {
	b, err := startBrowser(".", &run{Versions: map[string]string{}})
	if err != nil {
		return err
	}
	defer b.close()
	rows := 10_000
	if quick {
		rows = 1000
	}
	for _, threads := range []int{0, 2} {
		var fits []fitTime
		if err := b.read(fmt.Sprintf("index.html#simd,fit,%d,%d", threads, rows), &fits); err != nil {
			return err
		}
		load, _ := os.ReadFile("/proc/loadavg")
		for _, f := range fits {
			fmt.Printf("Chromium, %d threads, %d rows: first %.2f s, all %.2f s; %s, %.3f right of rows held out; load %.5s\n",
				threads, rows, f.First, f.All, f.Chosen, f.Accuracy, load)
		}
	}
	return nil
}
