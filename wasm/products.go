//go:build js && wasm

package main

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/product"
)

// newProduct returns the handle of a compressed product of the zero matrix, or 0. The block holds
// as float64 m, n, nComponents, repeats (0 for the default), and the kind and bytes of the seed.
// The padded payload of the seed follows.
//
//go:wasmexport ts_product_new
func newProduct(block, bytes uint32) (handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	return create("ts_product_new", block, bytes, func(data []byte, reserve func(int64) bool) (made slot, err error) {
		params, err := readProduct(data)
		if err == nil && reserve(params.MemoryBytes()) {
			made.product, err = product.New(params)
		}
		return made, err
	})
}

func readProduct(block []byte) (product.Params, error) {
	r := &blockReader{bytes: block}
	header := r.floats(6)
	p := product.Params{
		M:           r.integer("m", header[0], sketch.MaxFeatures),
		N:           r.integer("n", header[1], sketch.MaxFeatures),
		NComponents: r.integer("nComponents", header[2], sketch.MaxComponents),
	}
	if header[3] != 0 {
		p.Repeats = r.integer("repeats", header[3], sketch.MaxRepeats)
	}
	p.Seed = r.seed(header[4], header[5])
	if r.err != nil {
		return p, r.err
	}
	p = p.WithDefaults()
	return p, p.Validate()
}

// lookupProduct returns the product of a handle, or nil and the status.
func lookupProduct(handle uint32) (*product.Compressed, status) {
	at, s := at(handle)
	if s != statusOK {
		return nil, s
	}
	return slots[at].product, held(slots[at].product != nil, "a product")
}

// addProduct adds the product of A, m × k, and B, k × n: both float32, row-major.
//
//go:wasmexport ts_product_add
func addProduct(handle, a, b, k uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	c, s := lookupProduct(handle)
	if s != statusOK {
		return s
	}
	A, okA := matrix(a, k, c.Params().M)
	B, okB := matrix(b, k, c.Params().N)
	if !okA || !okB {
		return failPointer("A or B")
	}
	return failWith(c.Add(A, B))
}

// entry writes the estimate of entry (i, j) and the standard deviation of a single sketch's
// estimate.
//
//go:wasmexport ts_product_entry
func entry(handle, i, j, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	c, s := lookupProduct(handle)
	if s != statusOK {
		return s
	}
	results, ok := view[float64](out, 2)
	if !ok || uint64(i) >= uint64(c.Params().M) || uint64(j) >= uint64(c.Params().N) {
		return failPointer("the entry")
	}
	results[0], results[1] = c.Entry(int(i), int(j)), c.StdError(int(i), int(j))
	return statusOK
}

// largest writes the count largest entries by magnitude, each as row, column and estimate in
// float64.
//
//go:wasmexport ts_product_largest
func largest(handle, count, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	c, s := lookupProduct(handle)
	if s != statusOK {
		return s
	}
	results, ok := view[float64](out, 3*uint64(count))
	if !ok || float64(count) > float64(c.Params().M)*float64(c.Params().N) {
		return failPointer("the entries")
	}
	return withWork(128*int64(count), "ask for fewer entries, or dispose what is no longer needed", func() error {
		for at, e := range c.Largest(int(count)) {
			results[3*at], results[3*at+1], results[3*at+2] = float64(e.I), float64(e.J), e.Value
		}
		return nil
	})
}
