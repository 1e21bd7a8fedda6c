package dataset

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonValue is a value inside a JSON text (RFC 8259).
type jsonValue struct {
	kind byte // 'n' number, 's' string, 't', 'f', '0' null, '[', '{'
	text []byte
}

// jsonScanner cuts a JSON text into values.
type jsonScanner struct {
	text []byte
	at   int
}

// deepest is the maximum number of lists and objects around a value.
const deepest = 64

func (s *jsonScanner) space() {
	for s.at < len(s.text) && isJSONSpace(s.text[s.at]) {
		s.at++
	}
}

func isJSONSpace(b byte) bool { return b <= ' ' && (b == ' ' || b == '\t' || b == '\r' || b == '\n') }

// next reports whether b comes next, after spaces, and skips it if so.
func (s *jsonScanner) next(b byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == b {
		s.at++
		return true
	}
	return false
}

// value reads one value, lists and objects as a whole.
func (s *jsonScanner) value(depth int) (v jsonValue, ok bool) {
	s.space()
	if s.at == len(s.text) || depth > deepest {
		return v, false
	}
	from := s.at
	switch b := s.text[s.at]; b {
	case '"':
		v.kind, ok = 's', s.skipString()
	case '[', '{':
		s.at++
		v.kind, ok = b, s.members(b, func(int, []byte) bool {
			_, ok := s.value(depth + 1)
			return ok
		})
	case 't':
		v.kind, ok = 't', s.word("true")
	case 'f':
		v.kind, ok = 'f', s.word("false")
	case 'n':
		v.kind, ok = '0', s.word("null")
	case 'N': // NaN, which Python and others write
		v.kind, ok = '0', s.word("NaN")
	default:
		v.kind, ok = 'n', s.skipNumber()
	}
	v.text = s.text[from:s.at]
	return v, ok
}

func (s *jsonScanner) word(word string) bool {
	if !bytes.HasPrefix(s.text[s.at:], []byte(word)) {
		return false
	}
	s.at += len(word)
	return true
}

func (s *jsonScanner) skipString() bool {
	for s.at++; s.at < len(s.text); s.at++ {
		switch b := s.text[s.at]; {
		case b == '"':
			s.at++
			return true
		case b == '\\':
			s.at++
		case b < ' ':
			return false
		}
	}
	s.at = len(s.text)
	return false
}

func (s *jsonScanner) skipNumber() bool {
	if x, n := scanNumber(s.text[s.at:], '.'); n > 0 && s.endsValue(s.at+n) && s.text[s.at] != '+' && x == x {
		s.at += n
		return true
	}
	from := s.at
	for s.at < len(s.text) && !s.endsValue(s.at) {
		s.at++
	}
	_, reason := parseNumber(s.text[from:s.at], '.')
	return reason != notANumber && s.text[from] != '+'
}

func (s *jsonScanner) endsValue(at int) bool {
	if at >= len(s.text) {
		return true
	}
	b := s.text[at]
	return b == ',' || b == ']' || b == '}' || isJSONSpace(b)
}

// members reads the rest of a list or an object, whose bracket was read. It calls member to read each value, with the
// key before it. It returns false where the text is not JSON, or member does.
func (s *jsonScanner) members(open byte, member func(n int, key []byte) bool) bool {
	for n := 0; !s.next(open + 2); n++ { // ']' and '}' in ASCII
		if n > 0 && !s.next(',') {
			return false
		}
		var key []byte
		if open == '{' {
			if key = s.key(); key == nil {
				return false
			}
		}
		if !member(n, key) {
			return false
		}
	}
	return true
}

// key reads a key and its colon. It returns nil if there is none.
func (s *jsonScanner) key() []byte {
	s.space()
	from := s.at
	if s.at == len(s.text) || s.text[s.at] != '"' || !s.skipString() {
		return nil
	}
	key := s.text[from:s.at]
	if !s.next(':') {
		return nil
	}
	return key
}

// appendString appends the decoded text of a JSON string, which is given with its quotes.
func appendString(dst, text []byte) ([]byte, bool) {
	if len(text) < 2 { // not closed
		return dst, false
	}
	text = text[1 : len(text)-1]
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...), true
		}
		dst = append(dst, text[:i]...)
		if i+1 == len(text) {
			return dst, false
		}
		escaped := text[i+1]
		text = text[i+2:]
		if i := strings.IndexByte(`"\/bfnrt`, escaped); i >= 0 {
			dst = append(dst, "\"\\/\b\f\n\r\t"[i])
			continue
		}
		r, ok := hexRune(text)
		if escaped != 'u' || !ok {
			return dst, false
		}
		text = text[4:]
		if utf16.IsSurrogate(r) {
			r2 := rune(0)
			if len(text) >= 6 && text[0] == '\\' && text[1] == 'u' {
				r2, _ = hexRune(text[2:])
			}
			if r = utf16.DecodeRune(r, r2); r == utf8.RuneError {
				return dst, false
			}
			text = text[6:]
		}
		dst = utf8.AppendRune(dst, r)
	}
}

func hexRune(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[:4]), 16, 16)
	return rune(n), err == nil
}
