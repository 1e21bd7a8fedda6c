// Package secure adds up the sums of several parties so that nobody sees the sums of one: a trial. Sums of a Learner
// are integers, so masks of random words, modulo 2^64, cancel exactly when all are added (Bonawitz et al., Practical
// secure aggregation for privacy-preserving machine learning, CCS 2017).
//
// Each pair of parties agrees on a seed (X25519, HKDF-SHA-256), whose stream of words (AES-256-CTR) the party with the
// lower key adds and the other one takes away. A party also adds the stream of a seed of its own. When all that will
// come has come, each party that is there reveals its own seed, and the seeds of its pairs with parties that dropped
// out. Then Open has the sums of those that are there, and no others.
//
// What that promises, docs/privacy.md says. A Party is for one round: new rows need new Parties.
package secure

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

// MinParties is the least number of parties: of two, each would know the other's sums.
const MinParties = 3

const (
	maskedMagic   = "TSMASKED" // session, place, words
	revealMagic   = "TSREVEAL" // session, place, own seed, then place and seed of each pair
	headBytes     = 8 + sha256.Size + 8
	seedBytes     = 32
	pairBytes     = 8 + seedBytes
	pairInfo      = "tensorsketch secure sums 1: pair"
	sessionPrefix = "tensorsketch secure sums 1"
)

// A Party is one of those whose sums are added, for one round.
type Party struct {
	key      *ecdh.PrivateKey
	own      [seedBytes]byte
	round    *Round
	place    int
	masked   bool
	revealed []byte
}

// NewParty returns a Party with a new key.
func NewParty() (*Party, error) {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	p := &Party{key: key}
	_, err = rand.Read(p.own[:])
	return p, err
}

// Public returns the public key, 32 bytes, for the others.
func (p *Party) Public() []byte { return p.key.PublicKey().Bytes() }

// A Round is what all parties of a sum share: the Spec, which is public, and their public keys.
type Round struct {
	spec    learn.Spec
	keys    [][]byte // in order
	session [sha256.Size]byte
}

// NewRound returns the Round of a Spec (model.MarshalSpec) and of all public keys, in any order.
//
// The error says that there are too few keys, one twice, or that the Spec takes from rows what all must share: its
// classes must be given, and it may keep no rows.
func NewRound(spec []byte, keys [][]byte) (*Round, error) {
	r := &Round{keys: slices.Clone(keys)}
	if len(keys) < MinParties {
		return nil, fmt.Errorf("secure: keys must be of at least %d parties, got %d: of two, each would learn the "+
			"other's sums", MinParties, len(keys))
	}
	slices.SortFunc(r.keys, bytes.Compare)
	for i, key := range r.keys {
		if _, err := ecdh.X25519().NewPublicKey(key); err != nil {
			return nil, fmt.Errorf("secure: keys must be public keys of X25519 of 32 bytes, got %d bytes", len(key))
		}
		if i > 0 && bytes.Equal(key, r.keys[i-1]) {
			return nil, fmt.Errorf("secure: keys must differ, got %x… twice: each party joins once", key[:4])
		}
	}
	var err error
	if r.spec, err = model.UnmarshalSpec(spec); err != nil {
		return nil, err
	}
	if r.spec.Task == learn.TaskClassify && r.spec.Classes == nil || r.spec.Keep > 0 {
		return nil, errors.New("secure: the spec must have its classes given and keep 0, so that all sums have one form")
	}
	h := sha256.New()
	h.Write([]byte(sessionPrefix))
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(spec))))
	h.Write(spec)
	for _, key := range r.keys {
		h.Write(key)
	}
	h.Sum(r.session[:0])
	return r, nil
}

// Session returns the 32 bytes that stand for the Spec and all keys. Parties that compare it by another way know that
// nobody has changed a key.
func (r *Round) Session() []byte { return r.session[:] }

// place returns the place of a public key among the parties.
func (r *Round) place(key []byte) (int, error) {
	i, ok := slices.BinarySearchFunc(r.keys, key, bytes.Compare)
	if !ok {
		return 0, fmt.Errorf("secure: key %x… must be one of the %d of this round", key[:min(4, len(key))], len(r.keys))
	}
	return i, nil
}

// Mask returns the masked sums of a learner, whose Spec must be the round's. A Party masks once: two masked sums of one
// round would show their difference.
func (p *Party) Mask(r *Round, l *learn.Learner) ([]byte, error) {
	if p.masked {
		return nil, errors.New("secure: a party masks once in its life: make a new one for other rows")
	}
	place, err := r.place(p.Public())
	if err != nil {
		return nil, err
	}
	empty, err := learn.NewLearner(r.spec)
	if err == nil {
		err = empty.Merge(l) // names what differs
	}
	if err != nil {
		return nil, err
	}
	words := wordsOf(l)
	addStream(words, p.own[:], 1)
	for other := range r.keys {
		if other == place {
			continue
		}
		seed, err := p.pair(r, other)
		if err != nil {
			return nil, err
		}
		addStream(words, seed, sign(place, other))
	}
	p.round, p.place, p.masked = r, place, true
	out := r.head(maskedMagic, place)
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out, nil
}

// Reveal returns what removes the masks of the parties that are there, by their public keys: this party's own seed, and
// the seeds that it shares with the others, whose masked sums nobody may then use. It is made once: with two answers
// for different parties, their sums could be told apart.
func (p *Party) Reveal(there [][]byte) ([]byte, error) {
	if !p.masked {
		return nil, errors.New("secure: a party reveals seeds after it has masked its sums")
	}
	r := p.round
	is := make([]bool, len(r.keys))
	count := 0
	for _, key := range there {
		i, err := r.place(key)
		if err != nil {
			return nil, err
		}
		if is[i] {
			return nil, fmt.Errorf("secure: there must have each party once, got %x… twice", key[:4])
		}
		is[i] = true
		count++
	}
	if count < MinParties || !is[p.place] {
		return nil, fmt.Errorf("secure: there must be at least %d parties with this one, got %d: begin a new round with more",
			MinParties, count)
	}
	out := append(r.head(revealMagic, p.place), p.own[:]...)
	for other, isThere := range is {
		if isThere {
			continue
		}
		seed, err := p.pair(r, other)
		if err != nil {
			return nil, err
		}
		out = append(binary.LittleEndian.AppendUint64(out, uint64(other)), seed...)
	}
	if p.revealed != nil && !bytes.Equal(p.revealed, out) {
		return nil, errors.New("secure: this party has revealed seeds for other parties before: begin a new round")
	}
	p.revealed = out
	return out, nil
}

// pair returns the seed that this party shares with another.
func (p *Party) pair(r *Round, other int) ([]byte, error) {
	key, err := ecdh.X25519().NewPublicKey(r.keys[other])
	if err != nil {
		return nil, err
	}
	secret, err := p.key.ECDH(key)
	if err != nil {
		return nil, fmt.Errorf("secure: key %x… gives no secret: %w", r.keys[other][:4], err)
	}
	return hkdf.Key(sha256.New, secret, r.session[:], pairInfo, seedBytes)
}

// sign is 1 for the lower of a pair, which adds the mask, and −1 for the other.
func sign(place, other int) int {
	if place < other {
		return 1
	}
	return -1
}

// addStream adds the words of a seed's stream, or takes them away: AES-256-CTR of zeros, its counter from 0.
func addStream(words []uint64, seed []byte, sign int) {
	block, err := aes.NewCipher(seed)
	if err != nil {
		panic("secure: " + err.Error()) // a seed has 32 bytes
	}
	stream := cipher.NewCTR(block, make([]byte, aes.BlockSize))
	buffer := make([]byte, 8*min(len(words), 4096))
	for len(words) > 0 {
		part := words[:min(len(words), 4096)]
		mask := buffer[:8*len(part)]
		clear(mask)
		stream.XORKeyStream(mask, mask)
		for i := range part {
			part[i] += uint64(sign) * binary.LittleEndian.Uint64(mask[8*i:])
		}
		words = words[len(part):]
	}
}

// wordsOf returns what a learner holds: cells that were cut, the tallies, and the words of its moments.
func wordsOf(l *learn.Learner) []uint64 {
	s := l.State()
	words := []uint64{uint64(s.Cut)}
	for _, list := range [][]int64{s.Tally, s.Moments, s.Linear} {
		for _, w := range list {
			words = append(words, uint64(w))
		}
	}
	return words
}

// head returns the beginning of a file of a party.
func (r *Round) head(magic string, place int) []byte {
	return binary.LittleEndian.AppendUint64(append([]byte(magic), r.session[:]...), uint64(place))
}

// read returns the place of a file's party and what follows.
func (r *Round) read(what, magic string, file []byte) (place int, rest []byte, err error) {
	if len(file) < headBytes || string(file[:8]) != magic {
		return 0, nil, fmt.Errorf("secure: %s must be what a party of this round made, got %d other bytes", what, len(file))
	}
	if !bytes.Equal(file[8:headBytes-8], r.session[:]) {
		return 0, nil, fmt.Errorf("secure: %s must be of this round: its party had another Spec, or other keys", what)
	}
	at := binary.LittleEndian.Uint64(file[headBytes-8:])
	if at >= uint64(len(r.keys)) {
		return 0, nil, fmt.Errorf("secure: %s must be of one of %d parties, got %d", what, len(r.keys), at)
	}
	return int(at), file[headBytes:], nil
}

// Open returns the learner of all rows of the parties that are there: of each, its masked sums and what it revealed.
//
// The error says which file is missing, twice, of another round or cut, or that masks remain.
func (r *Round) Open(masked, revealed [][]byte) (*learn.Learner, error) {
	empty, err := learn.NewLearner(r.spec)
	if err != nil {
		return nil, err
	}
	total := make([]uint64, len(wordsOf(empty)))
	sums := make(map[int]bool)
	for i, file := range masked {
		what := fmt.Sprintf("masked[%d]", i)
		place, rest, err := r.read(what, maskedMagic, file)
		if err != nil {
			return nil, err
		}
		if len(rest) != 8*len(total) || sums[place] {
			return nil, fmt.Errorf("secure: %s must have %d words, and each party once: party %d, %d bytes", what, len(total),
				place, len(rest))
		}
		sums[place] = true
		for j := range total {
			total[j] += binary.LittleEndian.Uint64(rest[8*j:])
		}
	}
	if err := r.unmask(total, sums, revealed); err != nil {
		return nil, err
	}
	return r.learner(empty, total)
}

// unmask takes the masks away.
func (r *Round) unmask(total []uint64, sums map[int]bool, revealed [][]byte) error {
	seen := make(map[int]bool)
	for i, file := range revealed {
		what := fmt.Sprintf("revealed[%d]", i)
		place, rest, err := r.read(what, revealMagic, file)
		if err != nil {
			return err
		}
		want := seedBytes + (len(r.keys)-len(sums))*pairBytes
		if !sums[place] || seen[place] || len(rest) != want {
			return fmt.Errorf("secure: %s must be of a party with masked sums, once, about the %d that are missing: party %d, "+
				"%d bytes", what, len(r.keys)-len(sums), place, len(rest))
		}
		seen[place] = true
		addStream(total, rest[:seedBytes], -1)
		for rest = rest[seedBytes:]; len(rest) > 0; rest = rest[pairBytes:] {
			other := binary.LittleEndian.Uint64(rest)
			if other >= uint64(len(r.keys)) || sums[int(other)] {
				return fmt.Errorf("secure: %s reveals a seed of party %d, which is there", what, other)
			}
			addStream(total, rest[8:pairBytes], -sign(place, int(other)))
		}
	}
	if len(seen) != len(sums) || len(seen) < MinParties {
		return fmt.Errorf("secure: revealed must be of all %d parties with masked sums, at least %d, got %d", len(sums),
			MinParties, len(seen))
	}
	return nil
}

// learner returns the learner with these words.
func (r *Round) learner(l *learn.Learner, total []uint64) (*learn.Learner, error) {
	s := l.State()
	s.Cut = int64(total[0])
	rest := total[1:]
	for _, list := range [][]int64{s.Tally, s.Moments, s.Linear} {
		for i := range list {
			list[i] = int64(rest[i])
		}
		rest = rest[len(list):]
	}
	if err := l.SetState(s); err != nil {
		return nil, fmt.Errorf("secure: masks remain, so a file was changed: %w", err)
	}
	return l, nil
}
