package main

import "time"

// loaded is when the page was loaded.
var loaded = time.Now()

// now returns how long ago the page was loaded. Structs keep it in place of a time.Time, because that brings into the
// program what writes dates in any form.
func now() time.Duration { return time.Since(loaded) }
