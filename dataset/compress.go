package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/zstd"

	"tensorsketch.example/dataset/columns"
)

// Compression is the compression of a file.
type Compression uint8

// The compressions that this package reads.
const (
	NotCompressed Compression = iota
	Gzip
	Zstd
	Zip // an archive with one table
)

func (c Compression) String() string { return columns.Compressions[c] }

// A stream that unpacks to more than bombBytes, and to more than bombRatio times its own size, is refused. Deflate can
// reach a ratio of 1,032; tables stay far below 100.
const (
	bombBytes = 64 << 20
	bombRatio = 300
)

// maxWindow bounds what zstd keeps in memory; its levels 1 to 20 stay below.
const maxWindow = 32 << 20

func sniffCompression(head []byte) Compression {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return Gzip
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")), isSkippable(head):
		return Zstd
	}
	return NotCompressed
}

// isSkippable reports whether zstd begins with a skippable frame (RFC 8878, section 3.1.2), as pzstd writes it.
func isSkippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

func newUnpacker(r io.Reader, c Compression, name string) (*unpacker, error) {
	if c == Zip {
		return nil, newProblem(name, "it is no ZIP archive", "type another compression, or none")
	}
	u := &unpacker{packed: countingReader{r: r}, name: name, compression: c}
	var err error
	if c == Gzip {
		u.content, err = gzip.NewReader(&u.packed)
	} else {
		u.content, err = zstd.NewReader(&u.packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
	}
	if err != nil {
		err = u.problem(err)
	}
	return u, err
}

// unpackHead unpacks the head of a file, as far as possible and needed.
func unpackHead(name string, head []byte, whole bool, c Compression) (content []byte, all bool, err error) {
	u, err := newUnpacker(bytes.NewReader(head), c, name)
	if err != nil {
		if !whole && u.cut {
			err = ErrShortHead
		}
		return nil, false, err
	}
	most := int64(max(256<<10, 8*len(head)))
	if whole {
		most = longestRow + 1<<20
	}
	content, err = io.ReadAll(io.LimitReader(u, most))
	if err != nil && (whole || !u.cut) {
		return nil, false, err
	}
	return content, whole && int64(len(content)) < most, nil
}

// An unpacker counts packed and unpacked bytes, and turns errors into sentences.
type unpacker struct {
	packed      countingReader
	content     io.Reader
	unpacked    int64
	cut         bool // the data ended too early
	name        string
	compression Compression
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.content.Read(p)
	u.unpacked += int64(n)
	if u.unpacked > bombBytes && u.unpacked/bombRatio > u.packed.n {
		return 0, newProblem(u.name, "it unpacks to more than "+strconv.Itoa(bombRatio)+
			" times its size, as no table does", "unpack it first if you trust it")
	}
	if err != nil && err != io.EOF {
		err = u.problem(err)
	}
	return n, err
}

// problem returns the sentence for an unpacking error. It returns errors of the file itself unchanged.
func (u *unpacker) problem(err error) error {
	switch {
	case u.packed.err != nil && u.packed.err != io.EOF:
		return u.packed.err
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		u.cut = true
		return newProblem(u.name, "the "+u.compression.String()+" data ends too early", "fetch it again")
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return newProblem(u.name, "the zstd data needs a window of more than 32 MB", "compress it without --ultra and --long")
	}
	return newProblem(u.name, "the "+u.compression.String()+" data is damaged", "fetch or compress it again")
}

type countingReader struct {
	r   io.Reader
	n   int64
	err error
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.err = err
	return n, err
}
