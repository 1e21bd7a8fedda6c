package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// text is LLVM's of a core with two exports, in the forms that TinyGo's has.
const text = `@"reflect/types.type:named:a.T" = internal constant { i8, ptr } ` +
	`{ i8 122, ptr @"reflect/types.type:pointer:named:a.T" }, align 4
@"reflect/types.type:pointer:named:a.T" = internal constant { i8, ptr } ` +
	`{ i8 -43, ptr @"reflect/types.type:named:a.T" }, align 4
@table = internal unnamed_addr constant [1 x ptr] [ptr @"held\C3\97"]

define i32 @"main.core#wasmexport"(i32 %0) #1 {
entry:
  %1 = call fastcc i32 @shared(i32 %0)
  %2 = icmp eq ptr null, @"reflect/types.type:named:a.T"
  ret i32 %1
}

define i32 @"main.more#wasmexport"(i32 %0) #1 {
  %1 = call fastcc i32 @shared(i32 %0)
  %2 = call fastcc i32 @own(i32 %1)
  ret i32 %2
}

define internal fastcc i32 @shared(i32 %0) unnamed_addr #0 {
  %p = load ptr, ptr @table, align 4
  tail call void @llvm.trap()
  unreachable
}

define internal i32 @"held\C3\97"(i32 %0) {
  ret i32 %0
}

define internal fastcc i32 @own(i32 %0) unnamed_addr #0 {
  ret i32 %0
}
`

func TestShrink(t *testing.T) {
	got, err := shrink(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"@\"reflect/types.type:named:a.T\" = internal global i32 0, align 4\n",
		"@\"reflect/types.type:pointer:named:a.T\" = internal global i32 0, align 4\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if _, functions, _ := strings.Cut(text, "@table"); !strings.HasSuffix(got, functions) {
		t.Error("more than the descriptions has changed")
	}
	for name, bad := range map[string]string{
		"reflection":             text + "define internal fastcc i1 @runtime.interfaceEqual(ptr %0) {\n}\n",
		"a method of reflection": text + "define internal fastcc i8 @\"(*internal/reflectlite.RawType).Kind\"(ptr %0) {\n}\n",
	} {
		if _, err := shrink(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestReached(t *testing.T) {
	refers := references(text)
	for root, want := range map[string][]string{
		"main.core#wasmexport": {"held×", "llvm.trap", "main.core#wasmexport", "reflect/types.type:named:a.T",
			"reflect/types.type:pointer:named:a.T", "shared", "table"},
		"own": {"own"},
	} {
		var got []string
		for name := range reached(refers, []string{root}) {
			got = append(got, name)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s reaches %q, want %q", root, got, want)
		}
	}
}

// linked is a module of the functions of text, with a table and a memory.
func linked() []byte {
	section := func(id byte, content ...byte) []byte { return append([]byte{id, byte(len(content))}, content...) }
	names := []byte("\x04name\x01")
	var functions []byte
	for i, name := range []string{"host", "main.core#wasmexport", "main.more#wasmexport", "shared", "held×", "own"} {
		functions = appendText(append(functions, byte(i)), name)
	}
	names = append(append(names, byte(len(functions)+1), 6), functions...)
	code := []byte{5}
	for _, body := range []string{
		"\x00\x20\x00\x10\x03\x0b",                                         // core: shared
		"\x00\x20\x00\x10\x03\x10\x05\x0b",                                 // more: shared, own
		"\x01\x01\x7f\x20\x00\x41\x01\x11\x00\x00\x0b",                     // shared: what is in the table at 1
		"\x00\x20\x00\x10\x00\x0b",                                         // held: host
		"\x00\x20\x00\x10\x00\x44\x10\x05\x10\x05\x10\x05\x10\x05\x1a\x0b", // own: host, and a float64 of bytes like calls
	} {
		code = appendText(code, body)
	}
	return slices.Concat([]byte(preamble),
		section(sectionType, 1, 0x60, 1, 0x7f, 1, 0x7f),
		section(sectionImport, append([]byte{1}, "\x01e\x04host\x00\x00"...)...),
		section(sectionFunction, 5, 0, 0, 0, 0, 0),
		section(sectionTable, 1, 0x70, 0, 2),
		section(sectionMemory, 1, 0, 1),
		section(sectionExport, append([]byte{3}, "\x07ts_core\x00\x01\x07ts_more\x00\x02\x03mem\x02\x00"...)...),
		section(sectionElement, append([]byte{1, 0, opI32Const, 1, 0x0b}, 1, 4)...),
		section(sectionCode, code...),
		section(sectionCustom, names...))
}

func TestSplit(t *testing.T) {
	module := linked()
	core, more, err := split(text, module, regexp.MustCompile("^ts_more$"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := parse(core)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(m.functions), 3; got != want { // core, shared, held
		t.Errorf("the core has %d functions, want %d", got, want)
	}
	var names []string
	for _, e := range m.exports {
		names = append(names, e.name)
	}
	if slices.Contains(names, "ts_more") || !slices.Contains(names, "ts_core") {
		t.Errorf("the core exports %q", names)
	}
	for _, want := range []string{"\x07ts_more\x00", "core", "\x01e\x04host\x00",
		"\x44\x10\x05\x10\x05\x10\x05\x10\x05\x1a"} {
		if !bytes.Contains(more, []byte(want)) {
			t.Errorf("the second module has no %q", want)
		}
	}
	if again, _, _ := split(text, module, regexp.MustCompile("^ts_more$")); !bytes.Equal(again, core) {
		t.Error("a second time gives other bytes")
	}
	if _, _, err := split(text, module, regexp.MustCompile("^ts_nothing$")); err == nil {
		t.Error("nothing to move: no error")
	}
	// LLVM's text of another module, by which the core would call what it has not.
	other := strings.Replace(text, "%1 = call fastcc i32 @shared(i32 %0)\n  %2 = icmp", "%2 = icmp", 1)
	if _, _, err := split(other, module, regexp.MustCompile("^ts_more$")); err == nil {
		t.Error("a core that calls the second module: no error")
	}
}

func TestCutShort(t *testing.T) {
	module := linked()
	whole := map[int]bool{} // what ends with a section
	for at := len(preamble); at < len(module); at += 2 + int(module[at+1]) {
		whole[at] = true
	}
	for n := range module {
		if _, err := parse(module[:n]); (err == nil) != whole[n] {
			t.Errorf("%d of %d bytes: error %v", n, len(module), err)
		}
	}
}
