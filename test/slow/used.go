//go:build !unix

package slow

import "time"

var started = time.Now()

// Used returns the time since the process began, where its processor time is not known.
func Used() time.Duration { return time.Since(started) }
