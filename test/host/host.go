// Package host calls tensorsketch.host.wasm from Go by wazero, as packaging/host.md says. Its tests do so for every
// function.
package host

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// A Host is an instance of the module, called by ClickHouse's convention BUFFERED_V1.
type Host struct{ module api.Module }

// compiled keeps what wazero has compiled: a second instance of a module takes no second of a processor.
var compiled = wazero.NewCompilationCache()

// New compiles the module and makes an instance. The module imports nothing.
func New(ctx context.Context, binary []byte) (*Host, error) {
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(compiled))
	module, err := runtime.Instantiate(ctx, binary)
	if err != nil {
		return nil, errors.Join(err, runtime.Close(ctx))
	}
	return &Host{module}, nil
}

// AppendRow appends the arguments of a row, in the format RowBinary, to a block.
func AppendRow(block []byte, model string, x []float32) []byte {
	return appendNumbers(AppendTexts(block, model), x)
}

// AppendTexts appends arguments of type String to a block.
func AppendTexts(block []byte, texts ...string) []byte {
	for _, text := range texts {
		block = append(binary.AppendUvarint(block, uint64(len(text))), text...)
	}
	return block
}

// AppendList appends an argument of type Array(String) to a block.
func AppendList(block []byte, texts ...string) []byte {
	return AppendTexts(binary.AppendUvarint(block, uint64(len(texts))), texts...)
}

// AppendTable appends a text, rows of d numbers and their labels to a block: the arguments of tensorsketch_sums.
func AppendTable(block []byte, text string, X []float32, d int, labels ...string) []byte {
	block = binary.AppendUvarint(AppendTexts(block, text), uint64(len(X)/d))
	for ; len(X) > 0; X = X[d:] {
		block = appendNumbers(block, X[:d])
	}
	return AppendList(block, labels...)
}

// ReadTexts returns the results of type String in a block.
func ReadTexts(block []byte) (texts []string) {
	for len(block) > 0 {
		n, used := binary.Uvarint(block)
		texts, block = append(texts, string(block[used:used+int(n)])), block[used+int(n):]
	}
	return texts
}

func appendNumbers(block []byte, x []float32) []byte {
	block = binary.AppendUvarint(block, uint64(len(x)))
	for _, v := range x {
		block = binary.LittleEndian.AppendUint32(block, math.Float32bits(v))
	}
	return block
}

// Call calls a function with a block of rows, and returns the block of its results.
func (h *Host) Call(ctx context.Context, function string, block []byte, rows int) ([]byte, error) {
	handle, err := h.invoke(ctx, "clickhouse_create_buffer", uint64(len(block)))
	if err != nil {
		return nil, err
	}
	content, err := h.content(handle)
	if err != nil {
		return nil, err
	}
	copy(content, block)
	results, err := h.invoke(ctx, function, handle, uint64(rows))
	if err != nil {
		return nil, err
	}
	if _, err := h.invoke(ctx, "clickhouse_destroy_buffer", handle); err != nil {
		return nil, err
	}
	if results == 0 {
		text, err := h.take(ctx, "tensorsketch_last_error")
		return nil, errors.Join(err, errors.New(string(text)))
	}
	return h.copyOf(ctx, results)
}

// take returns the content of the buffer that a function without arguments returns.
func (h *Host) take(ctx context.Context, function string) ([]byte, error) {
	handle, err := h.invoke(ctx, function)
	if err != nil {
		return nil, err
	}
	return h.copyOf(ctx, handle)
}

// copyOf returns a copy of a buffer's content and destroys the buffer.
func (h *Host) copyOf(ctx context.Context, handle uint64) ([]byte, error) {
	content, err := h.content(handle)
	if err != nil {
		return nil, err
	}
	copied := append([]byte(nil), content...)
	_, err = h.invoke(ctx, "clickhouse_destroy_buffer", handle)
	return copied, err
}

// content returns the bytes of a buffer in the module's memory: its handle is the address of two words, the address and
// the number of the bytes.
func (h *Host) content(handle uint64) ([]byte, error) {
	memory := h.module.Memory()
	address, ok := memory.ReadUint32Le(uint32(handle))
	size, okSize := memory.ReadUint32Le(uint32(handle) + 4)
	content, okContent := memory.Read(address, size)
	if handle == 0 || !ok || !okSize || !okContent {
		return nil, errors.New("the module returned no buffer")
	}
	return content, nil
}

// invoke calls an export, and returns its result or 0.
func (h *Host) invoke(ctx context.Context, name string, arguments ...uint64) (uint64, error) {
	results, err := h.module.ExportedFunction(name).Call(ctx, arguments...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}
