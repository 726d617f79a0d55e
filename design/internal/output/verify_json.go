package output

import (
	"io"

	"sortkey.dev/design/internal/verify"
)

type jsonVerification struct {
	Design   string           `json:"design"`
	Same     bool             `json:"same"`
	Seed     uint64           `json:"seed"`
	Items    int              `json:"items"`
	Patterns []jsonVerified   `json:"patterns"`
	Heat     []jsonHeat       `json:"hottestPartitions"`
	Leftover []jsonDifference `json:"afterwards"`
}

type jsonVerified struct {
	Pattern     string           `json:"pattern"`
	Verb        string           `json:"verb"`
	Path        string           `json:"path"`
	Calls       int              `json:"calls"`
	Done        int              `json:"done"`
	Refused     int              `json:"refused"`
	Items       int              `json:"items"`
	Measured    float64          `json:"measuredUnits"`
	Expected    float64          `json:"costModelUnits"`
	PerCall     float64          `json:"measuredUnitsPerCall"`
	Typical     *float64         `json:"typicalUnitsPerCall,omitempty"`
	Design      float64          `json:"designUnitsPerCall"`
	Differences []jsonDifference `json:"differences"`
	Omitted     int              `json:"omittedDifferences"`
}

type jsonDifference struct {
	Kind      string `json:"kind"`
	Arguments string `json:"arguments,omitempty"`
	Detail    string `json:"detail"`
}

type jsonHeat struct {
	Path       string  `json:"path"`
	Partitions int     `json:"partitions"`
	Hottest    string  `json:"hottest"`
	RCU        float64 `json:"peakRCU"`
	WCU        float64 `json:"peakWCU"`
	Share      float64 `json:"share"`
	Use        float64 `json:"ofOnePartition"`
	Over       bool    `json:"overLimit"`
}

// JSON writes the report as JSON.
func (v Verification) JSON(w io.Writer) error {
	r := v.Report
	out := jsonVerification{
		Design: r.Design, Same: !r.Failed(), Seed: r.Seed, Items: r.Items,
		Patterns: []jsonVerified{}, Heat: []jsonHeat{}, Leftover: jsonDifferences(r.Leftover),
	}
	for _, p := range r.Patterns {
		var typical *float64
		if p.HasTypical {
			typical = &p.Typical
		}
		out.Patterns = append(out.Patterns, jsonVerified{
			Pattern: p.Name, Verb: p.Verb, Path: p.Path, Calls: p.Calls, Done: p.Found, Refused: p.Refused, Items: p.Items,
			Measured: p.Measured, Expected: p.Expected, PerCall: p.PerCall, Typical: typical, Design: p.Design,
			Differences: jsonDifferences(p.Differences), Omitted: p.Omitted,
		})
	}
	for _, h := range r.Heat {
		out.Heat = append(out.Heat, jsonHeat(h))
	}
	return writeJSON(w, out)
}

func jsonDifferences(all []verify.Difference) []jsonDifference {
	out := []jsonDifference{}
	for _, d := range all {
		out = append(out, jsonDifference(d))
	}
	return out
}
