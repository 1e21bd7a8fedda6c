//go:build js && wasm && columnar

package main

// The build tag columnar makes dataset-columnar.wasm: dataset.wasm with Parquet and Arrow.
import _ "tensorsketch.example/dataset/columnar"
