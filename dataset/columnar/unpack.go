package columnar

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"strconv"

	"github.com/dsnet/compress/brotli"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// The compressions of Parquet.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecLZO    = 3 // not read
	codecBrotli = 4
	codecLZ4    = 5 // in Hadoop's frames
	codecZstd   = 6
	codecLZ4Raw = 7
)

// An unpacker unpacks pages and buffers up to the announced size.
type unpacker struct {
	zstd *zstd.Decoder
}

func (u *unpacker) unpack(codec int64, packed []byte, size int) []byte {
	var content []byte
	var err error
	switch codec {
	case codecNone:
		content = packed
	case codecSnappy:
		if n, err := s2.DecodedLen(packed); err != nil || n != size {
			break
		}
		content, err = s2.Decode(nil, packed)
	case codecGzip:
		var r io.Reader
		if r, err = gzip.NewReader(bytes.NewReader(packed)); err == nil {
			content, err = readExactly(r, size)
		}
	case codecBrotli:
		var r io.Reader
		if r, err = brotli.NewReader(bytes.NewReader(packed), nil); err == nil {
			content, err = readExactly(r, size)
		}
	case codecLZ4:
		content, err = unpackHadoop(packed, size)
	case codecZstd:
		if u.zstd == nil {
			u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
				zstd.WithDecoderMaxWindow(mostPage))
			check(err == nil, "zstd cannot be unpacked")
		}
		if err = u.zstd.Reset(bytes.NewReader(packed)); err == nil {
			content, err = readExactly(u.zstd, size)
		}
	case codecLZ4Raw:
		content, err = unpackLZ4(packed, size)
	default:
		refuse("it is compressed by method "+strconv.FormatInt(codec, 10)+" of Parquet, which is not known here",
			"write it with snappy, gzip, zstd, brotli or lz4")
	}
	check(err == nil && len(content) == size, "its compressed data are damaged")
	return content
}

// readExactly reads size bytes, after which r must end. It allocates as they arrive.
func readExactly(r io.Reader, size int) ([]byte, error) {
	var content bytes.Buffer
	_, err := content.ReadFrom(io.LimitReader(r, int64(size)+1))
	return content.Bytes(), err
}

func unpackLZ4(packed []byte, size int) ([]byte, error) {
	if size/256 > len(packed) { // LZ4 reaches 255
		return nil, lz4.ErrInvalidSourceShortBuffer
	}
	content := make([]byte, size)
	n, err := lz4.UncompressBlock(packed, content)
	return content[:max(n, 0)], err
}

// unpackHadoop unpacks blocks, each after its unpacked and its packed size. Data without sizes is a single block, as
// some writers have it.
func unpackHadoop(packed []byte, size int) ([]byte, error) {
	content := []byte{}
	for rest := packed; len(rest) > 0; {
		if len(rest) < 8 {
			return unpackLZ4(packed, size)
		}
		unpackedSize, packedSize := int64(binary.BigEndian.Uint32(rest)), int64(binary.BigEndian.Uint32(rest[4:]))
		if packedSize > int64(len(rest)-8) || unpackedSize > int64(size-len(content)) {
			return unpackLZ4(packed, size)
		}
		block, err := unpackLZ4(rest[8:8+packedSize], int(unpackedSize))
		if err != nil {
			return unpackLZ4(packed, size)
		}
		content = append(content, block...)
		rest = rest[8+packedSize:]
	}
	return content, nil
}

// unpackFrame unpacks an LZ4 frame, as Arrow uses them.
func unpackFrame(packed []byte, size int) []byte {
	content, err := readExactly(lz4.NewReader(bytes.NewReader(packed)), size)
	check(err == nil && len(content) == size, "its compressed data are damaged")
	return content
}
