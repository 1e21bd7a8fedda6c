package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConstant(t *testing.T) {
	source := []byte("package p\nconst other = 1\nconst script = \"a\\n\\\"b\\\"\"\n")
	if got, err := constant(source, "script"); got != "a\n\"b\"" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	for _, name := range []string{"other", "missing"} {
		if _, err := constant(source, name); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := constant([]byte("no go"), "script"); err == nil {
		t.Error("no Go source: no error")
	}
}

// TestWrite: the script is there, and defines what the renderer calls.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "helper.js")
	if err := write(path); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vuguRender", "vuguGetRenderArray", "vuguSetEventHandler", "vuguSetCallbackHandler"} {
		if !strings.Contains(string(script), "window."+name+"=") {
			t.Errorf("the script does not define %s", name)
		}
	}
	for _, edit := range edits {
		if strings.Count(string(script), edit.by) != edit.times {
			t.Errorf("the script is not edited: %s", edit.by)
		}
	}
	if !strings.Contains(string(script), "const vuguSetHTML =") {
		t.Error("the script does not define vuguSetHTML")
	}
}

// TestEdited: a script of another version, which does something else, is refused.
func TestEdited(t *testing.T) {
	for _, script := range []string{"", "x.el.textContent=e", strings.Repeat(edits[0].part, 2)} {
		if _, err := edited(script); err == nil {
			t.Errorf("%q: no error", script)
		}
	}
}
