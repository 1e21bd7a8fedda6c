package main

func (b *browser) testSpeed() {}
