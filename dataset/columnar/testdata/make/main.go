// Command make writes the tables in the folder above with Apache Arrow's own library for
// Go: the same rows as Parquet and Arrow in many forms, and as CSV.
//
//	cd dataset/columnar/testdata/make && go run . ..
package main

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

const rows = 20

// A field is a column and what row i has in it: appended to a builder, and as the
// cells of CSV, empty where it is missing.
type field struct {
	name  string
	kind  arrow.DataType
	add   func(b array.Builder, i int)
	cells func(i int) []string
	names []string // of the cells, if there is not one
}

func number[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](name string, kind arrow.DataType, value func(i int) T) field {
	return field{name: name, kind: kind,
		add: func(b array.Builder, i int) { b.(interface{ Append(T) }).Append(value(i)) },
		cells: func(i int) []string {
			switch x := any(value(i)).(type) {
			case float32:
				return []string{strconv.FormatFloat(float64(x), 'g', -1, 64)} // the float64 that it is
			}
			return []string{fmt.Sprint(value(i))}
		}}
}

func fields(isArrow bool) []field {
	odd := func(i int) bool { return i%7 == 3 }
	moment := time.Date(1999, 12, 31, 23, 59, 58, 250_001_000, time.UTC)
	at := func(i int) time.Time { return moment.Add(time.Duration(i*i) * 977 * time.Minute) }
	fs := []field{
		number("i8", arrow.PrimitiveTypes.Int8, func(i int) int8 { return int8(i*13 - 128) }),
		number("i16", arrow.PrimitiveTypes.Int16, func(i int) int16 { return int16(i*1031 - 30000) }),
		number("i32", arrow.PrimitiveTypes.Int32, func(i int) int32 { return int32(i*214_748_364 - 1<<31) }),
		number("i64", arrow.PrimitiveTypes.Int64, func(i int) int64 { return int64(i) * math.MaxInt64 / rows }),
		number("u8", arrow.PrimitiveTypes.Uint8, func(i int) uint8 { return uint8(i * 4) }),
		number("u16", arrow.PrimitiveTypes.Uint16, func(i int) uint16 { return uint16(65535 - i) }),
		number("u32", arrow.PrimitiveTypes.Uint32, func(i int) uint32 { return math.MaxUint32 - uint32(i*i) }),
		number("u64", arrow.PrimitiveTypes.Uint64, func(i int) uint64 { return math.MaxUint64 - uint64(i)<<40 }),
		number("f32", arrow.PrimitiveTypes.Float32, func(i int) float32 { return float32(i) / 7 }),
		number("f64", arrow.PrimitiveTypes.Float64, func(i int) float64 { return float64(i-30) / 9 }),
		{name: "f16", kind: arrow.FixedWidthTypes.Float16,
			add: func(b array.Builder, i int) {
				b.(*array.Float16Builder).Append(float16.New(float32(i) / 8))
			},
			cells: func(i int) []string { return []string{fmt.Sprint(float64(i) / 8)} }},
		{name: "flag", kind: arrow.FixedWidthTypes.Boolean,
			add:   func(b array.Builder, i int) { b.(*array.BooleanBuilder).Append(i%3 == 0) },
			cells: func(i int) []string { return []string{map[bool]string{true: "1", false: "0"}[i%3 == 0]} }},
		{name: "price", kind: &arrow.Decimal128Type{Precision: 20, Scale: 3},
			add: func(b array.Builder, i int) {
				b.(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i*7919 - 200_000)))
			},
			cells: func(i int) []string {
				n := i*7919 - 200_000
				sign := ""
				if n < 0 {
					sign, n = "-", -n
				}
				return []string{fmt.Sprintf("%s%d.%03d", sign, n/1000, n%1000)}
			}},
		{name: "gap", kind: arrow.PrimitiveTypes.Float64,
			add: func(b array.Builder, i int) {
				if odd(i) {
					b.AppendNull()
				} else {
					b.(*array.Float64Builder).Append(float64(i) / 3)
				}
			},
			cells: func(i int) []string {
				if odd(i) {
					return []string{""}
				}
				return []string{fmt.Sprint(float64(i) / 3)}
			}},
		{name: "day", kind: arrow.FixedWidthTypes.Date32,
			add:   func(b array.Builder, i int) { b.(*array.Date32Builder).Append(arrow.Date32FromTime(at(i))) },
			cells: func(i int) []string { return []string{at(i).Format("2006-01-02")} }},
		{name: "when", kind: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
			add: func(b array.Builder, i int) {
				b.(*array.TimestampBuilder).Append(arrow.Timestamp(at(i).UnixMicro()))
			},
			cells: func(i int) []string { return []string{at(i).Format("2006-01-02T15:04:05.000000")} }},
		{name: "word", kind: arrow.BinaryTypes.String,
			add:   func(b array.Builder, i int) { b.(*array.StringBuilder).Append(word(i)) },
			cells: func(i int) []string { return []string{word(i)} }},
		{name: "label", kind: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
			add: func(b array.Builder, i int) {
				if err := b.(*array.BinaryDictionaryBuilder).AppendString(label(i)); err != nil {
					log.Fatal(err)
				}
			},
			cells: func(i int) []string { return []string{label(i)} }},
		{name: "pair", kind: arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Float64}, arrow.Field{Name: "y", Type: arrow.PrimitiveTypes.Int32}), names: []string{"pair.x", "pair.y"},
			add: func(b array.Builder, i int) {
				s := b.(*array.StructBuilder)
				s.Append(true)
				s.FieldBuilder(0).(*array.Float64Builder).Append(float64(i) / 11)
				s.FieldBuilder(1).(*array.Int32Builder).Append(int32(i))
			},
			cells: func(i int) []string { return []string{fmt.Sprint(float64(i) / 11), fmt.Sprint(i)} }},
		{name: "list", kind: arrow.ListOf(arrow.PrimitiveTypes.Float32), names: []string{"list[0]", "list[1]", "list[2]"},
			add: func(b array.Builder, i int) {
				l := b.(*array.ListBuilder)
				if odd(i) {
					l.AppendNull()
					return
				}
				l.Append(true)
				for k := range 3 {
					l.ValueBuilder().(*array.Float32Builder).Append(float32(i*3 + k))
				}
			},
			cells: func(i int) []string {
				if odd(i) {
					return []string{"", "", ""}
				}
				return []string{fmt.Sprint(3 * i), fmt.Sprint(3*i + 1), fmt.Sprint(3*i + 2)}
			}},
		{name: "fixed", kind: arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Uint8), names: []string{"fixed[0]", "fixed[1]"},
			add: func(b array.Builder, i int) {
				l := b.(*array.FixedSizeListBuilder)
				l.Append(true)
				l.ValueBuilder().(*array.Uint8Builder).AppendValues([]uint8{uint8(i), uint8(i + 1)}, nil)
			},
			cells: func(i int) []string { return []string{fmt.Sprint(i), fmt.Sprint(i + 1)} }},
		{name: "ragged", kind: arrow.ListOf(arrow.PrimitiveTypes.Int32), names: []string{},
			add: func(b array.Builder, i int) {
				l := b.(*array.ListBuilder)
				l.Append(true)
				for k := range i % 4 {
					l.ValueBuilder().(*array.Int32Builder).Append(int32(k))
				}
			},
			cells: func(int) []string { return nil }},
	}
	var view field
	view.name, view.kind, view.cells = "view", arrow.BinaryTypes.String, func(i int) []string { return []string{word(i)} }
	view.add = func(b array.Builder, i int) { b.(interface{ Append(string) }).Append(word(i)) }
	if isArrow {
		view.kind = arrow.BinaryTypes.StringView
	}
	return append(fs, view)
}

func word(i int) string {
	return []string{"", "é", "a word", "one, with a comma", "some words that are longer than twelve bytes"}[i%5]
}

func label(i int) string { return []string{"yes", "no"}[i*i%3%2] }

// record has the rows from … to. For row groups it is no slice of a longer one, of which
// v18.8.0 writes the lists of fixed size from the beginning.
func record(fs []field, from, to int) arrow.RecordBatch {
	var schema []arrow.Field
	for _, f := range fs {
		schema = append(schema, arrow.Field{Name: f.name, Type: f.kind, Nullable: true})
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(schema, nil))
	for i := from; i < to; i++ {
		for k, f := range fs {
			f.add(b.Field(k), i)
		}
	}
	return b.NewRecordBatch()
}

func csv(fs []field) []byte {
	var out bytes.Buffer
	line := func(cells func(f field) []string) {
		comma := ""
		for _, f := range fs {
			for _, cell := range cells(f) {
				fmt.Fprintf(&out, "%s%s", comma, quote(cell))
				comma = ","
			}
		}
		out.WriteByte('\n')
	}
	line(func(f field) []string {
		if f.names != nil {
			return f.names
		}
		return []string{f.name}
	})
	for i := range rows {
		line(func(f field) []string { return f.cells(i) })
	}
	return out.Bytes()
}

func quote(cell string) string {
	if bytes.ContainsAny([]byte(cell), ",") {
		return `"` + cell + `"`
	}
	return cell
}

func main() {
	folder := os.Args[1]
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	tiny := []field{fields(false)[0], fields(false)[13], fields(false)[16], fields(false)[19]} // to begin fuzzing with
	var small bytes.Buffer
	w, err := pqarrow.NewFileWriter(record(tiny, 2, 5).Schema(), &small, parquet.NewWriterProperties(parquet.WithStats(false), parquet.WithCompression(compress.Codecs.Snappy)), pqarrow.NewArrowWriterProperties())
	if err == nil {
		if err = w.Write(record(tiny, 2, 5)); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		log.Fatal(err)
	}
	write("seeds/tiny.parquet", small.Bytes())
	small.Reset()
	if w := ipc.NewWriter(&small, ipc.WithSchema(record(tiny, 2, 5).Schema()), ipc.WithLZ4()); w.Write(record(tiny, 2, 5)) != nil || w.Close() != nil {
		log.Fatal("tiny.arrow")
	}
	write("seeds/tiny.arrow", small.Bytes())

	fs := fields(false)
	write("table.csv", csv(fs))
	r := record(fs, 0, rows)
	for name, options := range map[string][]parquet.WriterProperty{
		"plain":  {parquet.WithDictionaryDefault(false), parquet.WithCompression(compress.Codecs.Uncompressed)},
		"snappy": {parquet.WithCompression(compress.Codecs.Snappy)},
		"groups": {parquet.WithCompression(compress.Codecs.Gzip), parquet.WithDataPageVersion(parquet.DataPageV2)},
		"pages":  {parquet.WithCompression(compress.Codecs.Lz4Raw), parquet.WithDataPageSize(60), parquet.WithBatchSize(8)},
		"brotli": {parquet.WithCompression(compress.Codecs.Brotli), parquet.WithDataPageVersion(parquet.DataPageV2)},
		"delta":  {parquet.WithDictionaryDefault(false), parquet.WithCompression(compress.Codecs.Zstd), parquet.WithEncoding(parquet.Encodings.Plain), parquet.WithEncodingFor("i32", parquet.Encodings.DeltaBinaryPacked), parquet.WithEncodingFor("i64", parquet.Encodings.DeltaBinaryPacked), parquet.WithEncodingFor("word", parquet.Encodings.DeltaByteArray), parquet.WithEncodingFor("label", parquet.Encodings.DeltaLengthByteArray), parquet.WithEncodingFor("f32", parquet.Encodings.ByteStreamSplit), parquet.WithEncodingFor("f64", parquet.Encodings.ByteStreamSplit)},
	} {
		var out bytes.Buffer
		w, err := pqarrow.NewFileWriter(r.Schema(), &out, parquet.NewWriterProperties(options...), pqarrow.NewArrowWriterProperties())
		if err != nil {
			log.Fatal(name, err)
		}
		parts := []arrow.RecordBatch{r}
		if name == "groups" {
			parts = []arrow.RecordBatch{record(fs, 0, 9), record(fs, 9, 18), record(fs, 18, rows)}
		}
		for _, part := range parts {
			if err := w.Write(part); err != nil {
				log.Fatal(name, err)
			}
		}
		if err := w.Close(); err != nil {
			log.Fatal(name, err)
		}
		write(name+".parquet", out.Bytes())
	}

	fs = fields(true)
	r = record(fs, 0, rows)
	for name, options := range map[string][]ipc.Option{"file": nil, "lz4": {ipc.WithLZ4()}, "stream": nil, "zstd-stream": {ipc.WithZstd()}} {
		var out bytes.Buffer
		options = append(options, ipc.WithSchema(r.Schema()))
		var w interface {
			Write(arrow.RecordBatch) error
			Close() error
		} = ipc.NewWriter(&out, options...)
		if name == "file" || name == "lz4" {
			var err error
			if w, err = ipc.NewFileWriter(&out, options...); err != nil {
				log.Fatal(name, err)
			}
		}
		for _, part := range []arrow.RecordBatch{r.NewSlice(0, 7), r.NewSlice(7, rows)} {
			if err := w.Write(part); err != nil {
				log.Fatal(name, err)
			}
		}
		if err := w.Close(); err != nil {
			log.Fatal(name, err)
		}
		write(name+".arrow", out.Bytes())
	}
}
