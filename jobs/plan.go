package jobs

import (
	"math"

	"tensorsketch.example/sketch"
)

// A PlanRequest asks for the map and the number of components for an error, for rows or without them.
type PlanRequest struct {
	Rows
	sketch.PlanQuestion `json:"-"`
	First               int `json:"first"` // so many rows are looked at
}

// A PlanReply has an answer for each method.
type PlanReply struct {
	Told
	NFeatures int          `json:"nFeatures"`
	Answers   []PlanAnswer `json:"answers"`
}

// A PlanAnswer is a sketch.PlanAnswer as JSON, with the names of the JavaScript API.
type PlanAnswer struct {
	Method             string   `json:"method"`
	NComponents        int      `json:"nComponents"`
	PredictedSigma     *float64 `json:"predictedSigma"` // null if it is not known
	Kind               string   `json:"kind"`
	MicrosecondsPerRow float64  `json:"microsecondsPerRow"`
	Reached            bool     `json:"reached"`
}

// Plan asks sketch.Plan about the first rows of files or, without files, about NFeatures and Cosine.
func Plan(c *Control, q *PlanRequest) (*PlanReply, error) {
	question, reply := q.PlanQuestion, &PlanReply{Told: told(0)}
	if len(q.Files) > 0 {
		t, err := q.Rows.open(c, nil)
		if err != nil {
			return nil, err
		}
		t.say()
		if err := t.learn(int64(q.First), nil); err != nil {
			return nil, err
		}
		if question.Sample, err = t.head(q.First); err != nil {
			return nil, err
		}
		t.say()
		question.NFeatures = t.p.NFeatures()
		reply.Told = told(t.rows, t)
	} else if question.NFeatures == 0 {
		return nil, fail("nFeatures", "name a file, or give {nFeatures} for rows without one")
	}
	answers, err := sketch.Plan(question)
	if err != nil {
		return nil, mistake(err)
	}
	reply.NFeatures = question.NFeatures
	for _, a := range answers {
		item := PlanAnswer{a.Method, a.NComponents, &a.PredictedSigma, a.Kind.String(), a.MicrosecondsPerRow, a.Reached}
		if math.IsNaN(a.PredictedSigma) {
			item.PredictedSigma = nil
		}
		reply.Answers = append(reply.Answers, item)
	}
	return reply, nil
}
