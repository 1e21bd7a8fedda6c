package dataset

import (
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// The byte order marks of UTF-16.
const (
	littleEndianMark = "\xff\xfe"
	bigEndianMark    = "\xfe\xff"
)

// decode returns the text of r, which has the given encoding, as UTF-8.
func decode(r io.Reader, encoding, file string) io.Reader {
	d := &decoder{r: r, file: file}
	switch encoding {
	case columns.UTF16:
		d.decode = d.utf16
	case columns.Windows1252:
		d.decode = d.windows1252
	default:
		return r
	}
	return &parts{next: d.next}
}

// decodeHead returns the head of a text as UTF-8. Unless the head is whole, a character that is cut off at its end is
// left out.
func decodeHead(head []byte, whole bool, encoding, file string) ([]byte, error) {
	if encoding == columns.UTF8 {
		return head, nil
	}
	if !whole && encoding == columns.UTF16 {
		head = head[:len(head)&^1]
	}
	return io.ReadAll(decode(bytes.NewReader(head), encoding, file))
}

// guessEncoding returns UTF-16 if there is its byte order mark. It returns Windows-1252 if, beyond ASCII, the head has
// as many bytes that are not UTF-8 as characters that are. Otherwise it returns UTF-8.
func guessEncoding(head []byte) string {
	if hasUTF16Mark(head) {
		return columns.UTF16
	}
	if bytes.HasPrefix(head, byteOrderMark) {
		return columns.UTF8
	}
	valid, invalid := 0, 0
	for len(head) > 0 {
		if head[0] < utf8.RuneSelf {
			head = head[1:]
			continue
		}
		r, size := utf8.DecodeRune(head)
		switch {
		case r != utf8.RuneError || size > 1:
			valid++
		case utf8.FullRune(head): // otherwise the character is cut off
			invalid++
		}
		head = head[size:]
	}
	if invalid > 0 && invalid >= valid {
		return columns.Windows1252
	}
	return columns.UTF8
}

func hasUTF16Mark(head []byte) bool {
	return bytes.HasPrefix(head, []byte(littleEndianMark)) || bytes.HasPrefix(head, []byte(bigEndianMark))
}

// A decoder turns the bytes of a text into UTF-8, part by part.
type decoder struct {
	r      io.Reader
	file   string
	decode func(final bool) error // decodes in to out, and keeps a cut character in in
	raw    [16 << 10]byte
	in     []byte // in raw, not decoded
	out    []byte // decoded
	begun  bool
	big    bool // of UTF-16: big-endian
}

func (d *decoder) next() ([]byte, error) {
	kept := copy(d.raw[:], d.in)
	n, err := d.r.Read(d.raw[kept:])
	d.in, d.out = d.raw[:kept+n], d.out[:0]
	if problem := d.decode(err != nil); problem != nil && (err == nil || err == io.EOF) {
		err = problem
	}
	return d.out, err
}

// parts reads what next returns part by part. A part may come with an error, which ends the reading after it.
type parts struct {
	next func() ([]byte, error)
	out  []byte // not yet read
	err  error
}

func (r *parts) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.out, r.err = r.next()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// windows1252 decodes as in the WHATWG's Encoding Standard, in which 0x81, 0x8D, 0x8F, 0x90 and 0x9D are the control
// characters with these numbers.
func (d *decoder) windows1252(bool) error {
	for _, b := range d.in {
		r := rune(b)
		if b >= 0x80 && b < 0xa0 {
			r = windows1252[b-0x80]
		}
		d.out = utf8.AppendRune(d.out, r)
	}
	d.in = nil
	return nil
}

// windows1252 are the characters from 0x80 to 0x9f.
var windows1252 = [32]rune{
	0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030,
	0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122,
	0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
}

// utf16 decodes in the byte order of the mark. Half of a pair, and an extra byte at the end, become U+FFFD.
func (d *decoder) utf16(final bool) error {
	if !d.begun {
		if len(d.in) < 2 && !final {
			return nil
		}
		if d.begun = true; !hasUTF16Mark(d.in) {
			return newProblem(d.file, "the text does not begin with a byte order mark, which says how UTF-16 is stored",
				"save it as Unicode text with a mark, or in UTF-8")
		}
		d.big = d.in[0] == bigEndianMark[0]
		d.in = d.in[2:]
	}
	unit := func(at int) rune {
		if d.big {
			return rune(d.in[at])<<8 | rune(d.in[at+1])
		}
		return rune(d.in[at+1])<<8 | rune(d.in[at])
	}
	at := 0
	for ; at+1 < len(d.in); at += 2 {
		r := unit(at)
		if utf16.IsSurrogate(r) {
			if at+3 >= len(d.in) && !final {
				break
			}
			pair := rune(utf8.RuneError)
			if at+3 < len(d.in) {
				pair = utf16.DecodeRune(r, unit(at+2))
			}
			if pair != utf8.RuneError {
				at += 2
			}
			r = pair
		}
		d.out = utf8.AppendRune(d.out, r)
	}
	d.in = d.in[at:]
	if final && len(d.in) > 0 {
		d.out = utf8.AppendRune(d.out, utf8.RuneError)
		d.in = nil
	}
	return nil
}
