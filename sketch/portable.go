package sketch

// Exp returns e^x to 1 or 2 units in the last place, the same bits on every
// platform, which math.Exp is not.
func Exp(x float64) float64 { return exponential(x) }

// Log returns ln x for finite x > 0, the same bits on every platform.
func Log(x float64) float64 { return logarithm(x) }

// CosTurns returns cos 2πt to an error of about 2^-52, the same bits on every platform,
// which math.Cos is not.
func CosTurns(t float64) float64 { return cosTurns(t) }

// SinTurns returns sin 2πt to an error of about 2^-52, the same bits on every platform,
// which math.Sin is not.
func SinTurns(t float64) float64 { return sinTurns(t) }
