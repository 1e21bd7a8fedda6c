package control

import (
	"strconv"
	"strings"
)

const hexadecimal = "0123456789ABCDEF"

// Escape escapes a value for a link. It works like QueryEscape of net/url, except that it leaves commas as they are.
// Importing net/url would cost the page 10 KB.
func Escape(value string) string {
	var b strings.Builder
	for i := range len(value) {
		switch c := value[i]; {
		case c == ' ':
			b.WriteByte('+')
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.~,", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexadecimal[c>>4])
			b.WriteByte(hexadecimal[c&15])
		}
	}
	return b.String()
}

// Unescape reverses Escape. ok is false if a % is not followed by two hexadecimal digits.
func Unescape(escaped string) (value string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(escaped); i++ {
		switch c := escaped[i]; c {
		case '+':
			b.WriteByte(' ')
		case '%':
			if i+2 >= len(escaped) {
				return "", false
			}
			code, err := strconv.ParseUint(escaped[i+1:i+3], 16, 8)
			if err != nil {
				return "", false
			}
			b.WriteByte(byte(code))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}
