package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// progress is the bar on standard error, if that is a terminal.
var progress = &bar{on: isTerminal(os.Stderr)}

// A bar says how far the work is, a few times a second.
type bar struct {
	sync.Mutex
	on       bool
	does     string
	at, size int64
	from     time.Time
	last     time.Time
	isShown  bool
}

const tick = 200 * time.Millisecond

// isTerminal reports whether a file is a terminal, as far as the standard library can tell.
func isTerminal(file *os.File) bool {
	about, err := file.Stat()
	return err == nil && about.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// begin starts a new piece of work. Without a size, the bar only counts.
func (b *bar) begin(does string, size int64) {
	b.clear()
	b.Lock()
	defer b.Unlock()
	now := time.Now()
	b.does, b.at, b.size, b.from, b.last = does, 0, size, now, now
}

// show shows how far the work is: at of its size, and a count in words.
func (b *bar) show(at int64, words string) {
	b.Lock()
	defer b.Unlock()
	if !b.on || time.Since(b.last) < tick {
		return
	}
	b.last, b.isShown = time.Now(), true
	line := b.does + " " + words
	if b.size > 0 {
		const width = 30
		share := min(1, float64(at)/float64(b.size))
		full := int(share * width)
		line = fmt.Sprintf("%s [%s%s] %3.0f %% %s", b.does, strings.Repeat("█", full), strings.Repeat("░", width-full),
			100*share, words)
		if took := time.Since(b.from); share > 0.01 && took > 2*time.Second {
			line += ", " + (time.Duration(float64(took) * (1/share - 1))).Round(time.Second).String() + " left"
		}
	}
	fmt.Fprint(os.Stderr, "\r\x1b[K"+line)
}

// clear takes the bar away, before other lines.
func (b *bar) clear() {
	b.Lock()
	defer b.Unlock()
	if b.isShown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		b.isShown = false
	}
}

// grouped returns a number with commas between groups of three digits.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// count returns a number of things: "1 row" or "2 rows".
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return grouped(n) + " " + noun
}
