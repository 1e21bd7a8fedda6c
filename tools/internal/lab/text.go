package lab

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
)

// Exponent returns b of the least-squares fit y = a·x^b.
func Exponent(xs, ys []float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for i := range xs {
		x, y := math.Log(xs[i]), math.Log(ys[i])
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// Grouped writes a number as it is, and an integer from 1,000 on with commas.
func Grouped(x float64) string {
	if !(1000 <= x && x < 1e15) {
		return fmt.Sprintf("%g", x)
	}
	return fmt.Sprintf("%s,%03.0f", Grouped(math.Floor(x/1000)), math.Mod(x, 1000))
}

// Digits writes three digits of a number.
func Digits(x float64) string {
	return fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(x)))), x)
}

// Machine names the processor, its cores and the system.
func Machine() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores, %s", name, runtime.NumCPU(), runtime.GOOS)
}

// ReplaceSection puts text between the marks NAME:begin and NAME:end of a file.
func ReplaceSection(file, name, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+name+":begin -->\n", "<!-- "+name+":end -->"
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no marks %q and %q", file, begin, end)
	}
	return os.WriteFile(file, []byte(before+begin+text+end+after), 0o644)
}
