package model

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// someKey is the bytes 0 … 31.
func someKey() (key [32]byte) {
	for i := range key {
		key[i] = byte(i)
	}
	return key
}

func keyedMap(t testing.TB, key [32]byte) *sketch.FeatureMap {
	t.Helper()
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 3, Seed: sketch.BytesSeed(key), Keyed: true}))(t)
	return m
}

// The check value is by Python's hashlib.
const keyedExample = `{"format":"tensorsketch-model","version":1,"method":"tensor-sketch","nFeatures":3,` +
	`"nComponents":100,` +
	`"degree":2,"gamma":1,"coef0":0,"normalize":"none","output":"real","repeats":1,"methodParams":{},` +
	`"hash":"key","keyCheck":"9cecf85488b0251b20be4a40e53b4849"}`

func features(m *sketch.FeatureMap) []float32 { return m.Transform(nil, []float32{1, 2, 3}) }

func TestKeyedModel(t *testing.T) {
	key := someKey()
	m := keyedMap(t, key)
	data, err := Marshal(m)
	if err != nil || string(data) != keyedExample {
		t.Fatalf("Marshal gives %s (%v), want %s", data, err, keyedExample)
	}
	back := need.Value(UnmarshalKeyed(data, key))(t)
	unkeyed := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 3, Seed: sketch.BytesSeed(key)}))(t)
	if want := features(unkeyed); !slices.Equal(features(m), want) || !slices.Equal(features(back), want) {
		t.Fatalf("features %v, and read again %v, want %v", features(m), features(back), want)
	}
	if !back.Params().Keyed {
		t.Error("the map that comes back is not keyed")
	}

	held, err := MarshalWith(m, Options{IncludeKey: true})
	if err != nil || !strings.HasSuffix(string(held), `,"key":"`+hex.EncodeToString(key[:])+`"}`) {
		t.Fatalf("with its key: %s (%v)", held, err)
	}
	if _, err := Unmarshal(held); err != nil {
		t.Error(err)
	}
	wrong := key
	wrong[31]++
	plain := need.Value(Marshal(unkeyed))(t)
	read := func(data string, key [32]byte) error { _, err := UnmarshalKeyed([]byte(data), key); return err }
	_, without := Unmarshal(data)
	_, wrongHeld := Unmarshal([]byte(strings.Replace(string(held), `"key":"00`, `"key":"01`, 1)))
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"no key", "the key is missing: this model does not hold the key of its map, give it to UnmarshalKeyed", without},
		{"wrong key", "this key is not the model's", read(string(data), wrong)},
		{"wrong key beside the right one", "this key is not the model's", read(string(held), wrong)},
		{"wrong key in the model", "this key is not the model's", wrongHeld},
		{"no keyed model", "this model has no key, and one was given", read(string(plain), key)},
		{"short check", "keyCheck must be 32 lower-case hexadecimal digits",
			read(strings.Replace(string(data), `"9cec`, `"9c`, 1), key)},
		{"no check", "keyCheck is missing", read(strings.Replace(string(data), `"keyCheck"`, `"check"`, 1), key)},
		{"upper case", "key must be 64 lower-case", read(strings.Replace(string(held), `1f"}`, `1F"}`, 1), key)},
		{"a seed beside", `"seed" is not a key`, read(strings.Replace(string(data), `"hash"`, `"seed":"5","hash"`, 1), key)},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, c.err, c.want)
		}
		if c.err != nil && strings.Contains(c.err.Error(), hex.EncodeToString(key[:4])) {
			t.Errorf("%s: the error holds the key: %v", c.name, c.err)
		}
	}
	if _, err := sketch.NewFeatureMap(sketch.Params{NFeatures: 3, Keyed: true}); err == nil ||
		err.Error() != "key must be a seed of 32 bytes, got 0" {
		t.Errorf("keyed without a key: %v", err)
	}
}

// By Python's hashlib.pbkdf2_hmac.
func TestDeriveKey(t *testing.T) {
	slow.Emulated(t)
	salt := make([]byte, 16)
	for i := range salt {
		salt[i] = byte(i)
	}
	key, err := DeriveKey("correct horse – naïve", salt, MinIterations)
	if got, want := hex.EncodeToString(key[:]), "6d3a6b88067400ba09e0623aacafbf31fc8886d1709f603060463b522332562d"; got !=
		want || err != nil {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
	for name, call := range map[string]func() ([32]byte, error){
		"empty passphrase": func() ([32]byte, error) { return DeriveKey("", salt, MinIterations) },
		"short salt":       func() ([32]byte, error) { return DeriveKey("a", salt[1:], MinIterations) },
		"few iterations":   func() ([32]byte, error) { return DeriveKey("a", salt, MinIterations-1) },
		"many iterations":  func() ([32]byte, error) { return DeriveKey("a", salt, MaxIterations+1) },
	} {
		if _, err := call(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestKeySalt: a model file and a passphrase are all that the features need, here and in
// test/spec/tensorsketch.py.
func TestKeySalt(t *testing.T) {
	slow.Emulated(t)
	const passphrase = "correct horse – naïve"
	salt := KeySalt{Iterations: MinIterations}
	for i := range 16 {
		salt.Salt = append(salt.Salt, byte(i))
	}
	key := need.Value(DeriveKey(passphrase, salt.Salt, salt.Iterations))(t)
	m := keyedMap(t, key)
	data, err := MarshalWith(m, Options{KeySalt: &salt})
	const end = `","keySalt":{"salt":"000102030405060708090a0b0c0d0e0f","iterations":600000}}` // model.test.mjs
	if err != nil || !strings.HasSuffix(string(data), end) {
		t.Fatalf("the model is %s (%v)", data, err)
	}
	held, err := KeySaltOf(data)
	if err != nil || held == nil {
		t.Fatalf("%v, %v", held, err)
	}
	again, err := DeriveKey(passphrase, held.Salt, held.Iterations)
	if err != nil || again != key {
		t.Errorf("another key: %v", err)
	}
	back := need.Value(UnmarshalKeyed(data, again))(t)
	if !slices.Equal(features(back), features(m)) {
		t.Fatal("other features")
	}
	if held, err := KeySaltOf([]byte(keyedExample)); held != nil || err != nil {
		t.Errorf("a model without salt has %v, %v", held, err)
	}
	for old, other := range map[string]string{`"salt":"00`: `"salt":"`, `0e0f`: `0E0F`, `600000`: `599999`,
		`,"iterations":600000`: ``,
		`{"salt"`:              `{"more":1,"salt"`, `600000}`: `600000.5}`, `"keySalt":{`: `"keySalt":null,"x":{`} {
		bad := []byte(strings.Replace(string(data), old, other, 1))
		if _, err := UnmarshalKeyed(bad, key); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	plain := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 3}))(t)
	if _, err := MarshalWith(plain, Options{KeySalt: &salt}); err == nil {
		t.Error("a map without key has a salt")
	}
}
