package jobs

import "tensorsketch.example/dataset/onnx"

// An ExportRequest asks for a model file as ONNX.
type ExportRequest struct {
	Model Named `json:"model"`
}

// Export returns the ONNX file of a model, or of a map alone.
func Export(q *ExportRequest) ([]byte, error) {
	content, _, err := open(&q.Model, func(file []byte, key *[32]byte) ([]byte, error) {
		if key != nil {
			return onnx.MarshalKeyed(file, *key)
		}
		return onnx.Marshal(file)
	})
	return content, err
}
