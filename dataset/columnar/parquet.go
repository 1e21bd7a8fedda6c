package columnar

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"tensorsketch.example/dataset"
)

func init() {
	register(dataset.Parquet, openParquet, func(b *rowBuffer) dataset.Writer { return &parquetWriter{b} })
}

const parquetMagic = "PAR1"

// A parquetFile is an open Parquet file.
type parquetFile struct {
	facts
	file   *file
	leaves []parquetColumn
	groups []rowGroup

	group   int            // current row group
	row, n  int64          // the strip: its first row in the group, and its number of rows
	chunks  []*chunkReader // of the group, by column; nil until one is read
	held    int            // bytes of the pages and dictionaries of chunks
	unpack  unpacker
	scratch vector
}

type rowGroup struct {
	rows   int64
	chunks []chunk
}

// A chunk is a column of a row group.
type chunk struct {
	codec      int64
	values     int64
	at, length int64  // of its first page, of all
	note       string // what it holds that cannot be read, and what helps
	remedy     string
}

func openParquet(f *file) table {
	size := f.Size()
	check(size >= 12, "the file is shorter than any Parquet")
	tail := f.part(size-8, 8)
	if string(tail[4:]) == "PARE" {
		refuse("the file is encrypted", "write it without encryption")
	}
	check(string(tail[4:]) == parquetMagic, "the file does not end as Parquet does, with "+parquetMagic)
	length := int64(binary.LittleEndian.Uint32(tail))
	check(length <= size-12, "its footer is longer than the file")
	if length > mostMetadata {
		refuse("its footer has more than 32 MB", "write it with fewer columns or larger row groups")
	}
	p := &parquetFile{file: f}
	p.readFooter(newThriftReader(f.part(size-8-length, length)))
	p.rewind()
	return p
}

func (p *parquetFile) readFooter(t *thriftReader) {
	var schema schemaReader
	var arrow []byte
	t.structure(func(id int64, kind byte) {
		switch id {
		case 2:
			t.list(func(byte) {
				if len(schema.elements) > 2*mostColumns {
					tooManyColumns()
				}
				schema.elements = append(schema.elements, readSchemaElement(t))
			})
		case 4:
			t.list(func(byte) {
				from := t.at
				g := readRowGroup(t)
				check(len(schema.elements) != 1, noColumns) // the root alone
				check(len(g.chunks) > 0 && (t.at-from)/leastChunk >= len(g.chunks), "a row group lists columns without a place")
				p.groups = append(p.groups, g)
			})
		case 5:
			t.list(func(byte) {
				if key, value := readKeyValue(t); key == "ARROW:schema" {
					arrow = value
				}
			})
		default:
			t.skip(kind)
		}
	})
	check(len(schema.elements) > 0, "its footer has no schema")
	schema.at = 1 // below the root
	root := schema.elements[0].children
	check(root >= 0 && root < int64(len(schema.elements)), "its schema has more columns than there are")
	for range root {
		schema.node(path{})
	}
	p.leaves = schema.columns
	p.useArrow(arrow)
	for i := range p.leaves {
		p.columns = append(p.columns, p.leaves[i].column)
	}
	for i := range p.groups {
		g := &p.groups[i]
		check(len(g.chunks) == len(p.leaves), "a row group has another number of columns than the schema")
		check(g.rows >= 0 && g.rows <= math.MaxInt64-p.rows, "a row group has an impossible number of rows")
		p.rows += g.rows
		for k := range g.chunks {
			if c := &p.columns[k]; c.note == "" {
				c.note, c.remedy = g.chunks[k].note, g.chunks[k].remedy
			}
		}
	}
	p.bytesPerRow = float64(p.file.Size()) / float64(max(p.rows, 1))
}

func readKeyValue(t *thriftReader) (key string, value []byte) {
	t.structure(func(id int64, kind byte) {
		switch id {
		case 1:
			key = string(t.binary())
		case 2:
			value = t.binary()
		default:
			t.skip(kind)
		}
	})
	return key, value
}

// useArrow takes durations, which Parquet stores as integers, from the schema that Arrow's libraries leave in the
// metadata: a message, in base64. A schema that cannot be read is not used.
func (p *parquetFile) useArrow(text []byte) {
	message, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil || len(message) < 8 {
		return
	}
	units := map[string]int64{} // of durations
	_ = guard("", nowhere, func() {
		head, _ := flatRoot(message[8:]).table(2)
		for _, c := range readArrowSchema(head).columns {
			if c.isDuration {
				units[c.name] = c.unit
			}
		}
	})
	for i := range p.leaves {
		c := &p.leaves[i]
		if unit := units[c.name]; unit > 0 && c.meaning == signed && c.physical == parquetInt64 {
			c.meaning, c.unit = clock, unit
		}
	}
}

func readRowGroup(t *thriftReader) (g rowGroup) {
	t.numbers(thriftFields{3: &g.rows}, func(id int64, kind byte) {
		if id == 1 {
			t.list(func(byte) { g.chunks = append(g.chunks, readChunk(t)) })
		} else {
			t.skip(kind)
		}
	})
	return g
}

func readChunk(t *thriftReader) (c chunk) {
	data, dictionary := int64(-1), int64(-1)
	t.structure(func(id int64, kind byte) {
		switch id {
		case 1:
			t.skip(kind)
			c.note, c.remedy = "values in another file", "open that file"
		case 3:
			t.numbers(thriftFields{4: &c.codec, 5: &c.values, 7: &c.length, 9: &data, 11: &dictionary}, nil)
		case 8, 9:
			t.skip(kind)
			c.note, c.remedy = "encrypted values", "write the file without encryption"
		default:
			t.skip(kind)
		}
	})
	if c.note == "" && (c.codec < codecNone || c.codec == codecLZO || c.codec > codecLZ4Raw) {
		c.note = "values compressed by method " + strconv.FormatInt(c.codec, 10) + " of Parquet, which is not known here"
		c.remedy = "write it with snappy, gzip, zstd, brotli or lz4"
	}
	c.at = data
	if dictionary > 0 && dictionary < data { // some writers say 0 where there is none
		c.at = dictionary
	}
	return c
}

func (p *parquetFile) rewind() {
	p.group, p.row, p.n = -1, 0, 0
	p.nextGroup()
}

func (p *parquetFile) nextGroup() {
	p.group++
	p.row, p.n, p.held = 0, 0, 0
	p.chunks = make([]*chunkReader, len(p.leaves))
}

func (p *parquetFile) next(n int) int {
	p.row += p.n
	p.n = 0
	for p.group < len(p.groups) && p.row == p.groups[p.group].rows {
		p.nextGroup()
	}
	if p.group < len(p.groups) {
		p.n = min(int64(n), p.groups[p.group].rows-p.row)
	}
	return int(p.n)
}

func (p *parquetFile) read(i int, v *vector) {
	c := p.chunks[i]
	if c == nil {
		c = newChunkReader(p, &p.leaves[i], p.groups[p.group].chunks[i])
		p.chunks[i] = c
	}
	width := p.columns[i].width
	if p.leaves[i].maxRep > 0 {
		c.readLists(v, int(p.n), width)
	} else {
		c.read(v, int(p.n))
	}
	if p.held > mostHeld {
		c.drop()
	}
}
