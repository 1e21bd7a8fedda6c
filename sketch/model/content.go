package model

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A Content is what a model file holds.
type Content struct {
	Params sketch.Params
	Head   *learn.Model // without a Map; nil for a map alone
}

// UnmarshalContent returns the content of a model file without making its map, for programs that need
// no rows of features and link no map. The errors are the errors of UnmarshalModel or, for a map alone,
// Unmarshal, but the parameters are not checked: Params.Hashes and sketch.NewFeatureMap do that.
func UnmarshalContent(data []byte) (*Content, error) { return unmarshalContent(data, nil) }

// UnmarshalContentKeyed is UnmarshalContent for a model whose map has a key.
func UnmarshalContentKeyed(data []byte, key [32]byte) (*Content, error) {
	return unmarshalContent(data, &key)
}

func unmarshalContent(data []byte, key *[32]byte) (*Content, error) {
	r, err := newReader(data, format, Version, PreparedVersion)
	if err != nil {
		return nil, err
	}
	r.key = key
	head, has := r.keys["head"]
	delete(r.keys, "head")
	if !has && r.keys["preparation"] != nil {
		r.fail("head is missing: the preparation of a model is beside its head")
	}
	f, err := r.fitted()
	if err != nil {
		return nil, err
	}
	c := &Content{Params: f.Params}
	if has {
		c.Head = &learn.Model{Preparation: f.preparation}
		err = r.head(head, f.NComponents*f.Repeats, c.Head)
	}
	return c, err
}
