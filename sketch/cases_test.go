package sketch

import "math"

// SecretKey returns the bytes 0 … 31.
func SecretKey() (key [32]byte) {
	for i := range key {
		key[i] = byte(i)
	}
	return key
}

// A MapCase is a map whose features are kept or compared.
type MapCase struct {
	Name       string
	Params     Params
	IncludeKey bool
	Landmarks  []float32 // those given, in place of Fit
}

// NeedsFit reports whether the maps of a method are fitted to rows.
func NeedsFit(method string) bool { return method != "" && methodOf(method).Fitted }

func series(a ...float64) MethodParams { return MethodParams{Coefficients: a} }

// RandomState returns a pointer to it.
func RandomState(r uint32) *uint32 { return &r }

// MapCases are by method: those small enough to be kept as vectors.
func MapCases() map[string][]MapCase {
	const kernel, spectrum = NormalizeKernel, OutputSpectrum
	gaussian := MethodParams{Distribution: DistributionGaussian}
	type p = Params
	return map[string][]MapCase{
		MethodTensorSketch: {
			{Name: "integer seed", Params: p{NFeatures: 5, NComponents: 16, Seed: IntSeed(5)}},
			{Name: "seed beyond 2^53, odd D", Params: p{NFeatures: 5, NComponents: 15, Degree: 3, Gamma: 0.5, Coef0: 1,
				Seed: IntSeed(1<<64 - 1)}},
			{Name: "text for a seed, prime D", Params: p{NFeatures: 6, NComponents: 13, Degree: 4, Coef0: 0.25,
				Seed: StringSeed("clé 鍵")}},
			{Name: "bytes for a seed, one component", Params: p{NFeatures: 3, NComponents: 1,
				Seed: BytesSeed(SecretKey())}},
			{Name: "secret key", Params: p{NFeatures: 4, NComponents: 8, Coef0: 2, Seed: BytesSeed(SecretKey()),
				Keyed: true}},
			{Name: "secret key in the file", Params: p{NFeatures: 4, NComponents: 9, Seed: BytesSeed(SecretKey()),
				Keyed: true}, IncludeKey: true},
			{Name: "random_state", Params: p{NFeatures: 5, NComponents: 10, Degree: 3, Coef0: 1, RandomState: RandomState(42)}},
			{Name: "random_state, largest", Params: p{NFeatures: 4, NComponents: 1, Degree: 2,
				RandomState: RandomState(1<<32 - 1)}},
			{Name: "given tables", Params: p{
				NFeatures: 2, NComponents: 4, Coef0: 1,
				IndexHash: [][]int32{{3, 0, 1}, {2, 2, 0}}, BitHash: [][]int8{{1, -1, 1}, {-1, -1, 1}},
			}},
			{Name: "spectrum, even D", Params: p{NFeatures: 5, NComponents: 12, Coef0: 1, Output: spectrum}},
			{Name: "spectrum, odd D", Params: p{NFeatures: 5, NComponents: 11, Degree: 3, Output: spectrum, Normalize: kernel}},
			{Name: "normalised", Params: p{NFeatures: 5, NComponents: 20, Gamma: 2, Coef0: 1, Normalize: kernel}},
			{Name: "repeats", Params: p{NFeatures: 5, NComponents: 6, Coef0: 1, Repeats: 3, Normalize: kernel}},
			{Name: "products", Params: p{NFeaturesEach: []int{3, 1, 4}, NComponents: 10, Gamma: 0.5, Coef0: 1}},
			{Name: "products, normalised", Params: p{NFeaturesEach: []int{2, 3}, NComponents: 7, Repeats: 2, Normalize: kernel}},
		},
		MethodCountSketch: {
			{Name: "plain", Params: p{NFeatures: 9, NComponents: 5}},
			{Name: "constant, repeats", Params: p{NFeatures: 6, NComponents: 7, Gamma: 3, Coef0: 0.5, Repeats: 2}},
			{Name: "random_state, spectrum", Params: p{NFeatures: 6, NComponents: 6, RandomState: RandomState(0),
				Output: spectrum, Normalize: kernel}},
		},
		MethodComplexTensorSketch: {
			{Name: "plain", Params: p{NFeatures: 5, NComponents: 16, Seed: IntSeed(5)}},
			{Name: "constant, odd D/2, repeats", Params: p{NFeatures: 5, NComponents: 14, Degree: 3, Gamma: 0.5, Coef0: 1,
				Repeats: 2, Normalize: kernel}},
			{Name: "spectrum", Params: p{NFeatures: 5, NComponents: 12, Coef0: 1, Output: spectrum}},
		},
		MethodRandomMaclaurin: {
			{Name: "polynomial", Params: p{NFeatures: 5, NComponents: 24, Degree: 3, Gamma: 0.5, Coef0: 1}},
			{Name: "h01, another order", Params: p{NFeatures: 4, NComponents: 12, Degree: 4, Coef0: 0.5, Repeats: 2,
				MethodParams: MethodParams{H01: true, Order: 1.5}}},
			{Name: "exponential", Params: p{NFeatures: 5, NComponents: 20, Gamma: 0.25,
				MethodParams: MethodParams{Kernel: KernelExponential, Distribution: DistributionGaussian}}},
			{Name: "series, normalised", Params: p{NFeatures: 5, NComponents: 15, Gamma: 0.3, Normalize: kernel,
				MethodParams: series(1, 0, 0.5, 0.25, 0)}},
			{Name: "all orders", Params: p{NFeatures: 5, NComponents: 20, Degree: 3, Gamma: 0.5, Coef0: 1,
				MethodParams: MethodParams{AllOrders: true}}},
			{Name: "all orders, homogeneous, h01, another order", Params: p{NFeatures: 4, NComponents: 16, Repeats: 2,
				MethodParams: MethodParams{AllOrders: true, H01: true, Order: 1.5}}},
		},
		MethodTensorizedProjection: {
			{Name: "signs", Params: p{NFeatures: 5, NComponents: 33, Coef0: 1}},
			{Name: "normal numbers, repeats", Params: p{NFeatures: 4, NComponents: 6, Degree: 3, Gamma: 2, Repeats: 2,
				Normalize: kernel, MethodParams: gaussian}},
		},
		MethodComplexProjection: {
			{Name: "signs", Params: p{NFeatures: 5, NComponents: 22, Degree: 3, Coef0: 1}},
			{Name: "normal numbers, repeats", Params: p{NFeatures: 4, NComponents: 6, Gamma: 2, Repeats: 2, Normalize: kernel,
				MethodParams: gaussian}},
		},
		MethodTensorSRHT: {
			{Name: "one block", Params: p{NFeatures: 5, NComponents: 7}},
			{Name: "three blocks", Params: p{NFeatures: 3, NComponents: 11, Degree: 3, Gamma: 0.5, Coef0: 1, Repeats: 2,
				Normalize: kernel}},
		},
		MethodComplexTensorSRHT: {
			{Name: "one block", Params: p{NFeatures: 6, NComponents: 14}},
			{Name: "three blocks", Params: p{NFeatures: 3, NComponents: 20, Degree: 3, Gamma: 0.5, Coef0: 1, Repeats: 2,
				Normalize: kernel}},
		},
		MethodCRAFT: {
			{Name: "tensor sketch, defaults", Params: p{NFeatures: 5, NComponents: 6, Coef0: 1}},
			{Name: "tree, E given", Params: p{NFeatures: 4, NComponents: 5, Degree: 3, Repeats: 2, Normalize: kernel,
				MethodParams: MethodParams{Base: MethodTreeTensorSketch, UpComponents: 12}}},
			{Name: "Random Maclaurin with h01", Params: p{NFeatures: 4, NComponents: 8, Degree: 3, Coef0: 1,
				MethodParams: MethodParams{Base: MethodRandomMaclaurin, H01: true, UpComponents: 20}}},
		},
		MethodTreeTensorSketch: {
			{Name: "three leaves of four", Params: p{NFeatures: 5, NComponents: 10, Degree: 3, Gamma: 0.5, Coef0: 1,
				Repeats: 2}},
			{Name: "five leaves of eight", Params: p{NFeatures: 4, NComponents: 7, Degree: 5, Normalize: kernel}},
			{Name: "one leaf", Params: p{NFeatures: 5, NComponents: 6, Degree: 1}},
		},
		MethodSpherical: {
			{Name: "plain", Params: p{NFeatures: 5, NComponents: 12, Degree: 5}},
			{Name: "paired, another a", Params: p{NFeatures: 4, NComponents: 8, Degree: 10, Repeats: 2,
				Normalize: kernel, MethodParams: MethodParams{A: 3, Paired: true}}},
			{Name: "signed", Params: p{NFeatures: 5, NComponents: 12, Degree: 1, MethodParams: MethodParams{Signed: true}}},
		},
		MethodRandomFourier: {
			{Name: "Gaussian", Params: p{NFeatures: 5, NComponents: 15, Gamma: 0.2}},
			{Name: "Laplacian, repeats", Params: p{NFeatures: 4, NComponents: 7, Gamma: 0.1, Repeats: 2, Normalize: kernel,
				MethodParams: MethodParams{Kernel: KernelLaplacian}}},
			{Name: "paired", Params: p{NFeatures: 5, NComponents: 10, MethodParams: MethodParams{Paired: true}}},
			{Name: "Cauchy", Params: p{NFeatures: 5, NComponents: 14, Gamma: 0.3,
				MethodParams: MethodParams{Kernel: KernelCauchy}}},
			{Name: "orthogonal", Params: p{NFeatures: 5, NComponents: 12, Gamma: 0.2,
				MethodParams: MethodParams{Projection: ProjectionOrthogonal}}},
			{Name: "structured, paired", Params: p{NFeatures: 5, NComponents: 10, Gamma: 0.2, Repeats: 2,
				MethodParams: MethodParams{Projection: ProjectionStructured, Paired: true}}},
		},
		MethodTaylorSketch: {
			{Name: "Gaussian", Params: p{NFeatures: 5, NComponents: 40, Gamma: 0.1}},
			{Name: "exponential, five terms, repeats", Params: p{NFeatures: 4, NComponents: 13, Gamma: 0.5, Repeats: 2,
				Normalize: kernel, MethodParams: MethodParams{Kernel: KernelExponential, Terms: 5}}},
			{Name: "arc-cosine", Params: p{NFeatures: 5, NComponents: 20, Gamma: 2,
				MethodParams: MethodParams{Kernel: KernelArcCosine}}},
			{Name: "series without a constant", Params: p{NFeatures: 5, NComponents: 12, Normalize: kernel,
				MethodParams: series(0, 0, 1, 2)}},
		},
		MethodNystroem: {
			{Name: "polynomial", Params: p{NFeatures: 4, NComponents: 6, Degree: 3, Coef0: 1}},
			{Name: "Gaussian, repeats", Params: p{NFeatures: 4, NComponents: 5, Gamma: 0.3, Repeats: 2, Normalize: kernel,
				MethodParams: MethodParams{Kernel: KernelGaussian}}},
			{Name: "exponential", Params: p{NFeatures: 3, NComponents: 4, Gamma: 0.5,
				MethodParams: MethodParams{Kernel: KernelExponential}}},
			{Name: "landmarks between two decimals", Params: p{NFeatures: 4, NComponents: 2,
				MethodParams: MethodParams{Kernel: KernelGaussian}},
				Landmarks: []float32{1.0 / 4096, -1.0 / 4096, float32(math.Copysign(0, -1)), 1e-45, 0x1p-96, 0x1p87, -0x1p90,
					0.1}},
			{Name: "more components than the rank", Params: p{NFeatures: 2, NComponents: 5, Degree: 2}},
		},
		MethodKSpace: {
			{Name: "cubic", Params: p{NFeatures: 4, NComponents: 3, Degree: 3, Coef0: 1}},
			{Name: "m and r, repeats", Params: p{NFeatures: 5, NComponents: 3, Gamma: 0.3, Repeats: 2, Normalize: kernel,
				MethodParams: MethodParams{M: 7, R: 11}}},
			{Name: "linear, m of k", Params: p{NFeatures: 4, NComponents: 3, Degree: 1, MethodParams: MethodParams{M: 3}}},
			{Name: "more components than the rank", Params: p{NFeatures: 2, NComponents: 4, Degree: 2}},
		},
	}
}

// WideCases are larger than the kept vectors: rows of several words and blocks, lengths
// with large primes, degrees up to 7.
func WideCases() map[string][]MapCase {
	const kernel, spectrum = NormalizeKernel, OutputSpectrum
	type p = Params
	with := func(base string) MethodParams { return MethodParams{Base: base} }
	return map[string][]MapCase{
		MethodTensorSketch: {
			{Name: "wide, twice a prime", Params: p{NFeatures: 150, NComponents: 106, Coef0: 1}},
			{Name: "prime", Params: p{NFeatures: 40, NComponents: 97, Degree: 3, Seed: StringSeed("")}},
			{Name: "deep", Params: p{NFeatures: 20, NComponents: 60, Degree: 7, Gamma: 0.25, Coef0: 1}},
			{Name: "power of two", Params: p{NFeatures: 30, NComponents: 128, Degree: 4, Coef0: 0.5, Output: spectrum,
				Repeats: 2, Normalize: kernel}},
			{Name: "random_state", Params: p{NFeatures: 300, NComponents: 129, Degree: 3, Coef0: 1,
				RandomState: RandomState(7)}},
			{Name: "products", Params: p{NFeaturesEach: []int{40, 1, 7, 19}, NComponents: 70, Coef0: 1}},
		},
		MethodCountSketch: {{Name: "wide", Params: p{NFeatures: 500, NComponents: 63, Coef0: 1}}},
		MethodComplexTensorSketch: {
			{Name: "wide", Params: p{NFeatures: 70, NComponents: 94, Degree: 4,
				Output: spectrum, Repeats: 2}},
			{Name: "two components", Params: p{NFeatures: 7, NComponents: 2, Degree: 1}},
		},
		MethodRandomMaclaurin: {
			{Name: "wide", Params: p{NFeatures: 70, NComponents: 150, Degree: 5, Gamma: 0.1, Coef0: 1}},
			{Name: "homogeneous", Params: p{NFeatures: 17, NComponents: 61}},
			{Name: "h01 of a series", Params: p{NFeatures: 20, NComponents: 80, Gamma: 0.2, Repeats: 2,
				MethodParams: MethodParams{H01: true, Order: 3, Coefficients: []float64{2, 1, 0, 0.5, 3},
					Distribution: DistributionGaussian}}},
			{Name: "all orders of a series", Params: p{NFeatures: 20, NComponents: 80, Gamma: 0.2, Normalize: kernel,
				MethodParams: MethodParams{AllOrders: true, Order: 3, Coefficients: []float64{2, 0, 0, 0.5, 3}}}},
			{Name: "all orders and none with a term", Params: p{NFeatures: 3, NComponents: 1, Degree: 9,
				MethodParams: MethodParams{AllOrders: true}}},
		},
		MethodTensorizedProjection: {{Name: "wide", Params: p{NFeatures: 70, NComponents: 100, Degree: 4, Gamma: 0.5,
			Coef0: 1}}},
		MethodComplexProjection: {
			{Name: "wide", Params: p{NFeatures: 70, NComponents: 100, Degree: 3}},
			{Name: "linear", Params: p{NFeatures: 7, NComponents: 2, Degree: 1, Coef0: 1}},
		},
		MethodTensorSRHT: {
			{Name: "rows of several words", Params: p{NFeatures: 130, NComponents: 300, Degree: 3, Coef0: 1}},
			{Name: "one coordinate", Params: p{NFeatures: 1, NComponents: 3, Degree: 2}},
			{Name: "one number", Params: p{NFeatures: 4, NComponents: 1, Degree: 4}},
		},
		MethodComplexTensorSRHT: {{Name: "rows of several words",
			Params: p{NFeatures: 100, NComponents: 300, Degree: 2, Coef0: 1}}},
		MethodCRAFT: {
			{Name: "wide", Params: p{NFeatures: 30, NComponents: 20, Degree: 3, Coef0: 1, Repeats: 2}},
			{Name: "complex tensor sketch", Params: p{NFeatures: 9, NComponents: 9,
				MethodParams: with(MethodComplexTensorSketch)}},
			{Name: "projections", Params: p{NFeatures: 9, NComponents: 9, Degree: 3,
				MethodParams: MethodParams{Base: MethodTensorizedProjection,
					Distribution: DistributionGaussian}}},
			{Name: "complex projections", Params: p{NFeatures: 9, NComponents: 9,
				MethodParams: with(MethodComplexProjection)}},
			{Name: "tensor-srht", Params: p{NFeatures: 9, NComponents: 9, MethodParams: with(MethodTensorSRHT)}},
			{Name: "complex-tensor-srht", Params: p{NFeatures: 9, NComponents: 9,
				MethodParams: with(MethodComplexTensorSRHT)}},
			{Name: "Random Maclaurin of the exponential", Params: p{NFeatures: 9, NComponents: 9, Gamma: 0.1,
				MethodParams: MethodParams{Base: MethodRandomMaclaurin, Kernel: KernelExponential}}},
		},
		MethodTreeTensorSketch: {
			{Name: "deep", Params: p{NFeatures: 30, NComponents: 50, Degree: 7, Gamma: 0.2,
				Coef0: 1}},
			{Name: "four leaves", Params: p{NFeatures: 17, NComponents: 64, Degree: 4, Gamma: 0.5, Coef0: 1}},
		},
		MethodSpherical: {
			{Name: "one coordinate", Params: p{NFeatures: 1, NComponents: 20, Degree: 2}},
			{Name: "two coordinates", Params: p{NFeatures: 2, NComponents: 20, Degree: 3,
				MethodParams: MethodParams{A: 2.5}}},
			{Name: "three coordinates", Params: p{NFeatures: 3, NComponents: 30, Degree: 10}},
			{Name: "wide", Params: p{NFeatures: 60, NComponents: 70, Degree: 20,
				MethodParams: MethodParams{A: 4}}},
			{Name: "high degree", Params: p{NFeatures: 17, NComponents: 31, Degree: 64}},
			{Name: "linear", Params: p{NFeatures: 17, NComponents: 30, Degree: 1,
				MethodParams: MethodParams{Paired: true}}},
			{Name: "signed, paired", Params: p{NFeatures: 60, NComponents: 90, Degree: 2, Repeats: 2,
				MethodParams: MethodParams{A: 2.5, Paired: true, Signed: true}}},
		},
		MethodRandomFourier: {
			{Name: "rows of several stretches", Params: p{NFeatures: 300, NComponents: 70, Gamma: 0.01}},
			{Name: "Laplacian, paired", Params: p{NFeatures: 20, NComponents: 40, Gamma: 0.02,
				MethodParams: MethodParams{Kernel: KernelLaplacian, Paired: true}}},
			{Name: "Cauchy, paired", Params: p{NFeatures: 40, NComponents: 90, Gamma: 0.01, Repeats: 2,
				MethodParams: MethodParams{Kernel: KernelCauchy, Paired: true}}},
			{Name: "orthogonal, paired", Params: p{NFeatures: 20, NComponents: 70, Gamma: 0.02,
				MethodParams: MethodParams{Projection: ProjectionOrthogonal, Paired: true}}},
			{Name: "structured, several blocks", Params: p{NFeatures: 70, NComponents: 300, Gamma: 0.01,
				MethodParams: MethodParams{Projection: ProjectionStructured}}},
		},
		MethodTaylorSketch: {
			{Name: "wide", Params: p{NFeatures: 60, NComponents: 300, Gamma: 0.05, Normalize: kernel}},
			{Name: "arc-cosine, all terms", Params: p{NFeatures: 9, NComponents: 200, Repeats: 2, Normalize: kernel,
				MethodParams: MethodParams{Kernel: KernelArcCosine, Terms: 65}}},
			{Name: "exponential, least D", Params: p{NFeatures: 9, NComponents: 8, Gamma: 0.1,
				MethodParams: MethodParams{Kernel: KernelExponential}}},
		},
		MethodNystroem: {{Name: "wide", Params: p{NFeatures: 150, NComponents: 75, Coef0: 1, Repeats: 2}}},
		MethodKSpace: {{Name: "wide", Params: p{NFeatures: 150, NComponents: 37, Degree: 3, Coef0: 1, Repeats: 2,
			MethodParams: MethodParams{M: 101, R: 75}}}},
	}
}
