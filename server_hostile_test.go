//go:build !js

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// checkServes asserts that the server still answers.
func checkServes(t *testing.T, addr string) {
	t.Helper()
	if answer := raw(t, addr, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); !strings.Contains(answer, "<title>root</title>") {
		t.Errorf("after all that, GET /: %.80q", answer)
	}
}

// Each row is one connection, and the status of each answer on it, in turn.
func TestHostileRequests(t *testing.T) {
	addr, _ := start(t)
	const host = " HTTP/1.1\r\nHost: localhost\r\n"
	const end = host + "Connection: close\r\n\r\n"
	get := func(path string) string { return "GET " + path + end }
	with := func(headers ...string) string {
		return "GET /app.js" + host + "Connection: close\r\n" + strings.Join(headers, "\r\n") + "\r\n\r\n"
	}
	long := strings.Repeat("x", 100<<10)
	for _, c := range []struct{ name, send, statuses string }{
		{"root", get("/"), "200"},

		// Paths.
		{"climbing", get("/../outside.txt"), "404"},
		{"climbing far", get("/" + strings.Repeat("../", 40) + "etc/passwd"), "404"},
		{"climbing, no slash", get("../outside.txt"), "400"},
		{"climbing, escaped", get("/%2e%2e%2foutside.txt"), "404"},
		{"climbing, escaped twice", get("/%252e%252e%252foutside.txt"), "404"},
		{"climbing, overlong UTF-8", get("/%c0%ae%c0%ae/outside.txt"), "404"},
		{"climbing and back", get("/../site/app.js"), "404"},
		{"climbing inside", get("/a%20b/../app.js"), "404"},
		{"backslash", get(`/..\outside.txt`), "404"},
		{"backslash, escaped", get("/..%5coutside.txt"), "404"},
		{"a drive", get("/C:/windows/win.ini"), "404"},
		{"a stream", get("/app.js::$DATA"), "404"},
		{"NUL, escaped", get("/app.js%00.html"), "404"},
		{"NUL", get("/app.js\x00"), "400"},
		{"a control character", get("/app.js\x7f"), "400"},
		{"line end, escaped", get("/app.js%0d%0aSet-Cookie:%20a=b"), "404"},
		{"not UTF-8, escaped", get("/%ff%fe"), "404"},
		{"not UTF-8", get("/\xff\xfe"), "404"},
		{"bad escape", get("/%zz"), "400"},
		{"half an escape", get("/app.js%2"), "400"},
		{"a space", get("/a b/"), "400"},
		{"a dot", get("/./app.js"), "404"},
		{"a trailing dot", get("/app.js."), "404"},
		{"a trailing slash", get("/app.js/"), "404"},
		{"below a file", get("/app.js/x"), "404"},
		{"double slash", get("//app.js"), "404"},
		{"double slash, a host", get("//etc/passwd"), "404"},
		{"double slash inside", get("/a%20b//index.html"), "404"},
		{"slashes alone", get("/////"), "404"},
		{"escaped slash", get("/a%20b%2findex.html"), "200"},
		{"a redirect stays here", get("/no-index?//example.org"), "301"},
		{"a dotfile", get("/.secret"), "404"},
		{"a dotfile, escaped", get("/%2esecret"), "404"},
		{"a dotfile inside", get("/a%20b/.hidden"), "404"},
		{"a folder with a dot", get("/.git/config"), "404"},
		{"a link out", get("/link.txt"), "404"},
		{"a folder without an index", get("/no-index/"), "404"},
		{"a name too long", get("/" + strings.Repeat("y", 5000)), "404"},
		{"a path too deep", get("/" + strings.Repeat("y/", 4000)), "404"},
		{"a path of 100 KB", get("/" + long), "431"},
		{"a query", get("/app.js?" + strings.Repeat("a=1&", 1000)), "200"},
		{"a query with anything", get("/app.js?%zz=../../&;`$(id)"), "200"},
		{"a fragment", get("/app.js#x"), "404"},
		{"no path", "GET" + end, "400"},
		{"a star", get("*"), "404"},
		{"text", get("app.js"), "400"},

		// Targets in absolute form.
		{"absolute", get("http://localhost/app.js"), "200"},
		{"absolute, another host", get("http://example.org/app.js"), "200"},
		{"absolute, another scheme", get("ftp://localhost/app.js"), "200"},
		{"absolute, a file", get("file:///etc/passwd"), "404"},
		{"absolute, a user", get("http://user:pass@localhost/app.js"), "200"},
		{"absolute, climbing", get("http://localhost/../outside.txt"), "404"},
		{"absolute, no host", get("http:///app.js"), "200"},
		{"absolute, a bad port", get("http://localhost:x/"), "400"},
		{"an authority", "CONNECT localhost:443" + end, "405"},

		// Methods.
		{"POST", "POST /" + host + "Connection: close\r\nContent-Length: 3\r\n\r\na=1", "405"},
		{"OPTIONS *", "OPTIONS *" + end, "405"},
		{"TRACE", "TRACE /" + end, "405"},
		{"lower case", "get /" + end, "405"},
		{"unknown", "MAKE /" + end, "405"},
		{"very long", long + " /" + end, "431"},
		{"no token", "G(T /" + end, "400"},
		{"none", " /" + end, "400"},
		{"PRI, as HTTP/2 begins", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "405"},
		{"an upgrade to HTTP/2", with("Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"), "200"},
		{"an upgrade to WebSocket", with("Upgrade: websocket", "Sec-WebSocket-Key: eA=="), "200"},

		// Versions.
		{"HTTP/1.0", "GET /app.js HTTP/1.0\r\n\r\n", "200"},
		{"HTTP/0.9", "GET /app.js\r\n\r\n", "400"},
		{"HTTP/3.0", "GET / HTTP/3.0\r\nHost: localhost\r\n\r\n", "505"},
		{"HTTP/1.10", "GET / HTTP/1.10\r\nHost: localhost\r\n\r\n", "400"},
		{"http/1.1", "GET / http/1.1\r\nHost: localhost\r\n\r\n", "400"},

		// Hosts. All of them get the same files, none of them is repeated.
		{"no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400"},
		{"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", "400"},
		{"an empty host", "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", "200"},
		{"another host", "GET /no-index HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n", "301"},
		{"a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n", "400"},
		{"a host of 10 KB", "GET / HTTP/1.1\r\nHost: " + long[:10<<10] + "\r\nConnection: close\r\n\r\n", "200"},

		// Ranges.
		{"a range", with("Range: bytes=0-5"), "206"},
		{"backwards", with("Range: bytes=9-1"), "416"},
		{"beyond", with("Range: bytes=900-"), "416"},
		{"negative", with("Range: bytes=--1"), "416"},
		{"no numbers", with("Range: bytes=a-b"), "416"},
		{"overflowing", with("Range: bytes=0-99999999999999999999"), "416"},
		{"no unit", with("Range: 0-1"), "416"},
		{"another unit", with("Range: rows=0-1"), "416"},
		{"empty", with("Range:"), "200"},
		{"all", with("Range: bytes=-"), "416"},
		{"none of them", with("Range: bytes=,,,"), "200"},
		{"a thousand that overlap", with("Range: bytes=" + strings.TrimSuffix(strings.Repeat("0-,", 1000), ",")), "200"},
		{"two lines", with("Range: bytes=0-1", "Range: bytes=2-3"), "206"},
		{"If-Range of anything", with("Range: bytes=0-1", `If-Range: "x`), "200"},

		// Conditions and codings.
		{"any ETag", with("If-None-Match: *"), "304"},
		{"an ETag that is none", with("If-None-Match: x"), "200"},
		{"an ETag that does not end", with(`If-None-Match: "x`), "200"},
		{"weak of nothing", with("If-None-Match: W/"), "200"},
		{"commas", with("If-None-Match: ,,,,"), "200"},
		{"a thousand ETags", with("If-None-Match: " + strings.Repeat(`"x", `, 1000) + `"y"`), "200"},
		{"If-Match of another", with(`If-Match: "x"`), "412"},
		{"a date that is none", with("If-Modified-Since: yesterday"), "200"},
		{"a date far ahead", with("If-Modified-Since: Fri, 31 Dec 9999 23:59:59 GMT"), "200"},
		{"codings of anything", with("Accept-Encoding: ;q=1,,br;q=x;;,\x80,*;q="), "200"},
		{"a thousand codings", with("Accept-Encoding: " + strings.Repeat("x;q=0.1,", 1000)), "200"},
		{"Expect", with("Expect: the-unexpected"), "417"},
		{"Content-Length of a GET", with("Content-Length: 0"), "200"},
		{"cookies", with("Cookie: " + long[:8000]), "200"},

		// Headers.
		{"100 KB", with("X-Long: " + long), "431"},
		{"a hundred", with(slices.Repeat([]string{"X-Y: z"}, 100)...), "200"},
		{"a thousand", with(slices.Repeat([]string{"X-Y: z"}, 1000)...), "431"},
		{"no colon", with("nonsense"), "400"},
		{"a space before the colon", with("X-Y : z"), "400"},
		{"a folded line", with("X-Y: z\r\n folded"), "200"},
		{"NUL in a value", with("X-Y: a\x00b"), "400"},
		{"a bare CR", with("X-Y: a\rContent-Length: 5"), "400"},
		{"bare LF", "GET /app.js HTTP/1.1\nHost: localhost\nConnection: close\n\n", "200"},
		{"no name", with(": value"), "400"},

		// Shapes of request smuggling: what follows a body is never read as a request.
		{"two lengths", "POST /" + host + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nGET /app.js" + host + "\r\n", "400"},
		{"length and chunks", "POST /" + host + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /.secret" + end, "405 404"},
		{"a length with a sign", "POST /" + host + "Content-Length: +4\r\n\r\nabcd", "400"},
		{"a length below 0", "POST /" + host + "Content-Length: -4\r\n\r\nabcd", "400"},
		{"a length that overflows", "POST /" + host + "Content-Length: 99999999999999999999\r\n\r\n", "400"},
		{"a length in hexadecimal", "POST /" + host + "Content-Length: 0x4\r\n\r\nabcd", "400"},
		{"chunked twice", "POST /" + host + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", "501"},
		{"chunked, hidden by a space", "POST /" + host + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "400"},
		{"chunked, hidden by a tab", "POST /" + host + "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n", "400"},
		{"another coding", "POST /" + host + "Transfer-Encoding: gzip\r\n\r\n", "501"},
		{"a chunk of bad size", "POST /" + host + "Transfer-Encoding: chunked\r\n\r\nzz\r\nGET /app.js" + end, "405"},
		{"a chunk too large", "POST /" + host + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", "405"},
		{"a body that is a request", "POST /" + host + "Content-Length: 46\r\n\r\nGET /.secret HTTP/1.1\r\nHost: localhost\r\n\r\n1234GET /app.js" + end, "405 200"},
		{"a GET with a body", "GET /app.js" + host + "Content-Length: 5\r\n\r\nhelloGET /absent" + end, "200 404"},
		{"a body that is too large to wait for", "POST /" + host + "Content-Length: 1000000000\r\n\r\nGET /app.js" + end, "405"},
		{"pipelined", "GET /app.js" + host + "\r\nHEAD /" + host + "\r\nGET /absent" + end, "200 200 404"},
		{"a thousand pipelined", strings.Repeat("HEAD /app.js"+host+"\r\n", 999) + "HEAD /" + end, strings.TrimSpace(strings.Repeat("200 ", 1000))},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			answer := raw(t, addr, c.send)
			var statuses []string
			for line := range strings.Lines(answer) {
				// The body of a file ends where the next answer begins.
				if _, status, ok := strings.Cut(line, "HTTP/1."); ok && len(status) > 5 {
					statuses = append(statuses, status[2:5])
				}
			}
			if got := strings.Join(statuses, " "); got != c.statuses || strings.Contains(answer, "secret") || strings.Contains(answer, "root:") {
				t.Errorf("got %q, want %s\nsent %.200q\nanswer %.300q", got, c.statuses, c.send, answer)
			}
			if strings.Contains(answer, "example.org") && !strings.Contains(c.send, "?//example.org") || strings.Contains(answer, "Set-Cookie") {
				t.Errorf("the answer repeats what was sent: %.300q", answer)
			}
		})
	}
	t.Cleanup(func() { checkServes(t, addr) }) // after the rows
}

// Whatever a target and the headers that matter hold, the answer is one of those that
// a file server gives, and nothing from outside or behind a dot.
func FuzzRequest(f *testing.F) {
	root, err := os.OpenRoot(site(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { root.Close() })
	h := handler(root)
	for _, target := range []string{"/", "/app.js", "/a%20b/", "/../outside.txt", "/%2e%2e/outside.txt", "/.secret", "/link.txt", "/odd/", "/release.js"} {
		f.Add(target, "br, gzip;q=0.5", "bytes=0-5", `"x", W/"y", *`)
	}
	f.Fuzz(func(t *testing.T, target, coding, ranges, match string) {
		if u, err := url.ParseRequestURI(target); err != nil || strings.ContainsAny(target, " \x00\r\n") || u.Path == "" {
			return // net/http answers 400 by itself
		}
		w := httptest.NewRecorder()
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")))
		if err != nil {
			return
		}
		r.Header.Set("Accept-Encoding", coding)
		r.Header.Set("Range", ranges)
		r.Header.Set("If-None-Match", match)
		h.ServeHTTP(w, r)
		switch w.Code {
		case 200, 206, 301, 304, 404, 416:
		default:
			t.Errorf("%q: status %d", target, w.Code)
		}
		if strings.Contains(w.Body.String(), "secret\n") {
			t.Errorf("%q gives %q", target, w.Body.String())
		}
		if to := w.Header().Get("Location"); strings.HasPrefix(to, "/") || strings.Contains(to, "//") && !strings.Contains(to, "?") {
			if u, err := url.Parse(to); err != nil || u.Host != "" {
				t.Errorf("%q redirects to %q", target, to)
			}
		}
	})
}

// Whatever comes, the answer is an error or the end of the connection.
func TestGarbage(t *testing.T) {
	t.Parallel()
	addr, _ := start(t)
	random := rand.New(rand.NewChaCha8([32]byte{1}))
	valid := []byte("GET /app.js HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\nRange: bytes=0-5\r\nConnection: close\r\n\r\n")
	garbage := [][]byte{
		nil,
		[]byte("\n"),
		bytes.Repeat([]byte("\r\n"), 1000),
		make([]byte, 1<<20),
		bytes.Repeat([]byte{0xff}, 1<<20),
		[]byte("SSH-2.0-OpenSSH_9.6\r\n"),
		[]byte("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\xa5", 507)), // as TLS begins
		[]byte("{\"jsonrpc\": \"2.0\"}\n\n"),
		[]byte("\x00\x00\x12\x04\x00\x00\x00\x00\x00"), // a frame of HTTP/2
		[]byte("*1\r\n$4\r\nPING\r\n\r\n"),
		[]byte("HTTP/1.1 200 OK\r\n\r\n"),
	}
	for range 300 {
		noise := make([]byte, random.IntN(4096))
		for i := range noise {
			noise[i] = byte(random.Uint32())
		}
		garbage = append(garbage, noise)

		damaged := bytes.Clone(valid)
		for range 1 + random.IntN(6) {
			switch at := random.IntN(len(damaged)); random.IntN(3) {
			case 0:
				damaged[at] = byte(random.Uint32())
			case 1:
				damaged = append(damaged[:at:at], damaged[at+1:]...)
			default:
				damaged = append(damaged[:at:at], append([]byte{byte(random.Uint32())}, damaged[at:]...)...)
			}
		}
		garbage = append(garbage, damaged)
	}
	answers := make(map[string]int)
	for n, sent := range garbage {
		connection, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		connection.SetDeadline(time.Now().Add(20 * time.Second))
		connection.Write(sent) // the server may end before it has read everything
		connection.(*net.TCPConn).CloseWrite()
		answer, err := io.ReadAll(connection)
		connection.Close()
		if err != nil && !isReset(err) {
			t.Fatalf("%.80q: %v", sent, err)
		}
		status := "none"
		if len(answer) > 0 {
			if len(answer) < 12 || !bytes.HasPrefix(answer, []byte("HTTP/1.")) {
				t.Fatalf("%.80q: answer %.80q", sent, answer)
			}
			status = string(answer[9:12])
		}
		answers[status]++
		if status[0] == '5' && status != "505" && status != "501" || bytes.Contains(answer, []byte("panic")) {
			t.Errorf("%.80q: answer %.200q", sent, answer)
		}
		if n < 11 && status != "none" && status != "400" && status != "431" {
			t.Errorf("%.80q: status %s", sent, status)
		}
	}
	t.Logf("%d pieces of garbage: %v", len(garbage), answers)
	checkServes(t, addr)
}

// Clients that take their time are cut off, all of them at once here.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	addr, _ := start(t)
	var group sync.WaitGroup
	for _, c := range []struct {
		name        string
		first, drip string // what is sent at once, and again and again
	}{
		{"a header that does not go on", "GET / HTTP/1.1\r\nHost: localhost\r\n", ""},
		{"a header byte by byte", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "x"},
		{"a header line by line", "GET / HTTP/1.1\r\nHost: localhost\r\n", "X-Slow: x\r\n"},
		{"a request line byte by byte", "GET /", "x"},
		{"nothing at all", "", ""},
		{"a body byte by byte", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n", "x"},
		{"chunks one by one", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"},
		{"a second header byte by byte", "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nX-Slow: ", "x"},
	} {
		group.Go(func() {
			connection, err := net.Dial("tcp", addr)
			if err != nil {
				t.Error(err)
				return
			}
			defer connection.Close()
			began := time.Now()
			connection.SetDeadline(began.Add(time.Minute))
			io.WriteString(connection, c.first)
			tick := time.NewTicker(50 * time.Millisecond)
			defer tick.Stop()
			go func() {
				for range tick.C {
					if _, err := io.WriteString(connection, c.drip); err != nil {
						return
					}
				}
			}()
			answer, err := io.ReadAll(connection)
			if err != nil && !isReset(err) {
				t.Errorf("%s: still connected after %.1f s: %v", c.name, time.Since(began).Seconds(), err)
			}
			t.Logf("%s: cut off after %.1f s", c.name, time.Since(began).Seconds())
			if bytes.Contains(answer, []byte("200 OK")) != strings.HasPrefix(c.first, "HEAD") {
				t.Errorf("%s: answer %.80q", c.name, answer)
			}
		})
	}
	dir := site(t)
	group.Go(func() { slowReader(t, dir) })
	group.Wait()
	checkServes(t, addr)
}

// slowReader asks for a large file and reads none of it, of the server that main makes;
// its two minutes are shortened, but with -long.
func slowReader(t *testing.T, dir string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Error(err)
		return
	}
	defer root.Close()
	server := newServer(root)
	if server.WriteTimeout <= 0 || server.WriteTimeout > 2*time.Minute {
		t.Errorf("WriteTimeout is %v, want two minutes at most", server.WriteTimeout)
	}
	if !*long {
		server.WriteTimeout = time.Second
	}
	closed := make(chan struct{}, 1)
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return
	}
	go server.Serve(listener)
	defer server.Close()
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Error(err)
		return
	}
	defer connection.Close()
	began := time.Now()
	fmt.Fprintf(connection, "GET /large.npy HTTP/1.1\r\nHost: localhost\r\n\r\n")
	select {
	case <-closed:
		t.Logf("a reader that does not read: cut off after %.1f s", time.Since(began).Seconds())
	case <-time.After(server.WriteTimeout + time.Minute):
		t.Errorf("a reader that does not read: still connected after %v", time.Since(began))
	}
}
