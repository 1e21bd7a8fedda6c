//go:build js && wasm && columnar

package main

// dataset-columnar.wasm is dataset.wasm with Parquet and Arrow: the tag columnar.
import _ "tensorsketch.example/dataset/columnar"
