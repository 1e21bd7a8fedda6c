package onnx

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of fields and types come from onnx.proto3 of IR version 8 (onnx/onnx, release 1.12).

// The types of tensors.
const (
	typeFloat  = 1
	typeInt32  = 6
	typeInt64  = 7
	typeString = 8
	typeDouble = 11
)

// A message is a protobuf message that grows by one field after another.
type message []byte

func (m message) integer(field protowire.Number, v int64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(v))
}

func (m message) text(field protowire.Number, v string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), v)
}

func (m message) bytes(field protowire.Number, v []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), v)
}

// tensor returns a TensorProto with the given content.
func tensor(name string, kind int64, dims []int, content func(message) message) message {
	var m message
	for _, n := range dims {
		m = m.integer(1, int64(n))
	}
	return content(m.integer(2, kind)).text(8, name)
}

func floatTensor(name string, dims []int, values []float32) message {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return tensor(name, typeFloat, dims, func(m message) message { return m.bytes(9, raw) })
}

func doubleTensor(name string, dims []int, values []float64) message {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return tensor(name, typeDouble, dims, func(m message) message { return m.bytes(9, raw) })
}

func int32Tensor(name string, dims []int, values []int32) message {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(v))
	}
	return tensor(name, typeInt32, dims, func(m message) message { return m.bytes(9, raw) })
}

func int64Tensor(name string, dims []int, values []int64) message {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return tensor(name, typeInt64, dims, func(m message) message { return m.bytes(9, raw) })
}

func textTensor(name string, values []string) message {
	return tensor(name, typeString, []int{len(values)}, func(m message) message {
		for _, v := range values {
			m = m.text(6, v)
		}
		return m
	})
}

// An attribute of a node is an integer or a list of integers.
type attribute struct {
	name string
	ints []int64
	list bool
}

func axis(n int64) attribute     { return attribute{name: "axis", ints: []int64{n}} }
func axes(n int64) attribute     { return attribute{"axes", []int64{n}, true} }
func to(kind int64) attribute    { return attribute{name: "to", ints: []int64{kind}} }
func keepDims(n int64) attribute { return attribute{name: "keepdims", ints: []int64{n}} }

// message returns the AttributeProto.
func (a attribute) message() message {
	m := message(nil).text(1, a.name)
	if !a.list {
		return m.integer(3, a.ints[0]).integer(20, 2)
	}
	for _, n := range a.ints {
		m = m.integer(8, n)
	}
	return m.integer(20, 7)
}

// value returns the ValueInfoProto of an input or output. A dimension of 0 is the number of rows, N.
func value(name string, kind int64, dims []int, doc string) message {
	var shape message
	for _, n := range dims {
		dimension := message(nil).integer(1, int64(n))
		if n == 0 {
			dimension = message(nil).text(2, "N")
		}
		shape = shape.bytes(1, dimension)
	}
	of := message(nil).integer(1, kind).bytes(2, shape)
	return message(nil).text(1, name).bytes(2, message(nil).bytes(1, of)).text(3, doc)
}

// A graph collects the nodes, constants and outputs of a GraphProto. Each method that adds one returns its name.
type graph struct{ nodes, constants, outputs []message }

// node adds an operator with one output of the given name.
func (g *graph) node(op, name string, inputs []string, attributes ...attribute) string {
	g.nodes = append(g.nodes, node(op, []string{name}, inputs, attributes))
	return name
}

func node(op string, outputs, inputs []string, attributes []attribute) message {
	var m message
	for _, input := range inputs {
		m = m.text(1, input)
	}
	for _, output := range outputs {
		m = m.text(2, output)
	}
	m = m.text(3, "make "+outputs[0]).text(4, op)
	for _, a := range attributes {
		m = m.bytes(5, a.message())
	}
	return m
}

func (g *graph) constant(name string, m message) string {
	g.constants = append(g.constants, m)
	return name
}

func (g *graph) floats(name string, dims []int, values ...float32) string {
	return g.constant(name, floatTensor(name, dims, values))
}

func (g *graph) doubles(name string, dims []int, values ...float64) string {
	return g.constant(name, doubleTensor(name, dims, values))
}

func (g *graph) integers(name string, dims []int, values ...int64) string {
	return g.constant(name, int64Tensor(name, dims, values))
}

// message returns the GraphProto.
func (g *graph) message(input message) message {
	var m message
	for _, n := range g.nodes {
		m = m.bytes(1, n)
	}
	m = m.text(2, "tensorsketch")
	for _, c := range g.constants {
		m = m.bytes(5, c)
	}
	m = m.bytes(11, input)
	for _, o := range g.outputs {
		m = m.bytes(12, o)
	}
	return m
}
