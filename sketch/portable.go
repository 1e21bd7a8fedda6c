package sketch

// Exp returns e^x to 1 or 2 units in the last place, the same bits on every
// platform, which math.Exp is not.
func Exp(x float64) float64 { return exponential(x) }

// Log returns ln x for finite x > 0, the same bits on every platform.
func Log(x float64) float64 { return logarithm(x) }
