//go:build !js

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"

	"testing"
	"time"
)

var long = flag.Bool("long", false, "load the server for a minute, and wait for its longest timeout")

// pageFiles are of the sizes that the files of the page have with Brotli.
var pageFiles = map[string]int{
	"index.html": 3_000, "page/style.css": 7_000, "page/ui.wasm": 1_000_000, "api/tensorsketch.wasm": 440_000,
	"api/core.js": 6_000,
}

// pageSite writes those files, and returns the folder and the bytes of each .br file.
func pageSite(t *testing.T) (dir string, packed map[string][]byte) {
	t.Helper()
	dir = t.TempDir()
	random := rand.NewChaCha8([32]byte{7})
	packed = make(map[string][]byte)
	files := map[string]string{}
	for name, size := range pageFiles {
		packed[name] = make([]byte, size)
		random.Read(packed[name])
		files[name], files[name+".br"] = strings.Repeat("plain", size/2), string(packed[name])
	}
	write(t, dir, files, time.Hour)
	return dir, packed
}

// 64 clients at once, for a second or with -long for a minute, get what they ask for: nine of ten requests ask whether
// a file has changed and are told 304, the tenth takes the whole file in Brotli.
func TestLoad(t *testing.T) {
	duration := time.Second
	if *long {
		duration = time.Minute
	}
	dir, packed := pageSite(t)
	addr, _ := startIn(t, dir)
	names := slices.Sorted(maps.Keys(packed))
	client := &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		Timeout:   2 * time.Minute,
	}
	defer client.CloseIdleConnections()

	// ask makes request n, and says what is wrong with the answer.
	ask := func(n int) error {
		name, status := names[n/10%len(names)], http.StatusNotModified
		want, hash := []byte(nil), sha256.Sum256(packed[name])
		tag := `"` + hex.EncodeToString(hash[:16]) + `"`
		request, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+addr+"/"+name, nil)
		if err != nil {
			return err
		}
		request.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		if n%10 == 0 {
			status, want = http.StatusOK, packed[name]
		} else {
			request.Header.Set("If-None-Match", tag)
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		if response.StatusCode != status || response.Header.Get("ETag") != tag || !bytes.Equal(data, want) {
			return fmt.Errorf("%s: %s with ETag %s and %d bytes, want %d with %s and %d bytes",
				name, response.Status, response.Header.Get("ETag"), len(data), status, tag, len(want))
		}
		return nil
	}

	var group sync.WaitGroup
	began := time.Now()
	for range 64 {
		group.Go(func() {
			for n := 0; n < 10*len(names) || time.Since(began) < duration; n++ {

				if err := ask(n); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}
