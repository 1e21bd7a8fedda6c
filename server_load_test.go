//go:build !js

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "load the server for a minute, and wait for its longest timeout")

// pageFiles are of the sizes that the files of the page have with Brotli.
var pageFiles = map[string]int{
	"index.html": 3_000, "style.css": 7_000, "ui.wasm": 1_000_000, "tensorsketch.simd.wasm": 440_000, "goexec.js": 4_000,
	"tensorsketch.js": 2_000, "core.js": 6_000, "pool.js": 3_000, "params.js": 5_000, "rows.js": 3_000, "boot.js": 1_500, "worker.js": 1_000,
}

// pageSite writes those files, and returns the folder and the bytes of each .br file.
func pageSite(t *testing.T) (dir string, packed map[string][]byte) {
	t.Helper()
	dir = t.TempDir()
	random := rand.NewChaCha8([32]byte{7})
	packed = make(map[string][]byte)
	past := time.Now().Add(-time.Hour)
	for name, size := range pageFiles {
		packed[name] = make([]byte, size)
		random.Read(packed[name])
		plain := bytes.Repeat([]byte("plain"), size/2)
		for name, data := range map[string][]byte{name: plain, name + ".br": packed[name]} {
			name = filepath.Join(dir, name)
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(name, past, past); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir, packed
}

// 2,000 requests a second without an error, for three seconds, or for a minute with
// -long: nine of ten ask whether a file has changed and are told 304, the tenth takes
// the whole file in Brotli. A request is due at its time, however long those before it
// take, and its latency counts from there.
func TestLoad(t *testing.T) {
	const perSecond, clients = 2000, 64
	duration := 3 * time.Second
	if *long {
		duration = time.Minute
	}
	dir, packed := pageSite(t)
	addr, _ := startBehind(t, dir)
	client := &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true},
		Timeout:   30 * time.Second,
	}
	defer client.CloseIdleConnections()
	get := func(name, tag string) (*http.Response, []byte, error) {
		request, err := http.NewRequestWithContext(context.Background(), "GET", "http://"+addr+"/"+name, nil)
		if err != nil {
			return nil, nil, err
		}
		request.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		if tag != "" {
			request.Header.Set("If-None-Match", tag)
		}
		response, err := client.Do(request)
		if err != nil {
			return nil, nil, err
		}
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		return response, data, err
	}
	var names []string
	tags := make(map[string]string)
	for name := range packed {
		response, _, err := get(name, "")
		if err != nil {
			t.Fatal(err)
		}
		names, tags[name] = append(names, name), response.Header.Get("ETag")
	}
	slices.Sort(names)

	// ask makes request n, and says what is wrong with the answer.
	ask := func(n int) (whole bool, err error) {
		name := names[n/10%len(names)]
		if whole = n%10 == 0; !whole {
			name = names[n%len(names)]
		}
		tag, status, want := tags[name], http.StatusNotModified, []byte(nil)
		if whole {
			tag, status, want = "", http.StatusOK, packed[name]
		}
		response, data, err := get(name, tag)
		switch {
		case err != nil:
			return whole, err
		case response.StatusCode != status || response.Header.Get("ETag") != tags[name]:
			return whole, fmt.Errorf("%s: %s with ETag %s, want %d with %s", name, response.Status, response.Header.Get("ETag"), status, tags[name])
		case !bytes.Equal(data, want):
			return whole, fmt.Errorf("%s: %d bytes that are not the %d of the file", name, len(data), len(want))
		case whole && response.Header.Get("Content-Encoding") != "br":
			return whole, fmt.Errorf("%s: coding %q, want br", name, response.Header.Get("Content-Encoding"))
		}
		return whole, nil
	}

	total := int(duration.Seconds() * perSecond)
	due := make(chan int, total)
	latency := make([]time.Duration, total)
	var mu sync.Mutex
	var failures []error
	var wholes int
	var group sync.WaitGroup
	began := time.Now()
	dueAt := func(n int) time.Time { return began.Add(time.Duration(n) * time.Second / perSecond) }
	for range clients {
		group.Go(func() {
			for n := range due {
				whole, err := ask(n)
				latency[n] = time.Since(dueAt(n))
				mu.Lock()
				if whole {
					wholes++
				}
				if err != nil {
					failures = append(failures, err)
				}
				mu.Unlock()
			}
		})
	}
	for n := range total {
		time.Sleep(time.Until(dueAt(n)))
		due <- n
	}
	close(due)
	group.Wait()
	took := time.Since(began)

	slices.Sort(latency)
	at := func(share float64) time.Duration {
		return latency[int(share*float64(total-1))].Round(10 * time.Microsecond)
	}
	t.Logf("%d requests in %.2f s, %.0f a second, %d of whole files, %d errors; latency: median %v, 90 %% %v, 99 %% %v, 99.9 %% %v, most %v",
		total, took.Seconds(), float64(total)/took.Seconds(), wholes, len(failures), at(0.5), at(0.9), at(0.99), at(0.999), at(1))
	for _, err := range failures[:min(5, len(failures))] {
		t.Error(err)
	}
	if len(failures) > 0 || wholes != total/10 {
		t.Errorf("%d of %d requests failed, %d were of whole files", len(failures), total, wholes)
	}
}

// Thousands of connections that ask nothing more leave the server to others; those
// that have asked nothing at all are closed after five seconds.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	const asked, silent = 3000, 1000
	addr, _ := start(t)
	connections := make([]net.Conn, 0, asked+silent)
	defer func() {
		for _, c := range connections {
			c.Close()
		}
	}()
	answer := make([]byte, 64<<10)
	for n := range asked + silent {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatalf("connection %d: %v (a process may need %d open files: see ulimit -Hn)", n, err, asked+silent)
		}
		connections = append(connections, c)
		if n >= asked {
			continue
		}
		fmt.Fprintf(c, "HEAD /app.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
		c.SetReadDeadline(time.Now().Add(30 * time.Second))
		if n, err := c.Read(answer); err != nil || !bytes.HasPrefix(answer[:n], []byte("HTTP/1.1 200 OK")) {
			t.Fatalf("connection %d: %q, %v", len(connections), answer[:n], err)
		}
	}
	began := time.Now()
	checkServes(t, addr)
	t.Logf("with %d connections open a new one was answered in %v", len(connections), time.Since(began))

	for i, c := range connections[asked:] {
		c.SetReadDeadline(time.Now().Add(30 * time.Second))
		if n, err := c.Read(answer); err != io.EOF && !isReset(err) {
			t.Fatalf("silent connection %d: %d bytes, %v; want it closed", i, n, err)
		}
	}
	for i, c := range connections[:asked] { // these may ask again
		if i%100 != 0 {
			continue
		}
		fmt.Fprintf(c, "HEAD /app.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
		c.SetReadDeadline(time.Now().Add(30 * time.Second))
		if n, err := c.Read(answer); err != nil || !bytes.HasPrefix(answer[:n], []byte("HTTP/1.1 200 OK")) {
			t.Fatalf("idle connection %d: %q, %v", i, answer[:n], err)
		}
	}
}

// Where connections take all files that the process may open, requests on them are
// answered 503, never 404; others wait until some end, and then are served.
func TestOutOfFiles(t *testing.T) {
	t.Parallel()
	const files = 64
	addr, _ := startBehind(t, site(t), "sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files))
	var connections []net.Conn
	closeAll := func() {
		for _, c := range connections {
			c.Close()
		}
	}
	defer closeAll()
	answers := make(map[string]int)
	for range 2 * files {
		c, err := net.Dial("tcp", addr) // the kernel takes it, whether or not the server does
		if err != nil {
			t.Fatal(err)
		}
		connections = append(connections, c)
	}
	time.Sleep(100 * time.Millisecond) // all that can be are accepted
	for n, c := range connections {
		name := []string{"app.js", "a%20b/index.html", "release.js"}[n%3]
		fmt.Fprintf(c, "GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n", name)
		answer := make([]byte, 64<<10)
		c.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
		n, err := c.Read(answer)
		switch {
		case err != nil: // waits
			answers["none"]++
		case n < 12:
			t.Fatalf("%s: %q", name, answer[:n])
		default:
			answers[string(answer[9:12])]++
		}
		if answers["none"] > 5 {
			break
		}
	}
	t.Logf("answers with all %d files open: %v", files, answers)
	if answers["503"] == 0 || answers["none"] == 0 || answers["404"] > 0 || answers["500"] > 0 {
		t.Errorf("%v, want some 503, some that wait, none of 404 or 500", answers)
	}
	closeAll()
	checkServes(t, addr)
}
