//go:build unix

package slow

import (
	"syscall"
	"time"
)

// Used returns the processor time that the process has used: other processes may keep the machine busy.
func Used() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
