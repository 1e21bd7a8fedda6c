package sketch

import (
	"fmt"
	"testing"
	"syscall"
)

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

func TestKSpaceTime(t *testing.T) {
	X := digitsRows(t)
	for _, k := range []int{50, 200} {
		m := mustMap(t, Params{Method: MethodKSpace, NFeatures: 64, NComponents: k, Degree: 3, Coef0: 1})
		f, _ := m.NewFitter(1)
		a := cpu()
		f.Add(Dense(X[:64*1500]))
		b := cpu()
		f.Finish()
		c := cpu()
		m.TransformBatch(nil, X[:64*1500])
		d := cpu()
		fmt.Println(k, "add", b-a, "finish", c-b, "transform", d-c)
	}
}
