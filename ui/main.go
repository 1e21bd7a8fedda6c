//go:build !js

// Command ui is the application of the page. It runs in a browser: build.sh compiles it for js/wasm. Built for any
// other platform, it only prints that.
package main

import "os"

func main() {
	os.Stderr.WriteString("ui runs in a browser: ./build.sh serve builds and serves it\n")
	os.Exit(1)
}
