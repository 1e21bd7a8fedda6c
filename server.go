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
	"net/url"
	"os"
	"os/signal"
	"path"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// contentSecurityPolicy keeps the page from talking to anybody but its own
// origin. Workers do not inherit the page's policy, so it is on every response.
// Any site may frame the page: teachers embed it.
const contentSecurityPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
	"connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors *"

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
	for _, name := range []string{"index.html", "ui.wasm"} {
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
		server.Close() // whoever is still downloading has had five seconds
	}
	return nil
}

// newServer serves the files below root, and waits for no client for ever.
func newServer(root *os.Root) *http.Server {
	return &http.Server{
		Handler:           handler(root),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,

		DisableGeneralOptionsHandler: true, // "OPTIONS *" is refused like any other method
	}
}

// browserURL is where a browser on this machine finds the listener: a server
// on all addresses (-addr :8080) is reached as localhost.
func browserURL(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// handler serves the files below root: GET and HEAD only, a folder as its
// index.html, no listings and nothing whose name starts with a dot.
func handler(root *os.Root) http.Handler {
	tags := &tagCache{byName: map[string]tagged{}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			header.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are served here", http.StatusMethodNotAllowed)
			return
		}

		name, ok := fileName(r.URL.Path)
		if !ok {
			http.NotFound(w, r)
			return
		}
		if name == releaseName {
			serveRelease(w, r, root)
			return
		}
		info, err := root.Stat(name)
		if err == nil && info.IsDir() {
			if !strings.HasSuffix(r.URL.Path, "/") {
				slashed := url.URL{Path: path.Base(name) + "/", RawQuery: r.URL.RawQuery}
				http.Redirect(w, r, slashed.String(), http.StatusMovedPermanently)
				return
			}
			name = path.Join(name, "index.html")
			info, err = root.Stat(name)
		} else if strings.HasSuffix(r.URL.Path, "/") {
			err = fs.ErrNotExist
		}
		if isExhausted(err) {
			serverError(w, err)
			return
		}
		if err != nil || !info.Mode().IsRegular() {
			http.NotFound(w, r)
			return
		}
		serveFile(w, r, root, tags, name, info.ModTime())
	})
}

// fileName is the path below the root that a URL path names, or false for one
// that climbs, has an empty element or names a dotfile. os.Root would refuse
// the climbing ones too; here they do not even reach the file system.
func fileName(urlPath string) (string, bool) {
	name := strings.TrimSuffix(strings.TrimPrefix(urlPath, "/"), "/")
	if name == "" {
		return ".", true
	}
	return name, fs.ValidPath(name) && !strings.HasPrefix(name, ".") && !strings.Contains(name, "/.")
}

// serveFile sends one file, as it is or as the .br or .gz file beside it. The
// ETag is a hash of the bytes that are sent, so a rebuilt file is fetched again
// and an unchanged one answers 304.
func serveFile(w http.ResponseWriter, r *http.Request, root *os.Root, tags *tagCache, name string, modified time.Time) {
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", "Accept-Encoding")

	sent := name
	if suffix, coding := precompressed(r, root, name, modified); coding != "" {
		sent += suffix
		header.Set("Content-Encoding", coding)
	}
	file, err := root.Open(sent)
	if err != nil {
		serverError(w, err)
		return
	}
	defer file.Close()
	tag, size, err := tags.of(sent, file)
	if err != nil {
		serverError(w, err)
		return
	}
	header.Set("ETag", tag)
	if sent != name {
		header.Set("Content-Length", strconv.FormatInt(size, 10)) // ServeContent sets it for plain files only
	}
	http.ServeContent(w, r, sent, time.Time{}, file) // ranges, conditions and HEAD
}

// A tagCache holds the ETags of files by name: hashing 5 MB takes milliseconds.
type tagCache struct {
	mu     sync.Mutex
	byName map[string]tagged
}

type tagged struct {
	info os.FileInfo
	tag  string
}

// settled is how old a file is when its ETag is kept: one written twice within
// the clock of a file system looks the same.
const settled = 2 * time.Second

// of returns the ETag and the size of an open file.
func (c *tagCache) of(name string, file *os.File) (tag string, size int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return "", 0, err
	}
	c.mu.Lock()
	had, ok := c.byName[name]
	c.mu.Unlock()
	if ok && os.SameFile(info, had.info) && info.Size() == had.info.Size() && info.ModTime().Equal(had.info.ModTime()) {
		return had.tag, info.Size(), nil
	}
	hash := sha256.New()
	if size, err = io.Copy(hash, file); err != nil {
		return "", 0, err
	}
	tag = `"` + hex.EncodeToString(hash.Sum(nil)[:16]) + `"`
	if size == info.Size() && time.Since(info.ModTime()) > settled {
		c.mu.Lock()
		c.byName[name] = tagged{info, tag}
		c.mu.Unlock()
	}
	return tag, size, nil
}

// serveRelease sends release.js, made of the files as they are now.
func serveRelease(w http.ResponseWriter, r *http.Request, root *os.Root) {
	script, err := releaseScript(root.FS())
	if err != nil {
		serverError(w, err)
		return
	}
	w.Header().Set("Content-Type", contentType(releaseName))
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, releaseName, time.Time{}, bytes.NewReader(script))
}

// serverError reports a file that was there a moment ago and cannot be read, or
// that there are too many connections to open it now.
func serverError(w http.ResponseWriter, err error) {
	for _, name := range []string{"Content-Encoding", "Cache-Control", "Vary"} {
		w.Header().Del(name)
	}
	if isExhausted(err) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too many files and connections are open: try again in a moment", http.StatusServiceUnavailable)
		return
	}
	http.Error(w, "cannot read the file", http.StatusInternalServerError)
}

// isExhausted tells whether no more files can be opened because of those that are.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// precompressed chooses among the .br and .gz files beside name the one the
// client prefers: its suffix and content coding, or two empty strings. One
// older than the file itself is stale and passed over; ranges are counted in
// the bytes of the plain file.
func precompressed(r *http.Request, root *os.Root, name string, modified time.Time) (suffix, coding string) {
	if r.Header.Get("Range") != "" {
		return "", ""
	}
	accept := strings.Join(r.Header.Values("Accept-Encoding"), ",")
	best, _ := quality(accept, "identity")
	for _, c := range []struct{ suffix, coding string }{{".gz", "gzip"}, {".br", "br"}} { // br wins a tie
		q, named := quality(accept, c.coding)
		if !named || q == 0 || q < best {
			continue
		}
		if info, err := root.Stat(name + c.suffix); err == nil && info.Mode().IsRegular() && !info.ModTime().Before(modified) {
			best, suffix, coding = q, c.suffix, c.coding
		}
	}
	return suffix, coding
}

// quality is the q-value that an Accept-Encoding header gives a coding, by its
// name or else by "*"; named tells whether it gives one. A q-value outside
// 0 … 1 counts as 0.
func quality(accept, coding string) (q float64, named bool) {
	for item := range strings.SplitSeq(accept, ",") {
		token, parameter, weighted := strings.Cut(item, ";")
		token = strings.TrimSpace(token)
		if !strings.EqualFold(token, coding) && (token != "*" || named) {
			continue
		}
		q, named = 1, true
		if weighted {
			name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			weight, err := strconv.ParseFloat(value, 64)
			if !strings.EqualFold(name, "q") || err != nil || !(weight >= 0 && weight <= 1) {
				weight = 0
			}
			q = weight
		}
	}
	return q, named
}

// contentType is a fixed table, because package mime asks the machine's own
// tables, and takes .ts for video.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".ts", ".txt", ".md":
		return "text/plain; charset=utf-8"
	case ".csv":
		return "text/csv; charset=utf-8"
	case ".json":
		return "application/json"
	case ".wasm":
		return "application/wasm"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	}
	return "application/octet-stream" // .npy among them
}
