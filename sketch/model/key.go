package model

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"errors"
	"fmt"
)

// Limits of DeriveKey.
const (
	MinSaltBytes  = 16        // NIST SP 800-132, section 5.1
	MinIterations = 600_000   // OWASP, Password Storage Cheat Sheet, for PBKDF2-HMAC-SHA-256
	MaxIterations = 1<<31 - 1 // what browsers take
)

// DeriveKey returns the key of a passphrase, for sketch.BytesSeed with Params.Keyed:
// PBKDF2-HMAC-SHA-256 (RFC 8018) of its UTF-8, as it stands, as deriveKey of the
// JavaScript API gives it. The salt need not be secret: draw at least MinSaltBytes
// random bytes once and keep them beside the model, with the iterations, from
// MinIterations to MaxIterations.
func DeriveKey(passphrase string, salt []byte, iterations int) ([32]byte, error) {
	switch {
	case passphrase == "":
		return [32]byte{}, errors.New("model: passphrase must not be empty")
	case len(salt) < MinSaltBytes:
		return [32]byte{}, fmt.Errorf("model: salt must have at least %d bytes, got %d", MinSaltBytes, len(salt))
	case iterations < MinIterations || iterations > MaxIterations:
		return [32]byte{}, fmt.Errorf("model: iterations must be from %d to %d, got %d", MinIterations, MaxIterations, iterations)
	}
	key, err := pbkdf2.Key(sha256.New, passphrase, salt, iterations, 32)
	if err != nil {
		return [32]byte{}, err
	}
	return [32]byte(key), nil
}
