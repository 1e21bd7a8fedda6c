//go:build !unix

package columnar

import "time"

var started = time.Now()

// cpuTime returns the time since the process began, where its processor time is not known.
func cpuTime() time.Duration { return time.Since(started) }
