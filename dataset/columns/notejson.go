//go:build !tinygo

package columns

import (
	"bytes"
	"encoding/json"
)

// The page's program has the tag tinygo to do without encoding/json. It writes no notes.

// MarshalJSON returns the note with the names of settings in a request.
func (n Note) MarshalJSON() ([]byte, error) {
	type note Note // without this method
	plain := note(n)
	plain.Remedy = Plain(n.Remedy)
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(plain)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}
