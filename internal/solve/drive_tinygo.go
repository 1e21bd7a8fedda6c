//go:build tinycore

package solve

// passBlocks computes all blocks in turn: TinyGo's one target has no goroutines.
func passBlocks(s *Solver, r *Request, teams []*reader) error { return passInOrder(s, r, teams[0]) }
