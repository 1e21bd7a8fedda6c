//go:build js && wasm

package main

import (
	"encoding/json"
	"errors"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/jobs"
)

// Private releases, and the ledgers of files. given has lock(content), a promise of the text that is kept for a content
// or null, and unlock(text), a promise; null keeps what is there, and "" removes it.

// release writes features with noise. given has, besides, begin(beginning, model), which gets what is known before the
// first row, and returns a promise of the name of the job; wrote(rows, encoder, seen), as of embed; and it may have
// keySalt and includeKey for the model file.
func (j *job) release(q *struct {
	rowsRequest
	mapRequest
	Model *modelRequest
	Ask   jobs.ReleaseRequest
}) (any, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	m, err := j.mapper()
	if err != nil {
		return nil, err
	}
	if m.saved, err = optionsOf(j.given, "keySalt", "includeKey"); err != nil {
		return nil, err
	}
	request := &q.Ask
	request.Files, request.Reading, request.To.Create = rows.Files, rows.Reading, j.output
	if request.Map, err = q.params(); err != nil {
		return nil, err
	}
	if q.Model != nil {
		request.Model = new(q.Model.named())
	}
	request.Ledger, request.Digest, request.Random = ledgers{j.given}, digest, randomBytes{}
	request.Begin = func(b *jobs.Beginning) (string, error) {
		text, err := json.Marshal(b)
		if err != nil {
			return "", err
		}
		name, err := await(j.given.Call("begin", string(text), string(b.Model)))
		return textOf(name), err
	}
	request.Wrote = func(w jobs.Written, seen jobs.Seen) error {
		text, err := json.Marshal(seen)
		if err == nil {
			_, err = ask(j.given, "wrote", w.Rows, encoderState(w), string(text))
		}
		return err
	}
	reply, err := jobs.Release(j.Control, m, request)
	if err != nil {
		return nil, err
	}
	return struct {
		*jobs.ReleaseReply
		Model string `json:"model"`
	}{reply, string(reply.Model)}, nil
}

// privateFit fits a model to sums with noise. IsSample rows are nobody's, and charge no ledger.
func (j *job) privateFit(q *struct {
	rowsRequest
	mapRequest
	IsSample bool
	Ask      jobs.PrivateFitRequest
}) (any, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	m, err := j.mapper()
	if err != nil {
		return nil, err
	}
	request := &q.Ask
	request.Files, request.Reading, request.Digest = rows.Files, rows.Reading, digest
	if !q.IsSample {
		request.Ledger = ledgers{j.given}
	}
	if request.Map, err = q.params(); err != nil {
		return nil, err
	}
	reply, err := jobs.PrivateFit(j.Control, m, request)
	if err != nil {
		return nil, err
	}
	defer reply.Model.Close()
	text, err := reply.Model.File()
	return struct {
		*jobs.PrivateFitReply
		Text string `json:"text"`
	}{reply, string(text)}, err
}

// ledger returns what the releases of a file have cost.
func (j *job) ledger(q *struct {
	rowsRequest
	Ask jobs.LedgerRequest
}) (any, error) {
	rows, err := q.rows()
	if err != nil {
		return nil, err
	}
	request := &q.Ask
	request.File, request.Store, request.Digest = rows.Files[0], ledgers{j.given}, digest
	return jobs.Ledger(j.Control, request)
}

// releaseFile returns the text for the receiver of a release.
func releaseFile(q *struct {
	Release jobs.Released
	Model   json.RawMessage
}) (any, error) {
	text, err := jobs.ReleaseFile(&q.Release, q.Model)
	return string(text), err
}

// ledgers are where the host keeps them.
type ledgers struct{ given safejs.Value }

func (l ledgers) Lock(content string) ([]byte, error) {
	kept, err := await(l.given.Call("lock", content))
	if err != nil || kept.Type() != safejs.TypeString {
		return nil, err
	}
	return []byte(textOf(kept)), nil
}

func (l ledgers) Unlock(next []byte) error {
	var text any
	if next != nil {
		text = string(next)
	}
	_, err := await(l.given.Call("unlock", text))
	return err
}

// digest returns the SHA-256 hash of bytes by the platform, which is faster than Go's here.
func digest(piece []byte) ([]byte, error) {
	subtle, err := cryptoOf("subtle")
	if err != nil {
		return nil, err
	}
	array, err := newArray("Uint8Array", piece)
	if err != nil {
		return nil, err
	}
	hash, err := await(subtle.Call("digest", "SHA-256", array))
	if err != nil {
		return nil, err
	}
	view, err := construct("Uint8Array", hash)
	if err != nil {
		return nil, err
	}
	sum := make([]byte, 32)
	_, err = safejs.CopyBytesToGo(sum, view)
	return sum, err
}

// cryptoOf returns a property of the platform's cryptography.
func cryptoOf(name string) (safejs.Value, error) {
	crypto, err := safejs.Global().Get("crypto")
	if err != nil || crypto.IsUndefined() {
		return crypto, errors.Join(err, errNoCrypto)
	}
	value, err := crypto.Get(name)
	if err == nil && value.IsUndefined() {
		err = errNoCrypto
	}
	return value, err
}

var errNoCrypto = errors.New("crypto.getRandomValues and crypto.subtle must be there for private releases, and this " +
	"platform lacks them: use a current browser over https or localhost, or Node 20 or later")

// randomBytes are the platform's.
type randomBytes struct{}

func (randomBytes) Read(p []byte) (int, error) {
	if _, err := cryptoOf("getRandomValues"); err != nil {
		return 0, err
	}
	crypto, err := safejs.Global().Get("crypto")
	if err != nil {
		return 0, err
	}
	array, err := construct("Uint8Array", len(p))
	if err == nil {
		_, err = ask(crypto, "getRandomValues", array)
	}
	if err != nil {
		return 0, err
	}
	return safejs.CopyBytesToGo(p, array)
}
