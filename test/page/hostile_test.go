//go:build !js

package page

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/test/cases"
)

const nextGood = "a,b\n1,2\n3,4\n5,6\n"

// TestHostileFiles: a file that once stopped the reader for good is refused or read, and the next good file is
// embedded. Files are chosen by the button and a mouse.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	names := filepath.Join(cases.Folder(t, "hostile"), "same-names-16000.csv")
	v := visitEmbed(t, "#/embed?nComponents=64")
	commas := v.write("commas.csv", strings.Repeat(",", 8_000_000))
	good := v.write("good.csv", nextGood)
	press := func() { v.pressByMouse("#choose") }

	v.chooseBy(press, commas)
	v.until("#problem", "commas.csv, line 1: the row has more than 262144 cells; write it as LIBSVM, which is sparse.")
	v.readyAfter(func() { v.chooseBy(press, good) })
	v.says(".origin strong", "good.csv")

	v.readyAfter(func() { v.chooseBy(press, names) })
	v.says(".origin strong", "same-names-16000.csv")
	v.readyAfter(func() { v.drop("dropped.csv", nextGood) })
	v.says(".origin strong", "dropped.csv")
}

// TestDropFolder: of a folder the page says that it is none of its files, and the next file is embedded.
func TestDropFolder(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	v.altered = true
	good := v.write("good.csv", nextGood)
	h := newVisitor(v, 1)
	h.drag(filepath.Dir(good))
	v.until("#problem", filepath.Base(filepath.Dir(good))+" cannot be read: it is a folder, or a file that has changed "+
		"or moved since it was chosen. Choose a file.")
	v.readyAfter(func() { h.drag(good) })
	v.says(".origin strong", "good.csv")
	v.says("#problem", "")
}

// TestChooseWhileReading: a file that is chosen while another one is read ends that one at once. The page says what it
// reads.
func TestChooseWhileReading(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	header := &strings.Builder{}
	for i := range 1 << 18 {
		header.WriteString(",column number " + strings.Repeat("x", 9) + string(rune('a'+i%26)))
	}
	// Sixteen compressed megabytes of names take the reader seconds.
	wide := v.write("wide.csv", header.String()[1:]+"\n"+strings.Repeat("1,", 1<<18-1)+"1\n")
	good := v.write("good.csv", nextGood)
	for name, choose := range map[string]func(){
		"mouse": func() { v.chooseBy(func() { v.pressByMouse("#choose") }, good) },
		"drop":  func() { v.drop("good.csv", nextGood) },
	} {
		v.chooseBy(func() { v.pressByMouse("#choose") }, wide)
		v.until(".notes", "Reading wide.csv. You may choose another file meanwhile.")
		started := time.Now()
		v.readyAfter(choose)
		t.Logf("%s: embedded after %v", name, time.Since(started))
		v.says(".origin strong", "good.csv")
		v.says(".notes", "")
		if problem := v.text("#problem"); problem != "" {
			t.Errorf("%s: the page says %q", name, problem)
		}
	}
}
