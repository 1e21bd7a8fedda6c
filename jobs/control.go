package jobs

import (
	"cmp"
	"errors"
	"sync"
	"time"

	"tensorsketch.example/dataset/columns"
)

// ErrStopped is the error of a job that was stopped before it had anything to return.
var ErrStopped = errors.New("stopped")

// Progress says how far a job is.
type Progress struct {
	Phase  string  `json:"phase"`            // what the job does, as "learning" or "finding the longest row"
	Rows   int64   `json:"rows"`             // of this phase so far; 0 where it counts none
	Done   float64 `json:"done"`             // the share of this phase, 0 to 1; -1 where it is not known
	Paused bool    `json:"paused,omitempty"` // the job waits for Resume
}

// A Control stops and pauses a job, and hears of it. Its fields must be set before the job begins. Its methods may be
// called by any goroutine. A job takes a nil Control for one that nobody asks to stop.
type Control struct {
	Hear  func(Progress)       // at the begin of each phase, and then every Every
	Every time.Duration        // 0 stands for 150 ms
	Say   func([]columns.Note) // all notes so far, whenever there may be more
	Yield func()               // lets other events happen; asked for every 20 ms, and no later than Every
	mu    sync.Mutex
	of    *Control // after Stop: only Drop of this one counts
	gone  bool
	wake  chan struct{} // closed by Resume and Stop; nil unless paused
	ended bool
	news  Progress
	told  time.Time
	gave  time.Time
}

const (
	usualInterval = 150 * time.Millisecond
	yieldInterval = 20 * time.Millisecond
)

// Stop ends the job, also while it is paused.
func (c *Control) Stop() {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.Resume()
}

// Drop is Stop for a job whose results nobody wants any more: what it has so far is not worked on.
func (c *Control) Drop() {
	c.mu.Lock()
	c.gone = true
	c.mu.Unlock()
	c.Stop()
}

// afterStop returns a Control for the work on what a stopped job has. Only Drop ends it.
func (c *Control) afterStop() *Control {
	if c == nil {
		return nil
	}
	return &Control{Hear: c.Hear, Every: c.Every, Yield: c.Yield, of: c}
}

// Pause holds the job at its next step.
func (c *Control) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wake == nil && !c.ended {
		c.wake = make(chan struct{})
	}
}

// Resume lets a paused job go on.
func (c *Control) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wake != nil {
		close(c.wake)
		c.wake = nil
	}
}

// Stopped reports whether the job has been stopped.
func (c *Control) Stopped() bool {
	if c == nil {
		return false
	}
	if c.of != nil {
		return c.of.dropped()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

func (c *Control) dropped() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone
}

// Check lets other events happen if it is time, waits while the job is paused, and returns ErrStopped once it has been
// stopped. A Mapper calls it at least every 50 ms of work.
func (c *Control) Check() error {
	if c == nil {
		return nil
	}
	if c.Yield != nil && c.isDue(&c.gave, min(yieldInterval, c.every())) {
		c.Yield()
	}
	c.mu.Lock()
	wake, news := c.wake, c.news
	c.mu.Unlock()
	if wake != nil {
		news.Paused = true
		c.hear(news)
		<-wake
		news.Paused = false
		c.hear(news)
	}
	if c.Stopped() {
		return ErrStopped
	}
	return nil
}

// isDue reports whether so much time has passed since it last was, and then remembers the time.
func (c *Control) isDue(since *time.Time, interval time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Sub(*since) < interval {
		return false
	}
	*since = now
	return true
}

// Begin begins a phase.
func (c *Control) Begin(phase string) {
	if c == nil {
		return
	}
	c.tell(Progress{Phase: phase, Done: -1}, true)
}

// At tells how far the phase is, and is Check.
func (c *Control) At(rows int64, done float64) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	news := Progress{Phase: c.news.Phase, Rows: rows, Done: done}
	c.mu.Unlock()
	c.tell(news, false)
	return c.Check()
}

func (c *Control) tell(p Progress, atOnce bool) {
	c.mu.Lock()
	c.news = p
	c.mu.Unlock()
	if due := c.isDue(&c.told, c.every()); due || atOnce {
		c.hear(p)
	}
}

// every returns how often Hear is called.
func (c *Control) every() time.Duration { return cmp.Or(c.Every, usualInterval) }

func (c *Control) hear(p Progress) {
	if c.Hear != nil {
		c.Hear(p)
	}
}

// say tells the notes so far.
func (c *Control) say(notes []columns.Note) {
	if c != nil && c.Say != nil {
		c.Say(notes)
	}
}
