package model_test

import (
	"bytes"
	"reflect"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"
)

// TestContent: the content of a file is what its map and its model have, without the map.
func TestContent(t *testing.T) {
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 4, Seed: sketch.IntSeed(5)})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := model.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	head := `,"head":{"task":"regress","loss":"squared","alpha":0.5,"intercept":[1],"weights":[1,2,3,4],` +
		`"report":{"rows":9,"clipped":0,"rule":"given"}}}`
	whole := append(bytes.TrimSuffix(alone, []byte("}")), head...)
	for _, file := range [][]byte{alone, whole} {
		c, err := model.UnmarshalContent(file)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(c.Params, m.Params()) {
			t.Errorf("the parameters are %+v, want %+v", c.Params, m.Params())
		}
		if (c.Head == nil) != (len(file) == len(alone)) {
			t.Errorf("the head is %v", c.Head)
		}
	}
	c, err := model.UnmarshalContent(whole)
	if err != nil {
		t.Fatal(err)
	}
	full, err := model.UnmarshalModel(whole)
	if err != nil {
		t.Fatal(err)
	}
	if c.Head.Map = full.Map; !reflect.DeepEqual(c.Head, full) {
		t.Errorf("the head is %+v, want %+v", c.Head, full)
	}
	short := bytes.Replace(whole, []byte("[1,2,3,4]"), []byte("[1,2,3]"), 1)
	if _, err := model.UnmarshalContent(short); err == nil {
		t.Error("too few weights are no error")
	}
}
