package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// reaping is the first argument that makes this program run the others, as reap does.
const reaping = "-reap"

// reaped puts this program before a command, so that the time of processors of all its descendants is counted. A
// process whose parent was killed, as each of Chromium's, would else be waited for by nobody whose time is read.
func reaped(command ...string) []string {
	self, err := os.Executable()
	if err != nil {
		return command
	}
	return append([]string{self, reaping}, command...)
}

// reap runs a command, waits for it and for what it has left behind, and returns the status of the command: 128 more
// than the signal that ended it. What has not ended 2 s after the command runs on, and its time is not counted.
func reap(command []string) (status int) {
	const subreaper = 36 // PR_SET_CHILD_SUBREAPER: descendants without a parent become children of this process
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, subreaper, 1, 0); errno != 0 {
		fmt.Fprintln(os.Stderr, "check: children of processes that were killed are not counted:", errno)
	}
	process, err := os.StartProcess(command[0], command, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		return 127
	}
	var ended time.Time // of the command
	for {
		var state syscall.WaitStatus
		flags := 0
		if !ended.IsZero() {
			flags = syscall.WNOHANG
		}
		switch pid, err := syscall.Wait4(-1, &state, flags, nil); {
		case errors.Is(err, syscall.EINTR):
		case err != nil: // ECHILD: all have ended
			return status
		case pid == process.Pid:
			ended = time.Now()
			if status = state.ExitStatus(); state.Signaled() {
				status = 128 + int(state.Signal())
			}
		case pid == 0 && time.Since(ended) > 2*time.Second:
			return status
		case pid == 0:
			time.Sleep(10 * time.Millisecond)
		}
	}
}
