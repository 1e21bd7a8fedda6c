package product_test

import (
	"fmt"
	"log"

	"tensorsketch.example/sketch/product"
)

// The large entries of a matrix product without the product: A·B is 200 × 200, and
// only entry (3, 150) stands out.
func Example() {
	const n, k = 200, 50
	c, err := product.New(product.Params{M: n, N: n, NComponents: 256})
	if err != nil {
		log.Fatal(err)
	}
	A, B := make([]float32, n*k), make([]float32, k*n)
	A[3*k+7], B[7*n+150] = 5, -4
	A[8*k+1], B[1*n+9] = 0.1, 0.2
	if err := c.Add(A, B); err != nil {
		log.Fatal(err)
	}
	for _, e := range c.Largest(1) {
		fmt.Printf("(%d, %d): %.3f\n", e.I, e.J, e.Value)
	}
	// Output:
	// (3, 150): -20.000
}
