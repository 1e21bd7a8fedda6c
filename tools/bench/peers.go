//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// A peer is a program of another project with the shared interface
// PROGRAM ROWS FEATURES DEGREE COMPONENTS that prints µs per row as JSON.
type peer struct {
	name    string
	command []string
	folder  string
}

const peersFolder = "../shared/peers"

// findPeers returns the peers that work here, and notes those that do not.
func findPeers(folder string, r *run) []peer {
	var found []peer
	script, err := filepath.Abs(filepath.Join(peersFolder, "sklearn_bench.py"))
	if err != nil {
		return nil
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		p := peer{"scikit-learn", []string{python, script}, folder}
		if _, err = p.run("4", "4", "2", "16"); err == nil {
			found = append(found, p)
			break
		}
	}
	if err != nil {
		r.Missing = append(r.Missing, "scikit-learn (Debian: python3-sklearn)")
	}
	if p, err := findFFTJS(folder); err != nil {
		r.Missing = append(r.Missing, "fft.js (npm): "+err.Error())
	} else {
		found = append(found, p)
	}
	for _, p := range found {
		if out, err := p.run("4", "4", "2", "16"); err == nil {
			r.Versions[p.name] = out.Peer
		}
	}
	return found
}

// findFFTJS installs fft.js beside a copy of its program, since Node resolves
// packages from the program's folder.
func findFFTJS(folder string) (peer, error) {
	source, err := os.ReadFile(filepath.Join(peersFolder, "fftjs_bench.mjs"))
	if err != nil {
		return peer{}, err
	}
	program := filepath.Join(folder, "fftjs_bench.mjs")
	if err := os.WriteFile(program, source, 0o644); err != nil {
		return peer{}, err
	}
	install := exec.Command("npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent", "fft.js@4.0.4")
	install.Dir = folder
	if err := install.Run(); err != nil {
		return peer{}, err
	}
	return peer{"fft.js", []string{"node", program}, folder}, nil
}

type peerOutput struct {
	Peer     string  `json:"peer"`
	USPerRow float64 `json:"us_per_row"`
}

func (p peer) run(arguments ...string) (peerOutput, error) {
	command := exec.Command(p.command[0], append(p.command[1:], arguments...)...)
	command.Dir = p.folder
	command.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
	text, err := command.Output()
	if err != nil {
		return peerOutput{}, fmt.Errorf("%s: %w", p.name, err)
	}
	var out peerOutput
	return out, json.Unmarshal(text, &out)
}

// measure returns µs per row of workload A or B.
func (p peer) measure(workload string, quick bool) (float64, error) {
	rows, w := 1000, nativeWorkloads[workload]
	if quick {
		rows = 50
	}
	out, err := p.run(strconv.Itoa(rows), strconv.Itoa(w.NFeatures), strconv.Itoa(w.Degree), strconv.Itoa(w.NComponents))
	return out.USPerRow, err
}
