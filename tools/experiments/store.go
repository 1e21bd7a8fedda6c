package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"
)

// A cell is one measurement: it is made once, and kept in the file of results.
type cell struct {
	id  string // experiment/set/what/seed
	set string
	run func(s *set) (values, error)
}

// A record is a line of the file of results.
type record struct {
	ID      string  `json:"id"`
	Values  values  `json:"values"`
	Seconds float64 `json:"seconds"`
}

// A store keeps what cells measured, in a file to which each finished cell adds a line.
type store struct {
	mutex   sync.Mutex
	file    *os.File
	records map[string]record
}

// openStore reads a file of results. A last line that was cut off is left out, and its cell made again.
func openStore(name string) (*store, error) {
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s := &store{records: map[string]record{}}
	for line := range bytes.Lines(data) {
		var r record
		if json.Unmarshal(line, &r) == nil {
			s.records[r.ID] = r
		}
	}
	if s.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		_, err = s.file.WriteString("\n") // the next line stands alone
	}
	return s, err
}

// has reports whether a cell is finished.
func (s *store) has(id string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_, ok := s.records[id]
	return ok
}

// keep adds what a cell measured.
func (s *store) keep(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.records[r.ID] = r
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// A mean is the mean of some seeds, with their standard deviation.
type mean struct {
	value, deviation float64
	n                int
}

// over returns the mean of a value over all seeds of a cell: of "id/1", "id/2" … It has n = 0 if there is none.
func (s *store) over(id, name string) (m mean) {
	var all []float64
	for seed := 1; ; seed++ {
		r, ok := s.records[fmt.Sprintf("%s/%d", id, seed)]
		if !ok {
			break
		}
		if v, ok := r.Values[name]; ok {
			all = append(all, v)
		}
	}
	for _, v := range all {
		m.value += v / float64(len(all))
	}
	for _, v := range all {
		m.deviation += (v - m.value) * (v - m.value) / math.Max(1, float64(len(all)-1))
	}
	m.deviation, m.n = math.Sqrt(m.deviation), len(all)
	return m
}

// text writes a mean with its deviation.
func (m mean) text(decimals int) string {
	switch m.n {
	case 0:
		return "–"
	case 1:
		return fmt.Sprintf("%.*f", decimals, m.value)
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, m.value, decimals, m.deviation)
}
