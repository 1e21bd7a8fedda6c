//go:build !js

// Command tensorsketch serves the page, its modules and its WebAssembly files
// to a browser on this machine. `./build.sh serve` builds and starts it.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// contentSecurityPolicy lets the page connect only to its own origin. Workers do not inherit the
// page's policy, so every response has it. Any page may frame this one: teachers
// embed it. So there is no frame-ancestors: its * would refuse slides that are opened from a disk.
const contentSecurityPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
	"connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; " +
	"form-action 'none'"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tensorsketch:", err)
		os.Exit(1)
	}
}

// run serves until SIGINT or SIGTERM. A second signal ends the program at once.
func run(args []string) error {
	flags := flag.NewFlagSet("tensorsketch", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // Parse would print the whole usage; main prints one line
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on")
	dir := flags.String("dir", "public", "folder to serve")
	list := flags.Bool("release", false, "print release.js for the folder instead, for a static host")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(os.Stdout)
		flags.Usage()
		return nil
	} else if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: the flags are -addr, -dir and -release", flags.Arg(0))
	}

	root, err := os.OpenRoot(*dir)
	if err != nil {
		return fmt.Errorf("cannot serve the folder: %w", err)
	}
	defer root.Close()
	for _, name := range []string{"index.html", "page/ui.wasm"} {
		if _, err := root.Stat(name); err != nil {
			return fmt.Errorf("%s has no %s: run ./build.sh first (-dir names another folder)", *dir, name)
		}
	}

	if *list {
		script, err := releaseScript(root.FS())
		if err == nil {
			_, err = os.Stdout.Write(script)
		}
		return err
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("%w (-addr names another address)", err)
	}
	server := newServer(root)
	fmt.Printf("Tensor Sketch is at %s (Ctrl-C ends it)\n", browserURL(listener.Addr()))
	if others := otherURLs(listener.Addr()); len(others) > 0 {
		fmt.Printf("Other machines reach it at %s, by http and so without offline use\n", strings.Join(others, " "))
	}

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close() // downloads still running have had five seconds
	}
	return nil
}

// newServer serves the files below root. Its timeouts limit how long it waits for any client.
func newServer(root *os.Root) *http.Server {
	return &http.Server{
		Handler:           handler(root),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}

// browserURL returns the URL at which a browser on this machine reaches the listener. A server on
// all addresses (-addr :8080) is reached as localhost.
func browserURL(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	if net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// otherURLs returns the URLs at which other machines reach a listener that listens on all addresses.
func otherURLs(addr net.Addr) (urls []string) {
	host, port, _ := net.SplitHostPort(addr.String())
	if !net.ParseIP(host).IsUnspecified() {
		return nil
	}
	addresses, _ := net.InterfaceAddrs() // without them nothing can be named
	for _, each := range addresses {
		if network, ok := each.(*net.IPNet); ok && network.IP.IsGlobalUnicast() {
			urls = append(urls, "http://"+net.JoinHostPort(network.IP.String(), port)+"/")
		}
	}
	return urls
}

// handler serves the files below root by GET and HEAD. The root folder is served as index.html;
// other folders, and names that start with a dot, are not found.
func handler(root *os.Root) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin") // no window that opened this one can reach it
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			header.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are served here", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		content, coding, err := read(root, name, r)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if coding != "" {
			header.Set("Content-Encoding", coding)
			header.Set("Content-Length", strconv.Itoa(len(content))) // ServeContent sets it for plain files only
		}
		hash := sha256.Sum256(content)
		header.Set("Content-Type", contentType(name))
		header.Set("Cache-Control", "no-cache")
		header.Set("Vary", "Accept-Encoding")
		header.Set("ETag", `"`+hex.EncodeToString(hash[:16])+`"`)            // a rebuilt file is fetched again
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content)) // ranges, conditions and HEAD
	})
}

// read returns the content to send for a file: release.js generated now, the .br or .gz file beside
// it with its coding, or the file itself. A compressed file older than the file is ignored as
// stale. Byte ranges always refer to the uncompressed file.
func read(root *os.Root, name string, r *http.Request) (content []byte, coding string, err error) {
	if !fs.ValidPath(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return nil, "", fs.ErrNotExist
	}
	if name == releaseName {
		content, err = releaseScript(root.FS())
		return content, "", err
	}
	plain, err := root.Stat(name)
	if err != nil {
		return nil, "", err
	}
	for _, c := range []struct{ suffix, coding string }{{".br", "br"}, {".gz", "gzip"}} {
		packed, err := root.Stat(name + c.suffix)
		if err == nil && !packed.ModTime().Before(plain.ModTime()) && accepts(r, c.coding) && r.Header.Get("Range") == "" {
			name, coding = name+c.suffix, c.coding
			break
		}
	}
	content, err = root.ReadFile(name)
	return content, coding, err
}

var weightZero = regexp.MustCompile(`(?i)^\s*q=0(\.0*)?\s*$`)

// accepts reports whether the client names the coding with a weight other than 0.
func accepts(r *http.Request, coding string) bool {
	for item := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		token, weight, _ := strings.Cut(item, ";")
		if strings.EqualFold(strings.TrimSpace(token), coding) {
			return !weightZero.MatchString(weight)
		}
	}
	return false
}

// contentTypes is a fixed table, because package mime reads the machine's own tables and maps .ts
// to video.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".ts":   "text/plain; charset=utf-8",
	".txt":  "text/plain; charset=utf-8",
	".md":   "text/plain; charset=utf-8",
	".csv":  "text/csv; charset=utf-8",
	".json": "application/json",
	".wasm": "application/wasm",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".ico":  "image/x-icon",
}

func contentType(name string) string {
	if known, ok := contentTypes[path.Ext(name)]; ok {
		return known
	}
	return "application/octet-stream" // for example .npy
}
