package dataset

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// ZIP: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT. What archive/zip needs of
// package os would be 5 % of dataset.wasm.
const (
	zipMagic     = "PK\x03\x04" // of a file's local header
	zipDirectory = "PK\x01\x02"
	zipEnd       = "PK\x05\x06"
	zip64End     = "PK\x06\x06"
	zip64Locator = "PK\x06\x07"

	mostDirectory = 16 << 20 // bytes
)

// A zipEntry is a file inside a ZIP archive.
type zipEntry struct {
	name               string
	flags, method      uint16
	crc                uint32
	packed, size, from int64 // from: its local header
}

// isArchive reports whether a file is read through the directory of a ZIP archive.
func isArchive(f File, r columns.Reading) bool {
	if r.Compression != Zip.String() && (r.Compression != "" || Format(r.Format).of().inside != "") {
		return false
	}
	var magic [len(zipMagic)]byte
	n, _ := f.ReadAt(magic[:], 0)
	return string(magic[:n]) == zipMagic
}

// OpenZipped returns the content of a file in a ZIP archive and its size, or nil if there is no such file. name is the
// name of the archive.
func OpenZipped(f File, name, entry string) (content io.Reader, size int64, err error) {
	entries, err := zipEntries(f, name)
	if err != nil {
		return nil, 0, err
	}
	for i := range entries {
		if e := &entries[i]; e.name == entry {
			content, err = e.open(f, name+"/"+entry)
			return content, e.size, err
		}
	}
	return nil, 0, nil
}

func zipDamaged(name string) error {
	return newProblem(name, "the ZIP archive is damaged, or cut off", "fetch or make it again")
}

// zipEntries lists the files of an archive, without folders and the files that a system adds.
func zipEntries(f File, name string) ([]zipEntry, error) {
	damaged := zipDamaged(name)
	tail := make([]byte, min(f.Size(), 22+1<<16))
	if _, err := f.ReadAt(tail, f.Size()-int64(len(tail))); err != nil && err != io.EOF {
		return nil, err
	}
	at := bytes.LastIndex(tail, []byte(zipEnd))
	if at < 0 || len(tail)-at < 22 {
		return nil, damaged
	}
	size, from := int64(binary.LittleEndian.Uint32(tail[at+12:])), int64(binary.LittleEndian.Uint32(tail[at+16:]))
	if size == 1<<32-1 || from == 1<<32-1 {
		var end [56]byte
		if at < 20 || string(tail[at-20:at-16]) != zip64Locator {
			return nil, damaged
		}
		place := int64(binary.LittleEndian.Uint64(tail[at-12:]))
		if place < 0 || place > f.Size()-int64(len(end)) {
			return nil, damaged
		}
		if _, err := f.ReadAt(end[:], place); err != nil && err != io.EOF {
			return nil, err
		}
		if string(end[:4]) != zip64End {
			return nil, damaged
		}
		size, from = int64(binary.LittleEndian.Uint64(end[40:])), int64(binary.LittleEndian.Uint64(end[48:]))
	}
	if from < 0 || size < 0 || from > f.Size() || size > f.Size()-from {
		return nil, damaged
	}
	if size > mostDirectory {
		return nil, newProblem(name, "the ZIP archive lists more files than any table needs",
			"unpack it, and choose one file")
	}
	directory := make([]byte, size)
	if _, err := f.ReadAt(directory, from); err != nil && err != io.EOF {
		return nil, err
	}
	var entries []zipEntry
	for len(directory) >= 46 && string(directory[:4]) == zipDirectory {
		var e zipEntry
		if directory, e = nextZipEntry(directory); directory == nil {
			return nil, damaged
		}
		if !strings.HasSuffix(e.name, "/") && !columns.IsSideFile(e.name) {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// nextZipEntry reads an entry of the directory. It returns the rest of the directory, or nil if the entry is cut off.
func nextZipEntry(b []byte) ([]byte, zipEntry) {
	short := func(at int) int64 { return int64(binary.LittleEndian.Uint16(b[at:])) }
	long := func(at int) int64 { return int64(binary.LittleEndian.Uint32(b[at:])) }
	e := zipEntry{flags: uint16(short(8)), method: uint16(short(10)), crc: uint32(long(16)), packed: long(20),
		size: long(24), from: long(42)}
	nameEnd := 46 + short(28)
	extraEnd := nameEnd + short(30)
	next := extraEnd + short(32)
	if next > int64(len(b)) {
		return nil, e
	}
	e.name = string(b[46:nameEnd])
	for extra := b[nameEnd:extraEnd]; len(extra) >= 4; {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; n > len(extra) {
			break
		}
		if field := extra[:n]; id == 1 { // ZIP64: those that do not fit, in this order
			for _, to := range []*int64{&e.size, &e.packed, &e.from} {
				if *to == 1<<32-1 && len(field) >= 8 {
					*to = int64(binary.LittleEndian.Uint64(field))
					field = field[8:]
				}
			}
		}
		extra = extra[n:]
	}
	return b[next:], e
}

// open returns the content of an entry. Its size and checksum are checked at the end.
func (e *zipEntry) open(f File, name string) (io.Reader, error) {
	switch {
	case e.flags&1 != 0:
		return nil, newProblem(name, "it is encrypted", "unpack it with its password first")
	case e.method != 0 && e.method != 8:
		return nil, newProblem(name, "it is compressed by method "+strconv.Itoa(int(e.method))+" of ZIP",
			"unpack it first, or zip it with the usual method, deflate")
	}
	var header [30]byte
	if e.from < 0 || e.from > f.Size()-int64(len(header)) {
		return nil, zipDamaged(name)
	}
	if _, err := f.ReadAt(header[:], e.from); err != nil && err != io.EOF {
		return nil, err
	}
	from := e.from + 30 + int64(binary.LittleEndian.Uint16(header[26:])) + int64(binary.LittleEndian.Uint16(header[28:]))
	if string(header[:4]) != zipMagic || e.packed < 0 || e.size < 0 || from > f.Size() || e.packed > f.Size()-from {
		return nil, zipDamaged(name)
	}
	u := &unpacker{packed: countingReader{r: io.NewSectionReader(f, from, e.packed)}, name: name, compression: Zip}
	var content io.Reader = &u.packed
	if e.method == 8 {
		content = flate.NewReader(&u.packed)
	}
	u.content = &checkedReader{r: content, left: e.size, crc: e.crc}
	return u, nil
}

// A checkedReader checks that the content has the announced number of bytes and the announced checksum.
type checkedReader struct {
	r        io.Reader
	left     int64
	crc, sum uint32
}

func (c *checkedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	c.left -= int64(n)
	switch {
	case err == io.EOF && c.left > 0:
		err = io.ErrUnexpectedEOF
	case c.left < 0 || err == io.EOF && c.sum != c.crc:
		err = flate.CorruptInputError(0)
	}
	return n, err
}

// formatOf returns the format whose files are archives with such files, or AnyFormat.
func formatOf(entries []zipEntry) Format {
	for i := range formats {
		isInside := func(e zipEntry) bool { return e.name == formats[i].inside }
		if formats[i].inside != "" && slices.ContainsFunc(entries, isInside) {
			return formats[i].name
		}
	}
	return AnyFormat
}

// tableOf returns the only table in an archive: its only file, or the only array of an .npz with rows and columns.
func tableOf(f File, name string, entries []zipEntry) (*zipEntry, error) {
	names, arrays := make([]string, len(entries)), true
	var array *format
	for i := range entries {
		names[i] = entries[i].name
		inside := columns.FormatOf(strings.TrimPrefix(path.Ext(names[i]), "."))
		if arrays = arrays && inside != nil && inside.Raw; arrays {
			array = Format(inside.Name).of()
		}
	}
	switch {
	case slices.Contains(names, "xl/workbook.bin"):
		return nil, newProblem(name, "the file is a binary Excel workbook", "save its sheet as CSV UTF-8: File, Save As")
	case slices.Contains(names, "content.xml") && slices.Contains(names, "mimetype"):
		return nil, newProblem(name, "the file is an OpenDocument", "save its sheet as CSV in UTF-8: File, Save As")
	case len(entries) == 0:
		return nil, newProblem(name, "the ZIP archive has no files", "zip one table")
	case len(entries) == 1:
		return &entries[0], nil
	case !arrays:
		return nil, newProblem(name, "the ZIP archive has "+plural(int64(len(names)), "file")+": "+someOf(names),
			"unpack it, and choose one")
	}
	var tables []int
	for i := range entries {
		r, err := entries[i].open(f, name+"/"+names[i])
		if err != nil {
			return nil, err
		}
		if a, err := array.header(r, names[i]); err == nil && len(a.shape) == 2 {
			tables = append(tables, i)
		}
	}
	if len(tables) == 1 {
		return &entries[tables[0]], nil
	}
	return nil, newProblem(name, "the .npz has "+plural(int64(len(tables)), "array")+" with rows and columns, of "+
		someOf(names), "save the one that you want: numpy.save")
}

// someOf lists up to ten names, without line breaks and other control characters.
func someOf(names []string) string {
	list := make([]string, 0, 11)
	for _, name := range names[:min(len(names), 10)] {
		list = append(list, inner(name))
	}
	if len(names) > 10 {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// sniffZip is SniffFile for the table inside an archive.
func sniffZip(name string, f File, r columns.Reading) (*Layout, error) {
	entries, err := zipEntries(f, name)
	if err != nil {
		return nil, err
	}
	if format := formatOf(entries); format != AnyFormat && r.Format == "" && r.Compression == "" {
		if err := r.Validate(); err != nil {
			return nil, err
		}
		l := newLayout(name, format, r) // which does not count as compressed
		if err := l.sniffColumnar(f); err != nil {
			return nil, err
		}
		return l, nil
	}
	e, err := tableOf(f, name, entries)
	if err != nil {
		return nil, err
	}
	inside, guessed := name+"/"+e.name, r.Compression == ""
	r.Compression = NotCompressed.String()
	const least, most = 256 << 10, 16 << 20
	for n := int64(least); ; n *= 4 {
		content, err := e.open(f, inside)
		if err != nil {
			return nil, err
		}
		head, err := io.ReadAll(io.LimitReader(content, n+1))
		if err != nil {
			return nil, err
		}
		whole := int64(len(head)) <= n || n >= most
		head = head[:min(int64(len(head)), n)]
		if sniffCompression(head) != NotCompressed {
			return nil, newProblem(inside, "the file is compressed twice", "unpack it once")
		}
		l, err := sniff(inside, head, whole, r)
		if err == ErrShortHead {
			continue
		}
		if err != nil {
			return nil, err
		}
		l.Compression, l.entry = Zip, e
		if others := len(entries) - 1; others > 0 {
			names := make([]string, 0, others)
			for i := range entries {
				if entries[i].name != e.name {
					names = append(names, entries[i].name)
				}
			}
			l.note(columns.Note{Code: columns.NotePart, Count: int64(others), What: "array " + columns.Quoted(e.name) +
				" is read, and not " + someOf(names), Remedy: "save the others with numpy.save if you need them"})
		}
		if l.Format.isColumnar() {
			if err := l.sniffColumnar(f); err != nil {
				return nil, err
			}
		}
		if guessed {
			l.Guessed = append([]string{"compression"}, l.Guessed...)
		}
		return l, nil
	}
}
