package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/tools/internal/lab"
)

// A set is a data set with its split. Rows have length 1, except the rows of cpu.
type set struct {
	name, title string
	d, classes  int // classes is 0 for regression
	train, test part
	noBias      bool // models have no bias
}

// A part is some rows, and a class or a target of each.
type part struct {
	d       int
	X       sketch.Dense
	classes []int32
	targets []float64
}

func (p *part) rows() int { return len(p.X) / p.d }

// first returns the first n rows, or all.
func (p *part) first(n int) part {
	n = min(n, p.rows())
	q := part{d: p.d, X: p.X[:n*p.d]}
	if p.classes != nil {
		q.classes = p.classes[:n]
	} else {
		q.targets = p.targets[:n]
	}
	return q
}

// shuffled returns the rows in an order of a seed.
func (p *part) shuffled(seed int) part {
	q := part{d: p.d, X: make(sketch.Dense, 0, len(p.X))}
	for _, i := range rand.New(rand.NewSource(int64(seed))).Perm(p.rows()) {
		q.X = append(q.X, p.X[i*p.d:(i+1)*p.d]...)
		if p.classes != nil {
			q.classes = append(q.classes, p.classes[i])
		} else {
			q.targets = append(q.targets, p.targets[i])
		}
	}
	return q
}

// split returns a set whose first n rows are for training.
func (p *part) split(name, title string, classes, n int) *set {
	s := &set{name: name, title: title, d: p.d, classes: classes, train: p.first(n), test: part{d: p.d, X: p.X[n*p.d:]}}
	if p.classes != nil {
		s.test.classes = p.classes[n:]
	} else {
		s.test.targets = p.targets[n:]
	}
	return s
}

// sources says how each set is read, and which files it needs.
var sources = map[string]struct {
	files []string
	read  func(l *library, name string) (*set, error)
}{
	"adult": {[]string{"a9a.libsvm.gz", "a9a.t.libsvm.gz"}, func(l *library, name string) (*set, error) {
		return l.official(name, "Adult", []string{"a9a.libsvm.gz"}, []string{"a9a.t.libsvm.gz"}, 123, 2)
	}},
	"mnist": {[]string{"mnist-train-images-idx3-ubyte.gz", "mnist-train-labels-idx1-ubyte.gz",
		"mnist-t10k-images-idx3-ubyte.gz", "mnist-t10k-labels-idx1-ubyte.gz"}, func(l *library, name string) (*set, error) {
		return l.official(name, "MNIST",
			[]string{"mnist-train-images-idx3-ubyte.gz", "mnist-train-labels-idx1-ubyte.gz"},
			[]string{"mnist-t10k-images-idx3-ubyte.gz", "mnist-t10k-labels-idx1-ubyte.gz"}, lab.MNISTFeatures, 10)
	}},
	"usps": {[]string{"usps-zip.train.gz", "usps-zip.test.gz"}, func(l *library, name string) (*set, error) {
		return l.official(name, "USPS", []string{"usps-zip.train.gz"}, []string{"usps-zip.test.gz"}, 256, 10)
	}},
	"covtype": {[]string{"covtype20k.csv.gz"}, func(l *library, name string) (*set, error) {
		p, err := l.read(54, "covtype20k.csv.gz")
		if err != nil {
			return nil, err
		}
		q := p.shuffled(1)
		s := q.split(name, "covtype20k", 7, 15000)
		s.toRange()
		s.toUnit()
		return s, nil
	}},
	"basehock": {[]string{"basehock.libsvm.gz"}, func(l *library, name string) (*set, error) {
		p, err := l.read(4862, "basehock.libsvm.gz")
		if err != nil {
			return nil, err
		}
		p.toClasses()
		q := p.shuffled(1)
		s := q.split(name, "basehock", 2, 1495)
		s.toUnit()
		return s, nil
	}},
	"cpu": {[]string{"cpu_act.csv"}, func(l *library, name string) (*set, error) {
		p, err := l.read(21, "cpu_act.csv")
		if err != nil {
			return nil, err
		}
		q := p.shuffled(1)
		q = q.first(6554 + 819)
		s := q.split(name, "CPU", 0, 6554)
		s.toRange()
		return s, nil
	}},
}

// rawRows ends the names of sets whose rows do not get the length 1.
const rawRows = "-raw"

// A library reads sets from a folder, each once.
type library struct {
	folder string
	quick  bool
	mutex  sync.Mutex
	sets   map[string]*set
}

// missing returns a file of a set that is not there, or "".
func (l *library) missing(name string) string {
	for _, file := range sources[strings.TrimSuffix(name, rawRows)].files {
		if _, err := os.Stat(filepath.Join(l.folder, file)); errors.Is(err, fs.ErrNotExist) {
			return file
		}
	}
	return ""
}

// set returns a set. Under -quick it has few rows.
func (l *library) set(name string) (*set, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if s := l.sets[name]; s != nil {
		return s, nil
	}
	s, err := sources[strings.TrimSuffix(name, rawRows)].read(l, name)
	if err != nil {
		return nil, err
	}
	if l.quick {
		s.train, s.test = s.train.first(500), s.test.first(200)
	}
	l.sets[name] = s
	return s, nil
}

// official reads a set whose files are split.
func (l *library) official(name, title string, train, test []string, d, classes int) (*set, error) {
	a, err := l.read(d, train...)
	if err != nil {
		return nil, err
	}
	b, err := l.read(d, test...)
	if err != nil {
		return nil, err
	}
	a.toClasses()
	b.toClasses()
	s := &set{name: name, title: title, d: d, classes: classes, train: *a, test: *b}
	if !strings.HasSuffix(name, rawRows) {
		s.toUnit()
	}
	return s, nil
}

// read returns the rows of a file. Labels are its last column, or the first one of USPS, or in a second file. They
// become targets, and classes if they are whole.
func (l *library) read(d int, files ...string) (*part, error) {
	p := &part{d: d}
	for _, file := range files {
		first := strings.HasPrefix(file, "usps")
		labels := strings.Contains(file, "labels")
		err := l.eachRow(file, func(numbers []float64) error {
			switch n := len(numbers); {
			case labels:
				p.targets = append(p.targets, numbers[0])
			case first:
				p.targets, numbers = append(p.targets, numbers[0]), numbers[1:]
			case n < d || n == d+1:
				p.targets, numbers = append(p.targets, numbers[n-1]), numbers[:n-1]
			}
			if labels {
				return nil
			}
			row := make([]float32, d)
			for i, v := range numbers[:min(d, len(numbers))] {
				row[i] = float32(v)
			}
			p.X = append(p.X, row...)
			return nil
		}, d)
		if err != nil {
			return nil, err
		}
	}
	if l.quick {
		n := min(len(p.targets), p.rows())
		p.X, p.targets = p.X[:n*d], p.targets[:n]
	}
	if len(p.targets) != p.rows() {
		return nil, fmt.Errorf("%s has %d rows and %d labels", files[0], p.rows(), len(p.targets))
	}
	if files[0] == "covtype20k.csv.gz" {
		p.toClasses()
	}
	return p, nil
}

// eachRow reads a file by package dataset, and gives the d numbers and the label of each row.
func (l *library) eachRow(file string, each func(numbers []float64) error, d int) error {
	data, err := os.ReadFile(filepath.Join(l.folder, file))
	if err != nil {
		return err
	}
	var r columns.Reading
	one, no := 1, false
	switch {
	case strings.Contains(file, "libsvm"):
		r.Base = &one
	case strings.HasPrefix(file, "usps"):
		r.Format, r.Delimiter, r.Header = "csv", " ", &no
	case strings.HasPrefix(file, "covtype"):
		r.Format, r.Header = "csv", &no
	}
	layout, err := dataset.Sniff(file, data, true, r)
	if err != nil {
		return err
	}
	source, err := layout.Open(bytes.NewReader(data))
	if err != nil {
		return err
	}
	var b dataset.Block
	count, most := 0, math.MaxInt
	if l.quick && len(data) > 100000 && !strings.HasPrefix(file, "covtype") && !strings.HasPrefix(file, "basehock") &&
		!strings.HasPrefix(file, "cpu") {
		most = 1000 // those are not shuffled
	}
	for count < most {
		if err := source.Next(&b); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		count += b.Rows()
		width, texts := source.Schema().Count()
		for i := range b.Rows() {
			row := slices.Clone(b.Numbers[i*width : (i+1)*width])
			if source.Schema().Sparse {
				row = make([]float64, d, d+1)
				columns, values := b.Entries(i)
				for k, column := range columns {
					row[column] = values[k]
				}
			}
			if texts > 0 {
				label, err := strconv.ParseFloat(string(b.Text(i, texts-1)), 64)
				if err != nil {
					return fmt.Errorf("%s, row %d: %w", file, b.Places[i], err)
				}
				row = append(row, label)
			}
			if err := each(row); err != nil {
				return err
			}
		}
	}
	if n := source.Unused().Total; n > 0 {
		return fmt.Errorf("%s: %d rows cannot be read", file, n)
	}
	return nil
}

// toClasses numbers the values of the targets.
func (p *part) toClasses() {
	if p.targets == nil {
		return
	}
	values := slices.Clone(p.targets)
	slices.Sort(values)
	values = slices.Compact(values)
	for _, t := range p.targets {
		k, _ := slices.BinarySearch(values, t)
		p.classes = append(p.classes, int32(k))
	}
	p.targets = nil
}

// toRange takes each column to [0, 1] by the training rows.
func (s *set) toRange() {
	for j := range s.d {
		low, high := s.train.X[j], s.train.X[j]
		for i := j; i < len(s.train.X); i += s.d {
			low, high = min(low, s.train.X[i]), max(high, s.train.X[i])
		}
		for _, X := range []sketch.Dense{s.train.X, s.test.X} {
			for i := j; i < len(X); i += s.d {
				if X[i] -= low; high > low {
					X[i] /= high - low
				}
			}
		}
	}
}

// toUnit gives each row the length 1.
func (s *set) toUnit() {
	for _, X := range []sketch.Dense{s.train.X, s.test.X} {
		for i := 0; i < len(X); i += s.d {
			lab.Unit(X[i : i+s.d])
		}
	}
}
