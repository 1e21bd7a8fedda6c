//go:build !js

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// must is for what is not under test.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

const (
	script    = "export const answer = 42;\n"
	largeSize = 32 << 20 // bytes of large.npy, more than the sockets of a connection hold
)

// siteFiles is a small site; the compressed files hold marks instead of
// compressed bytes, since the server only passes them on.
var siteFiles = map[string]string{
	"index.html":       "<!doctype html><title>root</title>\n",
	"page/ui.wasm":     "\x00asm\x01\x00\x00\x00",
	"app.js":           script,
	"app.js.br":        "brotli",
	"app.js.gz":        "gzip",
	"gzip-only.css":    "body { margin: 0 }\n",
	"gzip-only.css.gz": "gzip",
	"stale.js":         script,

	"api.d.ts":          "export {};\n",
	"features.npy":      "\x93NUMPY",
	"empty.txt":         "",
	"a b/index.html":    "<!doctype html><title>folder</title>\n",
	"no-index/page.txt": "text\n",
	"odd/index.html/x":  "a folder where a file is expected\n",
	".secret":           "secret\n",
	".git/config":       "secret\n",
	"a b/.hidden":       "secret\n",
}

// write puts files into a folder, with an age if it is not 0.
func write(t testing.TB, dir string, files map[string]string, age time.Duration) {
	t.Helper()
	at := time.Now().Add(-age)
	for name, text := range files {
		name = filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
		if age != 0 && err == nil {
			err = os.Chtimes(name, at, at)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func site(t testing.TB) string {
	t.Helper()
	parent := t.TempDir()
	dir := filepath.Join(parent, "site")
	write(t, dir, siteFiles, time.Second)
	write(t, dir, map[string]string{"stale.js.br": "old"}, time.Minute)
	write(t, parent, map[string]string{"outside.txt": "secret\n", "site/large.npy": ""}, 0)
	err := errors.Join(os.Truncate(filepath.Join(dir, "large.npy"), largeSize),
		os.Symlink("../outside.txt", filepath.Join(dir, "link.txt")))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// handlerIn serves a folder without a network.
func handlerIn(t testing.TB, dir string) http.Handler {
	t.Helper()
	root := must(os.OpenRoot(dir))
	t.Cleanup(func() { root.Close() })
	return handler(root)
}

func handlerFor(t *testing.T) http.Handler { return handlerIn(t, site(t)) }

// request asks the handler; headers are pairs of name and value.
func request(h http.Handler, method, target string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, response *http.Response) string {
	t.Helper()
	return string(must(io.ReadAll(response.Body)))
}

func TestFilesAndTypes(t *testing.T) {
	h := handlerFor(t)
	for target, want := range map[string]struct{ name, contentType string }{
		"/":                 {"index.html", "text/html; charset=utf-8"},
		"/index.html":       {"index.html", "text/html; charset=utf-8"},
		"/?embed=1":         {"index.html", "text/html; charset=utf-8"},
		"/a%20b/index.html": {"a b/index.html", "text/html; charset=utf-8"},
		"/page/ui.wasm":     {"page/ui.wasm", "application/wasm"},
		"/app.js":           {"app.js", "text/javascript; charset=utf-8"},
		"/api.d.ts":         {"api.d.ts", "text/plain; charset=utf-8"},
		"/features.npy":     {"features.npy", "application/octet-stream"},
		"/empty.txt":        {"empty.txt", "text/plain; charset=utf-8"},
	} {
		text := siteFiles[want.name]
		response := request(h, "GET", target)
		if got := body(t, response); response.StatusCode != 200 || got != text {
			t.Errorf("GET %s: %d %q, want 200 %q", target, response.StatusCode, got, text)
		}
		if got := response.Header.Get("Content-Type"); got != want.contentType {
			t.Errorf("GET %s: Content-Type %q, want %q", target, got, want.contentType)
		}
		response = request(h, "HEAD", target)
		got, length := body(t, response), response.Header.Get("Content-Length")
		if response.StatusCode != 200 || got != "" || length != fmt.Sprint(len(text)) {
			t.Errorf("HEAD %s: %d %q, length %s, want 200, no body, length %d",
				target, response.StatusCode, got, length, len(text))
		}
	}
}

func TestNotFound(t *testing.T) {
	h := handlerFor(t)
	for _, target := range []string{
		"/absent", "/a%20b", "/a%20b/", "/no-index", "/no-index/", "/odd/", "/index.html/", "/app.js/x", "/a%20b//index.html",
		"//app.js", "/.secret", "/%2esecret", "/.git/config", "/.git/", "/a%20b/.hidden", "/a%20b/../.secret",
		"/./index.html",
		"/../outside.txt", "/../site/app.js", "/a%20b/../../outside.txt", "/%2e%2e/outside.txt", "/..%2foutside.txt",
		"/..%5coutside.txt", "/%252e%252e%252foutside.txt", "/link.txt", "/index.html%00.js", "/%ff", "/C:/windows/win.ini",
		"/" + strings.Repeat("../", 40) + "etc/passwd", "/" + strings.Repeat("y", 5000), "/" + strings.Repeat("y/", 4000),
	} {
		response := request(h, "GET", target)
		text := body(t, response)
		if response.StatusCode != 404 || strings.Contains(text, "secret") || strings.Contains(text, "page.txt") {
			t.Errorf("GET %s: %d %q, want 404", target, response.StatusCode, text)
		}
	}
}

func TestMethods(t *testing.T) {
	h := handlerFor(t)
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get"} {
		response := request(h, method, "/app.js")
		if got := response.Header.Get("Allow"); response.StatusCode != 405 || got != "GET, HEAD" {
			t.Errorf("%s: %d, Allow %q, want 405, GET, HEAD", method, response.StatusCode, got)
		}
	}
}

func TestSecurityHeadersOnEveryResponse(t *testing.T) {
	h := handlerFor(t)
	for _, c := range []struct {
		status         int
		method, target string
		headers        []string
	}{
		{200, "GET", "/", nil},
		{200, "GET", "/app.js", []string{"Accept-Encoding", "br"}},
		{200, "GET", "/release.js", nil},
		{206, "GET", "/app.js", []string{"Range", "bytes=0-3"}},
		{304, "GET", "/app.js", []string{"If-None-Match", "*"}},
		{404, "GET", "/absent", nil},
		{404, "GET", "/.secret", nil},
		{405, "POST", "/", nil},
		{416, "GET", "/app.js", []string{"Range", "bytes=900-"}},
	} {
		response := request(h, c.method, c.target, c.headers...)
		if response.StatusCode != c.status {
			t.Errorf("%s %s: status %d, want %d", c.method, c.target, response.StatusCode, c.status)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
				"connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; " +
				"form-action 'none'",
			"X-Content-Type-Options": "nosniff",
			"Referrer-Policy":        "no-referrer",

			"Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := response.Header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s %s, status %d: %s is %q, want %q", c.method, c.target, c.status, name, got, want)
			}
		}
	}
}

func TestContentCoding(t *testing.T) {
	h := handlerFor(t)
	for _, c := range []struct{ target, accept, coding string }{
		{"/app.js", "", ""},
		{"/app.js", "identity", ""},
		{"/app.js", "gzip, deflate, br, zstd", "br"},
		{"/app.js", "BR", "br"},
		{"/app.js", "gzip", "gzip"},
		{"/app.js", "br;q=0, gzip", "gzip"},
		{"/app.js", "br ; q=0.0, gzip;q=0.000", ""},
		{"/app.js", "br;q=0.5", "br"},
		{"/app.js", "gzip;q=1.0, br;q=0.5", "br"}, // any weight but 0 will do
		{"/app.js", "*", ""},
		{"/app.js", "brotli, gzipped", ""},
		{"/gzip-only.css", "br, gzip;q=0.1", "gzip"},
		{"/index.html", "br, gzip", ""}, // has no compressed file
		{"/stale.js", "br, gzip", ""},   // its .br is older than itself
	} {
		var headers []string
		if c.accept != "" {
			headers = []string{"Accept-Encoding", c.accept}
		}
		response := request(h, "GET", c.target, headers...)
		want := map[string]string{"": siteFiles[c.target[1:]], "br": "brotli", "gzip": "gzip"}[c.coding]
		if got := body(t, response); got != want || response.Header.Get("Content-Encoding") != c.coding {
			t.Errorf("%s, Accept-Encoding %q: %q in coding %q, want %q in %q",
				c.target, c.accept, got, response.Header.Get("Content-Encoding"), want, c.coding)
		}
		if got := response.Header.Get("Content-Length"); got != fmt.Sprint(len(want)) {
			t.Errorf("%s, Accept-Encoding %q: Content-Length %q, want %d", c.target, c.accept, got, len(want))
		}
		if got := response.Header.Get("Vary"); got != "Accept-Encoding" {
			t.Errorf("%s: Vary %q", c.target, got)
		}
		if got := response.Header.Get("Content-Type"); got != contentType(c.target) {
			t.Errorf("%s, Accept-Encoding %q: Content-Type %q, want the one of the plain file", c.target, c.accept, got)
		}
	}
	response := request(h, "GET", "/app.js", "Accept-Encoding", "gzip", "Accept-Encoding", "br")
	if got := response.Header.Get("Content-Encoding"); got != "br" {
		t.Errorf("two Accept-Encoding lines: coding %q, want br", got)
	}
}

func TestRevalidation(t *testing.T) {
	h := handlerFor(t)
	plain := request(h, "GET", "/app.js")
	packed := request(h, "GET", "/app.js", "Accept-Encoding", "br")
	tag, packedTag := plain.Header.Get("ETag"), packed.Header.Get("ETag")
	if len(tag) < 10 || tag[0] != '"' || tag == packedTag {
		t.Errorf("ETags %s plain and %s packed, want two strong ones", tag, packedTag)
	}
	if got := plain.Header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("Cache-Control %q, want no-cache", got)
	}
	if got := request(h, "GET", "/stale.js").Header.Get("ETag"); got != tag {
		t.Errorf("ETag of a file with the same bytes is %s, want %s", got, tag)
	}

	for _, c := range []struct {
		headers []string
		status  int
	}{
		{[]string{"If-None-Match", tag}, 304},
		{[]string{"If-None-Match", `"other", ` + tag}, 304},
		{[]string{"If-None-Match", `"other"`}, 200},
		{[]string{"If-None-Match", packedTag}, 200},
		{[]string{"If-None-Match", packedTag, "Accept-Encoding", "br"}, 304},
	} {
		response := request(h, "GET", "/app.js", c.headers...)
		text := body(t, response)
		if response.StatusCode != c.status || (text == "") != (c.status == 304) {
			t.Errorf("%q: %d %q, want %d", c.headers, response.StatusCode, text, c.status)
		}
		for _, name := range []string{"ETag", "Cache-Control", "Vary"} {
			if response.Header.Get(name) == "" {
				t.Errorf("%q: status %d without %s", c.headers, c.status, name)
			}
		}
	}
}

// The ETag is a hash of the bytes as they are: a file of the same size and time, with other bytes, has another.
func TestRewrittenFile(t *testing.T) {
	dir := site(t)
	h := handlerIn(t, dir)
	first := request(h, "GET", "/app.js").Header.Get("ETag")
	name, text := filepath.Join(dir, "app.js"), strings.Replace(script, "42", "43", 1)
	info := must(os.Stat(name))
	err := errors.Join(os.WriteFile(name, []byte(text), 0o644), os.Chtimes(name, info.ModTime(), info.ModTime()))
	if err != nil {
		t.Fatal(err)
	}
	response := request(h, "GET", "/app.js", "If-None-Match", first)
	if got := body(t, response); response.StatusCode != 200 || got != text || response.Header.Get("ETag") == first {
		t.Errorf("%d %q with ETag %s, want the new file", response.StatusCode, got, response.Header.Get("ETag"))
	}
}

func TestRanges(t *testing.T) {
	h := handlerFor(t)
	tag := request(h, "GET", "/app.js").Header.Get("ETag")
	for _, c := range []struct {
		headers []string
		status  int
		body    string
	}{
		{[]string{"Range", "bytes=0-5"}, 206, script[:6]},
		{[]string{"Range", "bytes=7-"}, 206, script[7:]},
		{[]string{"Range", "bytes=-4"}, 206, script[len(script)-4:]},
		{[]string{"Range", "bytes=0-5", "Accept-Encoding", "br, gzip"}, 206, script[:6]},
		{[]string{"Range", "bytes=0-5", "If-Range", tag}, 206, script[:6]},
		{[]string{"Range", "bytes=0-5", "If-Range", `"other"`}, 200, script},
		{[]string{"Range", "bytes=900-"}, 416, ""},
		{[]string{"Range", "bytes=5-2"}, 416, ""},
		{[]string{"Range", "bytes=x-y"}, 416, ""},
		{[]string{"Range", "lines=1-2"}, 416, ""},
		{[]string{"Range", "bytes=99999999999999999999-"}, 416, ""},
	} {
		response := request(h, "GET", "/app.js", c.headers...)
		text := body(t, response)
		if response.StatusCode != c.status || (c.status != 416 && text != c.body) {
			t.Errorf("%q: %d %q, want %d %q", c.headers, response.StatusCode, text, c.status, c.body)
		}
		if c.status == 416 && (strings.Contains(text, "answer") || response.Header.Get("ETag") != "") {
			t.Errorf("%q: a 416 with the file or its ETag: %q", c.headers, text)
		}
		if got := response.Header.Get("Content-Encoding"); got != "" {
			t.Errorf("%q: coding %q, want the plain file", c.headers, got)
		}
	}
}

// The built binary.

var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tensorsketch-server-*")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "server")
	if out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if name, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(name))
	}
	os.Exit(status)
}

// start runs the binary for the small site on a free port and returns its address.
func start(t *testing.T) (addr string, command *exec.Cmd) {
	t.Helper()
	return startIn(t, site(t))
}

// startIn runs it for a folder.
func startIn(t *testing.T, dir string) (addr string, command *exec.Cmd) {
	t.Helper()
	name := must(binary())
	command = exec.Command(name, "-addr", "127.0.0.1:0", "-dir", dir)
	stdout := must(command.StdoutPipe())
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	_, rest, found := strings.Cut(line, "http://")
	addr, _, _ = strings.Cut(rest, "/")
	if err != nil || !found {
		t.Fatalf("the server printed %q (%v), want its URL", line, err)
	}
	return addr, command
}

// raw sends text over a connection of its own and returns all that comes back until the server closes it.
func raw(t *testing.T, addr, text string) string {
	t.Helper()
	connection, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(2 * time.Minute))
	connection.Write([]byte(text)) // the server may refuse before it has read everything
	answer, err := io.ReadAll(connection)
	if err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("after %.40q…: %v", text, err)
	}
	return string(answer)
}

func TestGracefulEnd(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		addr, command := start(t)
		// A download that is under way when the signal comes runs to its end.
		response := must(http.Get("http://" + addr + "/large.npy"))
		if err := command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		if n, err := io.Copy(io.Discard, response.Body); n != largeSize || err != nil {
			t.Errorf("%v: the download under way ended after %d bytes of %d: %v", signal, n, largeSize, err)
		}
		response.Body.Close()
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%v: ended with %v, want status 0", signal, err)
			}
		case <-time.After(time.Minute):
			t.Errorf("%v: still running after a minute", signal)
		}
		if _, err := net.Dial("tcp", addr); err == nil {
			t.Errorf("%v: still listening", signal)
		}
	}
}

func TestStartFailures(t *testing.T) {
	name := must(binary())
	busy := must(net.Listen("tcp", "127.0.0.1:0"))
	defer busy.Close()
	dir := site(t)
	unbuilt := t.TempDir()
	write(t, unbuilt, map[string]string{"index.html": ""}, 0)
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"busy port", []string{"-addr", busy.Addr().String(), "-dir", dir}, "address already in use"},
		{"bad address", []string{"-addr", "nonsense", "-dir", dir}, "missing port"},
		{"bad port", []string{"-addr", "127.0.0.1:99999", "-dir", dir}, "invalid port"},
		{"no folder", []string{"-dir", filepath.Join(dir, "absent")}, "no such file"},
		{"a file for a folder", []string{"-dir", filepath.Join(dir, "app.js")}, "not a directory"},
		{"no page/ui.wasm", []string{"-dir", unbuilt}, "has no page/ui.wasm: run ./build.sh first"},
		{"no index.html", []string{"-dir", t.TempDir()}, "has no index.html: run ./build.sh first"},
		{"unknown flag", []string{"-port", "80"}, "-port"},
		{"flag without a value", []string{"-addr"}, "-addr"},
		{"extra argument", []string{"8080"}, `unexpected argument "8080"`},
	} {
		var stdout, stderr bytes.Buffer
		command := exec.Command(name, c.args...)
		command.Stdout, command.Stderr = &stdout, &stderr
		err := command.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("%s: %v, want exit status 1", c.name, err)
		}
		if got := stderr.String(); !strings.Contains(got, c.want) || strings.Count(got, "\n") != 1 || stdout.Len() > 0 {
			t.Errorf("%s: printed %q, want one line with %q", c.name, got+stdout.String(), c.want)
		}
	}
}

// TestOtherURLs: who serves on all addresses is told that others reach the page, and where.
func TestOtherURLs(t *testing.T) {
	for addr, others := range map[string]bool{"127.0.0.1:8080": false, "[::1]:8080": false, "0.0.0.0:8080": true} {
		urls := otherURLs(must(net.ResolveTCPAddr("tcp", addr)))
		if !others && len(urls) > 0 {
			t.Errorf("%s is reached at %q by other machines, want nowhere", addr, urls)
		}
		for _, each := range urls {
			if u := must(url.Parse(each)); u.Port() != "8080" || net.ParseIP(u.Hostname()).IsLoopback() {
				t.Errorf("%s is reached at %s by other machines", addr, each)
			}
		}
	}
}

func TestBrowserURL(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080/",
		"[::1]:8080":     "http://[::1]:8080/",
		"[::]:8080":      "http://localhost:8080/",
		"0.0.0.0:8080":   "http://localhost:8080/",
	} {
		tcp := must(net.ResolveTCPAddr("tcp", addr))
		if got := browserURL(tcp); got != want {
			t.Errorf("browserURL(%s) = %s, want %s", addr, got, want)
		}
	}
}
