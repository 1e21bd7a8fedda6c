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
	answer := raw(t, addr, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	if !strings.Contains(answer, "<title>root</title>") {
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
		{"climbing", get("/../outside.txt"), "404"},
		{"climbing, escaped", get("/%2e%2e%2foutside.txt"), "404"},
		{"climbing, no slash", get("../outside.txt"), "400"},
		{"a dotfile", get("/.secret"), "404"},
		{"a link out", get("/link.txt"), "404"},
		{"a path of 100 KB", get("/" + long), "431"},
		{"absolute, another host", get("http://example.org/app.js"), "200"},
		{"absolute, a file", get("file:///etc/passwd"), "404"},
		{"a star", get("*"), "404"},
		{"POST", "POST /" + host + "Connection: close\r\nContent-Length: 3\r\n\r\na=1", "405"},
		{"an authority", "CONNECT localhost:443" + end, "405"},
		{"HTTP/1.0", "GET /app.js HTTP/1.0\r\n\r\n", "200"},
		{"backwards", with("Range: bytes=9-1"), "416"},
		{"overflowing", with("Range: bytes=0-99999999999999999999"), "416"},
		{"a thousand that overlap", with("Range: bytes=" + strings.TrimSuffix(strings.Repeat("0-,", 1000), ",")), "200"},
		{"an ETag that does not end", with(`If-None-Match: "x`), "200"},
		{"codings of anything", with("Accept-Encoding: ;q=1,,br;q=x;;,\x80,*;q="), "200"},
		{"a header of 100 KB", with("X-Long: " + long), "431"},
		{"a body that is a request", "POST /" + host + "Content-Length: 46\r\n\r\n" +
			"GET /.secret HTTP/1.1\r\nHost: localhost\r\n\r\n1234GET /app.js" + end, "405 200"},
		{"pipelined", "GET /app.js" + host + "\r\nHEAD /" + host + "\r\nGET /absent" + end, "200 200 404"},
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
			leaked := strings.Contains(answer, "secret") || strings.Contains(answer, "root:")
			if got := strings.Join(statuses, " "); got != c.statuses || leaked {
				t.Errorf("got %q, want %s\nsent %.200q\nanswer %.300q", got, c.statuses, c.send, answer)
			}
		})
	}
	t.Cleanup(func() { checkServes(t, addr) }) // after the rows
}

// Whatever a target and the headers that matter hold, the answer is one of those that
// a file server gives, and nothing from outside or behind a dot.
func FuzzRequest(f *testing.F) {
	h := handlerIn(f, site(f))
	for _, target := range []string{
		"/", "/app.js", "/a%20b/index.html", "/../outside.txt", "/%2e%2e/outside.txt", "/.secret", "/link.txt", "/odd/",
		"/release.js",
	} {
		f.Add(target, "br, gzip;q=0.5", "bytes=0-5", `"x", W/"y", *`)
	}
	f.Fuzz(func(t *testing.T, target, coding, ranges, match string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || strings.ContainsAny(target, " \x00\r\n") || u.Path == "" {
			return // net/http answers 400 by itself
		}
		w := httptest.NewRecorder()
		text := "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n"
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			return
		}
		r.Header.Set("Accept-Encoding", coding)
		r.Header.Set("Range", ranges)
		r.Header.Set("If-None-Match", match)
		h.ServeHTTP(w, r)
		switch w.Code {
		case 200, 206, 304, 404, 416:
		default:
			t.Errorf("%q: status %d", target, w.Code)
		}
		if strings.Contains(w.Body.String(), "secret\n") {
			t.Errorf("%q gives %q", target, w.Body.String())
		}
	})
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
	server := httptest.NewUnstartedServer(nil)
	server.Config = newServer(root)
	if server.Config.WriteTimeout <= 0 || server.Config.WriteTimeout > 2*time.Minute {
		t.Errorf("WriteTimeout is %v, want two minutes at most", server.Config.WriteTimeout)
	}
	if !*long {
		server.Config.WriteTimeout = time.Second
	}
	closed := make(chan struct{}, 1)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Error(err)
		return
	}
	defer connection.Close()
	began := time.Now()
	fmt.Fprintf(connection, "GET /large.npy HTTP/1.1\r\nHost: localhost\r\n\r\n")
	select {
	case <-closed:
	case <-time.After(server.Config.WriteTimeout + time.Minute):
		t.Errorf("a reader that does not read: still connected after %v", time.Since(began))
	}
}
