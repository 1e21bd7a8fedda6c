package sketch

import "cmp"

// Hashes returns the hash functions of the map of these parameters, for methods that are Hashed, and none of what
// transforms rows: a program that needs only these links the code of no map. hash is FeatureMap.Hash for a repeat,
// counted from 0. The parameters must be complete, as FeatureMap.Params and WithDefaults return them. The error is an
// *Error with code ErrParam.
func (p Params) Hashes() (hash func(repeat, k, i int) (bucket, sign int), err error) {
	p.Repeats = cmp.Or(p.Repeats, 1)
	if err := p.validate(hashedMethods); err != nil {
		return nil, err
	}
	repeats := make([]*hashTables, p.Repeats)
	for r := range repeats {
		tables, err := p.tables(r)
		if err != nil {
			return nil, err
		}
		repeats[r] = tables
	}
	return func(repeat, k, i int) (bucket, sign int) {
		e := repeats[repeat].at(k, i)
		return e.Bucket(), int(e.Sign())
	}, nil
}

// hashedMethods lists the methods that are Hashed, with none of their code.
func hashedMethods() (list []namedMethod) {
	for i := range methods {
		if methods[i].Hashed {
			list = append(list, namedMethod{methods[i].Name, func() *method { return new(method) }})
		}
	}
	return list
}
