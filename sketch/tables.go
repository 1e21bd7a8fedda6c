package sketch

import "cmp"

// Tables are the hash tables of a map without what transforms rows, for methods that are Hashed. A
// program that needs only these links the code of no map.
type Tables struct {
	params  Params
	repeats []*hashTables
}

// NewTables returns the tables of the map of these parameters, which must be complete: those of
// FeatureMap.Params, or of WithDefaults. The error is an *Error with code ErrParam.
func NewTables(params Params) (*Tables, error) {
	t := &Tables{params: params}
	p := &t.params
	p.Repeats = cmp.Or(p.Repeats, 1)
	if err := p.validate(hashedMethods); err != nil {
		return nil, err
	}
	for r := range p.Repeats {
		tables, err := p.tables(r)
		if err != nil {
			return nil, err
		}
		t.repeats = append(t.repeats, tables)
	}
	return t, nil
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

// Params returns the parameters.
func (t *Tables) Params() Params { return t.params }

// Hash is FeatureMap.Hash for a repeat, counted from 0.
func (t *Tables) Hash(repeat, k, i int) (bucket, sign int) {
	e := t.repeats[repeat].at(k, i)
	return e.Bucket(), int(e.Sign())
}
