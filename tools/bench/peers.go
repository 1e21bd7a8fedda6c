//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A peer is a program of another project with the shared interface
// PROGRAM ROWS FEATURES DEGREE COMPONENTS that prints µs per row as JSON.
type peer struct {
	name    string
	command []string
	folder  string
}

const pffft = "pffft-wasm"

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
		if _, err = p.run("4", "4", "2", "64"); err == nil {
			found = append(found, p)
			break
		}
	}
	if err != nil {
		r.Missing = append(r.Missing, "scikit-learn (Debian: python3-sklearn)")
	}
	packages, err := installPackages(folder)
	if err != nil {
		r.Missing = append(r.Missing, "fft.js and pffft-wasm (npm): "+err.Error())
	}
	found = append(found, packages...)
	for _, p := range found {
		if out, err := p.run("4", "4", "2", "64"); err == nil {
			r.Versions[p.name] = out.Peer
		}
	}
	return found
}

// installPackages installs the peers from npm beside copies of their programs, since Node resolves packages from the
// program's folder.
func installPackages(folder string) ([]peer, error) {
	install := exec.Command("npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent",
		"fft.js@4.0.4", "@echogarden/pffft-wasm@0.4.2")
	install.Dir = folder
	if err := install.Run(); err != nil {
		return nil, err
	}
	var found []peer
	for _, p := range [][2]string{{"fft.js", "fftjs_bench.mjs"}, {pffft, "pffft_sketch.mjs"}} {
		source, err := os.ReadFile(filepath.Join(peersFolder, p[1]))
		if err != nil {
			return nil, err
		}
		program := filepath.Join(folder, p[1])
		if err := os.WriteFile(program, source, 0o644); err != nil {
			return nil, err
		}
		found = append(found, peer{p[0], []string{"node", program}, folder})
	}
	return found, nil
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

// measure returns µs per row of workload A or B, with 20 % dense rows.
func (p peer) measure(workload string, quick bool) (float64, error) {
	rows, w := 1000, nativeWorkloads[workload]
	if quick {
		rows = 50
	}
	out, err := p.run(shape{"", rows, w.NFeatures, w.Degree, w.NComponents, 0.2}.arguments()[:4]...)
	return out.USPerRow, err
}
