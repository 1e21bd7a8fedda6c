package sketch

// Sines returns the map with the features −√(2/D)·sin(⟨ω_j, x⟩ + b_j) in place of the cosines of a map of
// random-fourier whose frequencies are not paired: the derivatives of its features by their phases, in radians. It
// returns nil for other maps.
func (m *FeatureMap) Sines() *FeatureMap {
	c := m.fourier()
	if c == nil {
		return nil
	}
	shifted, clone := *c, m.Clone()
	shifted.offsets, shifted.lists = make([]float32, len(c.offsets)), newRowLists(c.width)
	for j, b := range c.offsets { // cos(2π(t + ¼)) = −sin(2πt); offsets are multiples of 2^-24 from −½ to ½
		if shifted.offsets[j] = b + 0.25; shifted.offsets[j] > 0.5 {
			shifted.offsets[j]--
		}
	}
	clone.cores[0] = &shifted
	return clone
}

// Frequencies returns the frequencies of a map of random-fourier, NFeatures × D and in turns: the numbers that a
// coordinate times √γ (Gaussian) or γ (Laplacian) is multiplied by. It returns nil for other maps, and where
// frequencies are paired.
func (m *FeatureMap) Frequencies() []float32 {
	c := m.fourier()
	if c == nil {
		return nil
	}
	frequencies := make([]float32, 0, c.width*c.frequencies)
	for i := range c.width {
		for j := range c.frequencies {
			frequencies = append(frequencies, *c.at(i, j))
		}
	}
	return frequencies
}

// fourier returns the core of a map of random-fourier with offsets and one repeat, or nil.
func (m *FeatureMap) fourier() *fourierCore {
	c, ok := m.cores[0].(*fourierCore)
	if !ok || c.offsets == nil || len(m.cores) > 1 || m.params.Method != MethodRandomFourier {
		return nil
	}
	return c
}
