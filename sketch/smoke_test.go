package sketch

import ("testing";"math/rand")

func TestSmoke(t *testing.T) {
	for _, D := range []int{1,2,3,4,5,6,7,8,9,10,11,12,14,15,16,22,25,30,60,97,100,128,194} {
	for p:=1;p<=5;p++{
		m, err := New(Params{NFeatures: 3, NComponents: D, Degree: p, Coef0: 0.5, Gamma:2, Seed: IntSeed(uint64(p))})
		if err!=nil {t.Fatal(err)}
		x := []float32{rand.Float32(),rand.Float32()-1,rand.Float32()}
		z := m.Transform(nil,x)
		// explicit
		want := make([]float64,D)
		xs := []float64{1.4142135623*float64(x[0]),1.4142135623*float64(x[1]),1.4142135623*float64(x[2]),0.70710678}
		var rec func(k,h int,v float64)
		rec = func(k,h int,v float64){ if k==p {want[h%D]+=v;return}; for i:=range xs { b,s:=m.Hash(k,i); rec(k+1,h+b,v*float64(s)*xs[i]) } }
		rec(0,0,1)
		e:=0.0;n:=0.0
		for i:=range z { d:=float64(z[i])-want[i]; e+=d*d;n+=want[i]*want[i] }
		if e>1e-12*n { t.Errorf("D %d p %d: %g %g", D,p,e,n) }
	}}
}
