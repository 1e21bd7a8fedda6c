// Command vugugen generates the Go code of the .vugu files of a folder, as Vugu's
// own command of that name does, but without the line breaks and indentation
// between tags, more than half of the nodes that the page would be made of, without
// package log, and with calls of ui/nodes.go for what it would write out.
//
//	go run ./tools/vugugen FOLDER
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/vugugen FOLDER")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "vugugen:", err)
		os.Exit(1)
	}
}

// generate has Vugu generate in a copy of the folder, and takes over the result.
// Generated files that come from no .vugu file any more are removed.
func generate(folder string) error {
	work, err := os.MkdirTemp("", "vugugen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := each(folder, func(name string, text []byte) error {
		switch {
		case strings.HasSuffix(name, "_gen.go"):
			return nil
		case strings.HasSuffix(name, ".vugu"):
			text = tight(text)
		}
		return os.WriteFile(filepath.Join(work, name), text, 0o644)
	}); err != nil {
		return err
	}
	if out, err := exec.Command("go", "tool", "vugugen", "-skip-main", "-skip-go-mod", work).CombinedOutput(); err != nil {
		return fmt.Errorf("go tool vugugen: %w\n%s", err, out)
	}
	if err := each(folder, func(name string, _ []byte) error {
		if _, err := os.Stat(filepath.Join(work, name)); strings.HasSuffix(name, "_gen.go") && os.IsNotExist(err) {
			return os.Remove(filepath.Join(folder, name))
		}
		return nil
	}); err != nil {
		return err
	}
	return each(work, func(name string, text []byte) error {
		if !strings.HasSuffix(name, "_gen.go") {
			return nil
		}
		text, err := format.Source(tidy(text))
		if err == nil {
			text, err = format.Source(short(text))
		}
		if err != nil {
			return err
		}
		name = filepath.Join(folder, name)
		if had, err := os.ReadFile(name); err == nil && bytes.Equal(had, text) {
			return nil // others may be compiling it
		}
		return os.WriteFile(name, text, 0o644)
	})
}

// each calls f for the files of a folder.
func each(folder string, f func(name string, text []byte) error) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		if err := f(entry.Name(), text); err != nil {
			return err
		}
	}
	return nil
}

var notes = regexp.MustCompile(`(?m)^\t+//.*\n`)

// emptied sets the content of an element that has none and no attribute that changes.
var emptied = regexp.MustCompile(`(?m)^\t+vgn\.SetInnerHTML\(vugu\.HTML\(""\)\)\n`)

// tidy leaves out package log, which generated code imports and does not use, and the
// notes of Vugu's authors within functions. It leaves out what would empty a host at each
// rendering: what is written into it anew loses a press that has begun, and its focus.
func tidy(text []byte) []byte {
	text = notes.ReplaceAll(text, nil)
	text = emptied.ReplaceAll(text, nil)
	text = bytes.Replace(text, []byte("import \"log\"\n"), nil, 1)
	return bytes.Replace(text, []byte("var _ log.Logger\n"), nil, 1)
}

var between = regexp.MustCompile(`>(\s*)(<[^>]*)`)

// tight leaves out what is between two tags if a line ends there. A space that is
// meant is on one line with its tags. Before a tag that may be absent there is a
// line break all the same: Vugu leaves alone what is in an element that it knows
// nothing in, so the last of a list would never go.
func tight(text []byte) []byte {
	return between.ReplaceAllFunc(text, func(match []byte) []byte {
		tag := match[bytes.IndexByte(match, '<'):]
		blank := match[1 : len(match)-len(tag)]
		if len(blank) > 0 && !bytes.ContainsRune(blank, '\n') {
			return match
		}
		if bytes.Contains(tag, []byte(" vg-if=")) || bytes.Contains(tag, []byte(" vg-for=")) {
			return append([]byte(">\n"), tag...)
		}
		return append([]byte(">"), tag...)
	})
}
