package jobs

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"tensorsketch.example/privacy"
)

// A Guarantee is what a private release promises, or all releases of the same rows together: their budget.
type Guarantee struct {
	Epsilon float64 `json:"epsilon"`
	Delta   float64 `json:"delta"`
}

// A Charge is a release in a ledger.
type Charge struct {
	Kind        string  `json:"kind"` // rows, mean or moments
	Rows        float64 `json:"rows"`
	NComponents float64 `json:"nComponents"`
	Guarantee
	Bound float64 `json:"bound"` // of the length of a row of features
	Sigma float64 `json:"sigma"` // of the noise in a number
}

// ChargeKinds are the kinds of releases in a ledger.
var ChargeKinds = []string{"rows", "mean", "moments"}

// A LedgerStore keeps the ledgers of files: one for each content, so that releases of the same rows add up under any
// name of their file.
type LedgerStore interface {
	// Lock returns what is kept for a content, or nil. Nobody else can lock it until Unlock.
	Lock(content string) ([]byte, error)
	// Unlock keeps the next text, unless it is nil. An empty one removes what is kept.
	Unlock(next []byte) error
}

// A Digest returns the SHA-256 hash of bytes.
type Digest func(piece []byte) ([]byte, error)

// contentPiece is the number of bytes that are hashed at a time.
const contentPiece = 4 << 20

// contentOf returns a hash of a file's content, in hexadecimal digits: the SHA-256 of the SHA-256 hashes of all pieces
// of 4 MiB. A copy under another name has the same hash. A copy in which one byte differs has another.
func contentOf(c *Control, file File, digest Digest) (string, error) {
	if err := file.Keep(); err != nil {
		return "", err
	}
	bytes, ok := file.(io.ReaderAt)
	if !ok {
		return "", failure("%s: its content cannot be read twice; save it as a file", file.Name())
	}
	c.Begin("reading")
	var all []byte
	piece := make([]byte, min(file.Size(), contentPiece))
	for at := int64(0); at < file.Size(); at += int64(len(piece)) {
		piece = piece[:min(int64(len(piece)), file.Size()-at)]
		if n, err := bytes.ReadAt(piece, at); n < len(piece) {
			return "", err
		}
		own, err := digest(piece)
		if err == nil {
			all = append(all, own...)
			err = c.At(0, float64(at+int64(len(piece)))/float64(file.Size()))
		}
		if err != nil {
			return "", err
		}
	}
	whole, err := digest(all)
	return hex.EncodeToString(whole), err
}

// The formats of the JSON of a ledger, and of a file's ledger.
const (
	ledgerFormat     = "tensorsketch-ledger"
	fileLedgerFormat = "tensorsketch-file-ledger"
	ledgerVersion    = 1
)

// A ledgerJSON is a ledger as the JavaScript API writes it, too.
type ledgerJSON struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Guarantee
	Releases []Charge `json:"releases"`
	Check    string   `json:"check"`
}

// check returns a checksum of 64 bits (FNV-1a), which reveals changes. It has no secret, so it does not stop a
// deliberate one.
func (l *ledgerJSON) check() string {
	lists := [][]any{}
	for _, r := range l.Releases {
		lists = append(lists, []any{r.Kind, r.Rows, r.NComponents, r.Epsilon, r.Delta, r.Bound, r.Sigma})
	}
	text, _ := json.Marshal([]any{l.Epsilon, l.Delta, lists}) // numbers of a file or of ours: all are finite
	sum := fnv.New64a()
	sum.Write(text)
	return fmt.Sprintf("%016x", sum.Sum64())
}

// A ledger adds up the cost of releases.
type ledger struct {
	*privacy.Ledger
	budget   Guarantee
	releases []Charge
}

func newLedger(budget Guarantee) (*ledger, error) {
	l, err := privacy.NewLedger(budget.Epsilon, budget.Delta)
	return &ledger{Ledger: l, budget: budget, releases: []Charge{}}, mistake(err)
}

// enter charges a release. After an error nothing is charged.
func (l *ledger) enter(r Charge) error {
	var err error
	if r.Kind == "moments" {
		err = l.ChargeMost(r.Epsilon, r.Delta)
	} else {
		var m *privacy.Mechanism
		if m, err = privacy.NewMechanism(r.Epsilon, r.Delta, r.Bound); err == nil {
			err = l.Charge(m)
		}
	}
	if err != nil {
		return mistake(err)
	}
	l.releases = append(l.releases, r)
	return nil
}

// rho returns what a release costs in a ledger of its own.
func (c Charge) rho() (float64, error) {
	own, err := newLedger(Guarantee{privacy.MaxEpsilon, c.Delta})
	if err == nil {
		err = own.enter(c)
	}
	if err != nil {
		return 0, err
	}
	return own.SpentRho(), nil
}

func (l *ledger) json() ledgerJSON {
	made := ledgerJSON{Format: ledgerFormat, Version: ledgerVersion, Guarantee: l.budget, Releases: l.releases}
	made.Check = made.check()
	return made
}

// A record is the ledger of a file, as it is kept and saved.
type record struct {
	Format  string     `json:"format"`
	Version int        `json:"version"`
	Content string     `json:"content"`
	Jobs    []string   `json:"jobs"` // the job of each release: it is charged once
	Ledger  ledgerJSON `json:"ledger"`
	Over    bool       `json:"over,omitempty"` // more is spent than the ledger could enter
	// Releases of ledgers that were loaded, which the budget does not have, and the job of each.
	Beyond     []Charge `json:"beyond,omitempty"`
	BeyondJobs []string `json:"beyondJobs,omitempty"`

	ledger *ledger
}

const over = "the releases of these rows, from here and in the ledgers that were loaded, have spent more than the " +
	"budget together: release nothing more of them"

const unknownSpent = "this ledger was changed since it was saved, and what was spent is not known any more: take it " +
	"as it was saved"

// recordOf reads the ledger of a content. One that a page keeps does not repeat its format and content.
func recordOf(text []byte, content string, isKept bool) (*record, error) {
	r := &record{}
	err := json.Unmarshal(text, r)
	if isKept && r.Format == "" {
		r.Format, r.Version, r.Content = fileLedgerFormat, ledgerVersion, content
	}
	switch {
	case err == nil && r.Format == fileLedgerFormat && r.Version > ledgerVersion:
		return nil, fail("ledger", "this ledger is of version %d, and this program reads version %d: use a newer one",
			r.Version, ledgerVersion)
	case (err != nil || r.Jobs == nil) && isKept:
		return nil, fail("ledger", unknownSpent)
	case err != nil || r.Format != fileLedgerFormat || r.Version != ledgerVersion || r.Jobs == nil:
		return nil, fail("ledger", "this is no ledger of a file's releases: choose a file whose name ends in -ledger.json")
	case r.Content != content:
		return nil, fail("ledger", "this ledger is of another file, or of a copy with other bytes: choose the file that it "+
			"was saved with")
	case r.Ledger.Format != ledgerFormat || r.Ledger.Version != ledgerVersion || r.Ledger.check() != r.Ledger.Check ||
		len(r.Ledger.Releases) != len(r.Jobs) || len(r.Beyond) != len(r.BeyondJobs):
		return nil, fail("ledger", unknownSpent)
	}
	if r.ledger, err = newLedger(r.Ledger.Guarantee); err != nil {
		return nil, err
	}
	for _, release := range r.Ledger.Releases {
		if !slices.Contains(ChargeKinds, release.Kind) {
			return nil, fail("ledger", "the kind of a release must be rows, mean or moments, got %q", release.Kind)
		}
		if err := r.ledger.enter(release); err != nil {
			return nil, err
		}
	}
	for _, b := range r.Beyond {
		if _, err := b.rho(); err != nil || !slices.Contains(ChargeKinds, b.Kind) {
			return nil, fail("ledger", unknownSpent)
		}
	}
	return r, nil
}

func newRecord(content string, budget Guarantee) (*record, error) {
	l, err := newLedger(budget)
	return &record{Format: fileLedgerFormat, Version: ledgerVersion, Content: content, Jobs: []string{}, ledger: l}, err
}

func (r *record) text() ([]byte, error) {
	r.Ledger = r.ledger.json()
	return json.Marshal(r)
}

// openRecord reads what is kept for a content, or begins a ledger with a budget. The budget of a ledger is fixed.
func openRecord(kept []byte, content string, budget *Guarantee) (*record, error) {
	if kept == nil {
		if budget == nil {
			return nil, fail("budget", "{budget} is missing: type the ε and δ that all releases of these rows may have together")
		}
		return newRecord(content, *budget)
	}
	r, err := recordOf(kept, content, true)
	switch {
	case err != nil:
		return nil, err
	case r.Over:
		return nil, fail("budget", over)
	case budget != nil && *budget != r.ledger.budget:
		return nil, fail("budget", "{budget} must be epsilon %s at delta %s, as in the ledger of this file: "+
			"it was fixed before its first release", number(r.ledger.budget.Epsilon), number(r.ledger.budget.Delta))
	}
	return r, nil
}

// number returns a number as JSON has it.
func number(x float64) string {
	text, _ := json.Marshal(x)
	return string(text)
}

// An account is the ledger of a file, for one job.
type account struct {
	store   LedgerStore
	content string
	budget  *Guarantee
	job     string  // it is charged once
	record  *record // after a charge
}

// locked calls f with what is kept, and keeps the text that it returns, if any.
func (a *account) locked(f func(kept []byte) (next []byte, err error)) error {
	kept, err := a.store.Lock(a.content)
	if err != nil {
		return err
	}
	next, err := f(kept)
	if err != nil {
		next = nil
	}
	return cmp.Or(err, a.store.Unlock(next))
}

// allows returns an error unless the ledger allows a release. Nothing is charged.
func (a *account) allows(r Charge) error {
	return a.locked(func(kept []byte) ([]byte, error) {
		record, err := openRecord(kept, a.content, a.budget)
		if err == nil {
			err = record.ledger.enter(r)
		}
		return nil, err
	})
}

// charge calls make, which makes a release and may complete r, if the ledger allows it. It returns after the charge is
// kept. A job that was charged before is not charged again.
func (a *account) charge(r *Charge, make func() error) error {
	return a.locked(func(kept []byte) ([]byte, error) {
		if kept != nil {
			if old, err := recordOf(kept, a.content, true); err != nil {
				return nil, err
			} else if slices.Contains(old.Jobs, a.job) {
				a.record = old
				return nil, make()
			}
		}
		record, err := openRecord(kept, a.content, a.budget)
		if err == nil {
			err = record.ledger.enter(*r)
		}
		if err == nil {
			err = make()
		}
		if err != nil {
			return nil, err
		}
		record.ledger.releases[len(record.Jobs)] = *r
		record.Jobs = append(record.Jobs, a.job)
		a.record = record
		return record.text()
	})
}

// A LedgerRequest asks what the releases of a file have cost so far.
type LedgerRequest struct {
	File   File        `json:"-"`
	Budget *Guarantee  `json:"budget,omitempty"` // of a new ledger, if there is none
	Load   string      `json:"load,omitempty"`   // a saved ledger, whose releases are added: each is counted once
	Reset  bool        `json:"reset,omitempty"`  // forget the ledger
	Store  LedgerStore `json:"-"`
	Digest Digest      `json:"-"`
}

// A LedgerReply is a ledger.
type LedgerReply struct {
	Guarantee          // the budget
	Spent     float64  `json:"spent"` // ε at the δ of the budget
	Left      float64  `json:"left"`  // ε that one more release may have
	Releases  []Charge `json:"releases"`
	JSON      string   `json:"json,omitempty"` // the text to be saved
	Over      string   `json:"over,omitempty"` // more is spent than the budget, and what to do
	Said      string   `json:"said,omitempty"` // what it means that the ledger is forgotten
}

const forgotten = "What the releases of this file have cost is forgotten here. That does not undo them: anyone who " +
	"has a release of these rows can still add it to the next one."

// Ledger returns the ledger of a file's rows, or nil if there is none and no budget for a new one. What is spent never
// decreases, except by Reset.
func Ledger(c *Control, q *LedgerRequest) (reply *LedgerReply, err error) {
	content, err := contentOf(c, q.File, q.Digest)
	if err != nil {
		return nil, err
	}
	a := &account{store: q.Store, content: content}
	err = a.locked(func(kept []byte) (next []byte, err error) {
		if q.Reset {
			reply = &LedgerReply{Releases: []Charge{}, Said: forgotten}
			return []byte{}, nil
		}
		var r *record
		switch {
		case kept != nil:
			r, err = recordOf(kept, content, true)
		case q.Load == "" && q.Budget != nil:
			r, err = newRecord(content, *q.Budget)
		}
		if err == nil && q.Load != "" {
			if r, err = r.with([]byte(q.Load), content); err == nil {
				next, err = r.text()
			}
		}
		if err == nil && r != nil {
			reply, err = r.reply()
		}
		return next, err
	})
	return reply, err
}

// with adds the releases of a saved ledger: by other programs, or by this one before its storage was cleared. A release
// is identified by its job, and counted once. r may be nil.
func (r *record) with(saved []byte, content string) (*record, error) {
	loaded, err := recordOf(saved, content, false)
	if err != nil || r == nil {
		return loaded, err
	}
	if loaded.ledger.budget != r.ledger.budget {
		return nil, fail("budget", "the saved ledger has another budget than the ledger that is known of this file, epsilon "+
			"%s at delta %s", number(r.ledger.budget.Epsilon), number(r.ledger.budget.Delta))
	}
	r.Over = r.Over || loaded.Over
	names := append(loaded.Jobs, loaded.BeyondJobs...)
	for i, release := range append(loaded.ledger.releases, loaded.Beyond...) {
		if slices.Contains(r.Jobs, names[i]) || slices.Contains(r.BeyondJobs, names[i]) {
			continue
		}
		if r.ledger.enter(release) != nil {
			r.Over, r.Beyond, r.BeyondJobs = true, append(r.Beyond, release), append(r.BeyondJobs, names[i])
			continue
		}
		r.Jobs = append(r.Jobs, names[i])
	}
	return r, nil
}

func (r *record) reply() (*LedgerReply, error) {
	text, err := r.text()
	reply := &LedgerReply{Guarantee: r.ledger.budget, Spent: r.ledger.Spent(), Left: r.ledger.Left(),
		Releases: r.ledger.releases, JSON: string(text)}
	if !r.Over {
		return reply, err
	}
	reply.Over, reply.Left = over, 0
	rho := r.ledger.SpentRho()
	for _, b := range r.Beyond {
		own, _ := b.rho() // recordOf or enter has checked it
		rho += own
	}
	reply.Releases = append(reply.Releases[:len(reply.Releases):len(reply.Releases)], r.Beyond...)
	reply.Spent = privacy.EpsilonOf(rho, reply.Delta)
	return reply, err
}
