// Command scale computes and measures the figures of docs/scale.md. Run it from the root:
//
//	scale [-rows 1e9] [-bundles 10000] [-vcpu 0.056] [-gb 0.0036] [-shuffle 0.011] [-parts 10000]
//
// It prints the bytes of sums and the limits of rows, which docs/scale.md has between marks and its test compares. Then
// it measures rows per second of processor time on this machine, and says by them what a job takes on 100 and 1,000
// workers. Last it merges sums of so many parts in a tree, and compares them with the sums of one pass.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	p := plan{}
	flag.Float64Var(&p.rows, "rows", 1e9, "rows of the job")
	flag.Float64Var(&p.bundles, "bundles", 10_000, "bundles into which a runner cuts them")
	flag.Float64Var(&p.vcpu, "vcpu", 0.056, "price of a processor for an hour")
	flag.Float64Var(&p.gb, "gb", 0.0036, "price of a GB of memory for an hour")
	flag.Float64Var(&p.shuffle, "shuffle", 0.011, "price of a GB that is shuffled")
	flag.Float64Var(&p.start, "start", 120, "seconds until workers are there")
	flag.Float64Var(&p.network, "network", 0.25, "GB a second that a worker receives")
	parts := flag.Int("parts", 10_000, "parts of the simulation")
	flag.Parse()
	fmt.Println(bytesTable())
	fmt.Println(limitsTable())
	if err := run(p, *parts); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// run measures and simulates.
func run(p plan, parts int) error {
	var all []rates
	for _, D := range []int{256, 1024} {
		r, err := measure(D)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	fmt.Println(ratesTable(all))
	fmt.Println(p.table(all))
	began := time.Now()
	s, err := simulate(parts)
	if err != nil {
		return err
	}
	fmt.Printf("%v, in %.1f s\n", s, time.Since(began).Seconds())
	return nil
}
