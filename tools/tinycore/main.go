// Command tinycore does what TinyGo, LLVM and the linker do not for tensorsketch.tiny.wasm.
//
//	tinycore ir <core.ll >small.ll
//	tinycore split EXPORTS core.ll linked.wasm core.wasm more.wasm
//
// The first takes out of LLVM's text what the core has no use for (ir.go). The second
// splits the linked module, with its names, in two: what is needed only by exports that
// the regular expression EXPORTS matches in full goes to the second (split.go). Both
// give the same bytes for the same input.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tinycore:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "ir":
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		small, err := shrink(string(text))
		if err != nil {
			return err
		}
		_, err = io.WriteString(os.Stdout, small)
		return err
	case len(args) == 6 && args[0] == "split":
		exports, err := regexp.Compile("^(?:" + args[1] + ")$")
		if err != nil {
			return err
		}
		text, err := os.ReadFile(args[2])
		if err != nil {
			return err
		}
		linked, err := os.ReadFile(args[3])
		if err != nil {
			return err
		}
		core, more, err := split(string(text), linked, exports)
		if err != nil {
			return err
		}
		if err := os.WriteFile(args[4], core, 0o644); err != nil {
			return err
		}
		return os.WriteFile(args[5], more, 0o644)
	}
	return errors.New("usage: tinycore ir | split EXPORTS core.ll linked.wasm core.wasm more.wasm")
}
