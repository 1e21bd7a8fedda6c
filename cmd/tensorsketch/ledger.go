package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"tensorsketch.example/dataset"
	"tensorsketch.example/jobs"
)

var ledgerVerb = verb{
	name: "ledger", does: "say what the private releases of a file have cost", usage: "FILE [flags]",
	example: "tensorsketch ledger people.jsonl",
	prepare: func(f *flags) func([]string) error {
		var q jobs.LedgerRequest
		var ledger, load string
		f.heading("The ledger")
		ledgerFlag(f, &ledger)
		f.words(&load, "load", "`FILE` a ledger of the same rows, as of the page: its releases are added, each once")
		f.boolean(&q.Reset, "reset", "forget the ledger, which undoes no release")
		f.common()
		return func(files []string) error { return askLedger(f, &q, files, ledger, load) }
	},
}

func askLedger(f *flags, q *jobs.LedgerRequest, files []string, ledger, load string) error {
	if q.Reset && load != "" {
		return usage("--reset forgets the ledger; leave out --load")
	}
	var rows jobs.Rows
	store, closeAll, err := openPrivate(f, &rows, files, ledger)
	if err != nil {
		return err
	}
	defer closeAll()
	if load != "" {
		text, err := readWhole(load)
		if err != nil {
			return err
		}
		q.Load = string(text)
	}
	q.File, q.Store, q.Digest = rows.Files[0], store, sha
	reply, err := jobs.Ledger(f.control(), q)
	switch {
	case err != nil:
		return err
	case reply == nil:
		return named(store.path, errors.New("there is no ledger of these rows; name it with --ledger, or begin one by a "+
			"release"))
	case f.json:
		reply.JSON = "" // it is in a file
		printJSON(stdout, reply)
	case reply.Said != "":
		fmt.Fprintln(stdout, reply.Said)
	default:
		for _, r := range reply.Releases {
			fmt.Fprintf(stdout, "%-9s epsilon %g, delta %g: %.0f rows, %.0f numbers, σ %.4g\n", r.Kind, r.Epsilon, r.Delta,
				r.Rows, r.NComponents, r.Sigma)
		}
		printSpent(stdout, store.path, reply)
	}
	return nil
}

// printSpent says what all releases have cost.
func printSpent(to io.Writer, path string, l *jobs.LedgerReply) {
	fmt.Fprintf(to, "ledger    %s: epsilon %.3f of %g spent at delta %g by %s; one more may have %.3f\n", path, l.Spent,
		l.Epsilon, l.Delta, jobs.Count(int64(len(l.Releases)), "release"), math.Floor(l.Left*1000)/1000)
	if l.Over != "" {
		fmt.Fprintln(to, "ledger    "+l.Over)
	}
}

// ledgerBeside returns the name that the page saves a file's ledger under, in the folder of the file.
func ledgerBeside(file string) string {
	return filepath.Join(filepath.Dir(file), (&dataset.Layout{Name: filepath.Base(file)}).Stem()+"-ledger.json")
}

// areOnePlace reports whether two names are of one file, which need not be there yet.
func areOnePlace(a, b string) bool {
	about, err := os.Stat(a)
	other, failed := os.Stat(b)
	if err == nil && failed == nil {
		return os.SameFile(about, other)
	}
	about, err = os.Stat(filepath.Dir(a))
	other, failed = os.Stat(filepath.Dir(b))
	return err == nil && failed == nil && os.SameFile(about, other) && filepath.Base(a) == filepath.Base(b)
}

// A ledgerFile keeps the ledger of one content in a file, and a lock beside it.
type ledgerFile struct{ path, lock string }

// Lock keeps other programs out until Unlock.
func (l *ledgerFile) Lock(string) (kept []byte, err error) {
	lock := l.path + ".lock"
	pending.Lock()
	file, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		pending.files[lock] = file
	}
	pending.Unlock()
	if errors.Is(err, fs.ErrExist) {
		return nil, named(l.path, fmt.Errorf("another release of these rows is at work; wait for it, or, if it was killed, "+
			"remove %s", lock))
	}
	if err != nil {
		return nil, err
	}
	l.lock = lock
	if kept, err = os.ReadFile(l.path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		l.unlock()
	}
	return kept, err
}

// Unlock returns when the next text is on the disk.
func (l *ledgerFile) Unlock(next []byte) error {
	defer l.unlock()
	switch {
	case next == nil:
		return nil
	case len(next) == 0:
		if err := os.Remove(l.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	o, err := createOutput(l.path, false)
	if err == nil {
		_, err = o.Write(next)
	}
	if err == nil {
		err = o.Flush()
	}
	if err == nil {
		err = o.file.Sync()
	}
	if err != nil {
		return named(l.path, err)
	}
	if err = o.Commit(); err == nil {
		syncFolder(filepath.Dir(l.path))
	}
	return err
}

// syncFolder has the name of a new file on the disk, too, where the system can do that for a folder.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		folder.Sync()
		folder.Close()
	}
}

func (l *ledgerFile) unlock() {
	pending.Lock()
	defer pending.Unlock()
	pending.files[l.lock].Close()
	delete(pending.files, l.lock)
	os.Remove(l.lock)
}
