package model

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
)

// Limits of DeriveKey.
const (
	MinSaltBytes  = 16      // NIST SP 800-132, section 5.1
	MinIterations = 600_000 // OWASP, Password Storage Cheat Sheet, for PBKDF2-HMAC-SHA-256
	MaxIterations = 1 << 24 // some ten seconds: a model file of a stranger must not keep a program busy
)

// DeriveKey derives a key from a passphrase, for sketch.BytesSeed with Params.Keyed. It is
// PBKDF2-HMAC-SHA-256 (RFC 8018) of the unmodified UTF-8 text, like deriveKey of the JavaScript
// API. The salt need not be secret. Draw at least MinSaltBytes random bytes once and keep them in
// the model together with the iterations, MinIterations to MaxIterations: see Options.KeySalt.
func DeriveKey(passphrase string, salt []byte, iterations int) ([32]byte, error) {
	if passphrase == "" {
		return [32]byte{}, errors.New("model: passphrase must not be empty")
	}
	if err := (&KeySalt{salt, iterations}).check(); err != nil {
		return [32]byte{}, err
	}
	key, err := pbkdf2.Key(sha256.New, passphrase, salt, iterations, 32)
	if err != nil {
		return [32]byte{}, err
	}
	return [32]byte(key), nil
}

// A KeySalt holds the public inputs of DeriveKey.
type KeySalt struct {
	Salt       []byte
	Iterations int
}

func (k *KeySalt) check() error {
	switch {
	case len(k.Salt) < MinSaltBytes:
		return fmt.Errorf("model: salt must have at least %d bytes, got %d", MinSaltBytes, len(k.Salt))
	case k.Iterations < MinIterations || k.Iterations > MaxIterations:
		return fmt.Errorf("model: iterations must be from %d to %d, got %d", MinIterations, MaxIterations, k.Iterations)
	}
	return nil
}

// keySalt is the JSON of a KeySalt.
type keySalt struct {
	Salt       string  `json:"salt"`
	Iterations float64 `json:"iterations"`
}

// KeySaltOf returns the KeySalt of a model file, or nil if the file has none.
func KeySaltOf(data []byte) (*KeySalt, error) {
	var f struct {
		KeySalt json.RawMessage `json:"keySalt"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("model: not a JSON object: %w", err)
	}
	if f.KeySalt == nil {
		return nil, nil
	}
	salt, err := readKeySalt(f.KeySalt)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return salt, nil
}

func readKeySalt(value json.RawMessage) (*KeySalt, error) {
	var keys map[string]json.RawMessage
	var f keySalt
	if json.Unmarshal(value, &keys) != nil || len(keys) != 2 || keys["salt"] == nil || keys["iterations"] == nil ||
		json.Unmarshal(value, &f) != nil {
		return nil, fmt.Errorf("keySalt must be {salt, iterations}, got %.60s", value)
	}
	salt := fromHex(f.Salt, len(f.Salt)/2)
	if len(salt) < MinSaltBytes {
		return nil, fmt.Errorf("keySalt.salt must be at least %d bytes in lower-case hexadecimal digits, got %.60q",
			MinSaltBytes, f.Salt)
	}
	k := &KeySalt{salt, int(f.Iterations)}
	if k.check() != nil || float64(k.Iterations) != f.Iterations {
		return nil, fmt.Errorf("keySalt.iterations must be an integer from %d to %d, got %v", MinIterations, MaxIterations,
			f.Iterations)
	}
	return k, nil
}
