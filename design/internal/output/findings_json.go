package output

import (
	"cmp"
	"encoding/json"
	"io"

	"sortkey.dev/design/internal/diag"
)

// jsonFinding is a finding in JSON, complete with the texts of its rule.
type jsonFinding struct {
	Code     diag.Code      `json:"code"`
	Name     string         `json:"name"`
	Family   diag.Family    `json:"family"`
	Severity diag.Severity  `json:"severity"`
	Place    diag.Place     `json:"place"`
	Subject  string         `json:"subject,omitempty"`
	Message  string         `json:"message"`
	Why      string         `json:"why"`
	Fix      string         `json:"fix"`
	Related  []diag.Related `json:"related,omitempty"`
	Accepted string         `json:"accepted,omitempty"`
	Profiles []string       `json:"profiles,omitempty"`
}

// JSON writes the findings as JSON, including accepted ones.
func (f Findings) JSON(w io.Writer) error {
	out := struct {
		Files    []string      `json:"files"`
		Summary  Summary       `json:"summary"`
		Findings []jsonFinding `json:"findings"`
	}{f.Files, f.Summary(), make([]jsonFinding, 0, len(f.Findings))}
	for _, finding := range f.Findings {
		rule := finding.Code.Rule()
		out.Findings = append(out.Findings, jsonFinding{
			Code: finding.Code, Name: rule.Name, Family: rule.Family, Severity: finding.Severity,
			Place: finding.Place, Subject: finding.Subject, Message: finding.Message,
			Why: cmp.Or(finding.Why, rule.Why), Fix: cmp.Or(finding.Fix, rule.Fix),
			Related: finding.Related, Accepted: finding.Accepted, Profiles: finding.Profiles,
		})
	}
	return writeJSON(w, out)
}

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
