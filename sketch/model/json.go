package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// encode writes JSON as JavaScript does.
func encode(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return unescapeSeparators(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), nil
}

// unescapeSeparators writes U+2028 and U+2029 unescaped: encoding/json escapes them and JavaScript
// does not.
func unescapeSeparators(text []byte) []byte {
	escapes := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")
	return []byte(escapes.Replace(string(text)))
}

// rewrite returns JSON as JSON.stringify(JSON.parse(text)) would, without spaces. The same content
// then has the same bytes, no matter which program wrote it.
func rewrite(text []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	out, err := rewriteValue(nil, d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more than one value")
	}
	return out, nil
}

func rewriteValue(out []byte, d *json.Decoder) ([]byte, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	open, ok := token.(json.Delim)
	if !ok {
		if token == 0.0 { // JavaScript writes −0 as 0
			token = 0
		}
		value, err := encode(token)
		return append(out, value...), err
	}
	out = append(out, byte(open))
	for n := 0; d.More(); n++ {
		if n > 0 {
			out = append(out, ',')
		}
		if open == '{' {
			if out, err = rewriteValue(out, d); err != nil {
				return nil, err
			}
			out = append(out, ':')
		}
		if out, err = rewriteValue(out, d); err != nil {
			return nil, err
		}
	}
	end, err := d.Token()
	if err != nil {
		return nil, err
	}
	return append(out, byte(end.(json.Delim))), nil
}
