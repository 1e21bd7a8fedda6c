package main

// seeds are the workers of Convergence.
type seeds struct{}

func (b *browser) Estimate() {}

func (b *browser) testSpeed() {}
