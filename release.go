//go:build !js

package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"strings"
)

const (
	releaseName       = "release.js"
	serviceWorkerName = "serviceworker.js"
)

// kept lists the file extensions that the page loads.
var kept = map[string]bool{".css": true, ".html": true, ".js": true, ".json": true, ".png": true,
	".svg": true, ".wasm": true}

// release is the content of release.js for the service worker: every file that the page loads, with
// the hash that fetch checks. The version is a hash of these files and of the service worker, which
// is not listed because browsers store it themselves.
type release struct {
	Version string            `json:"version"`
	Bytes   int64             `json:"bytes"`
	Files   map[string]string `json:"files"` // sha256-… by path
}

// releaseScript returns release.js for the files of a folder.
func releaseScript(files fs.FS) ([]byte, error) {
	r := release{Files: map[string]string{}}
	version := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !entry.Type().IsRegular() || !kept[path.Ext(name)] || name == releaseName:
			return nil
		}
		hash, size, err := hashOf(files, name)
		if err != nil {
			return err
		}
		io.WriteString(version, name+"\n"+hash+"\n")
		if name != serviceWorkerName {
			r.Files[name] = hash
			r.Bytes += size
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.Version = hex.EncodeToString(version.Sum(nil)[:8])
	text, err := json.MarshalIndent(r, "", "  ")
	return append(append([]byte("self.release = "), text...), ";\n"...), err
}

func hashOf(files fs.FS, name string) (hash string, size int64, err error) {
	file, err := files.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	sum := sha256.New()
	size, err = io.Copy(sum, file)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)), size, err
}
