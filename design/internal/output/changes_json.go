package output

import (
	"cmp"
	"io"
	"slices"

	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// jsonChange is a change in JSON, complete with the texts of its rule.
type jsonChange struct {
	Code      diag.Code      `json:"code"`
	Name      string         `json:"name"`
	Class     diag.Class     `json:"class,omitempty"`
	Dangerous bool           `json:"dangerous,omitempty"`
	Severity  diag.Severity  `json:"severity"`
	Place     diag.Place     `json:"place"`
	Removed   bool           `json:"removed,omitempty"` // the place is in the old version
	Subject   string         `json:"subject"`
	Message   string         `json:"message"`
	Why       string         `json:"why"`
	Fix       string         `json:"fix"`
	Related   []diag.Related `json:"related,omitempty"`
	Accepted  string         `json:"accepted,omitempty"`
	Items     *int64         `json:"items,omitempty"`
	Evidence  string         `json:"evidence,omitempty"`
}

// JSON writes the changes as JSON, including accepted ones.
func (c Changes) JSON(w io.Writer) error {
	out := struct {
		Old     string        `json:"old"`
		New     string        `json:"new"`
		Summary ChangeSummary `json:"summary"`
		Changes []jsonChange  `json:"changes"`
		Seen    []string      `json:"seen,omitempty"`
		NotRun  string        `json:"notRun,omitempty"`
	}{c.Old, c.New, c.Summary(), make([]jsonChange, 0, len(c.Changes)), c.Seen, c.NotRun}
	for _, one := range c.Changes {
		rule := one.Code.Rule()
		out.Changes = append(out.Changes, jsonChange{
			Code: one.Code, Name: rule.Name, Class: one.Class, Dangerous: one.Dangerous, Severity: c.SeverityOf(one),
			Place: one.Place, Removed: one.Removed, Subject: one.Subject, Message: one.Message,
			Why: cmp.Or(one.Why, rule.Why), Fix: cmp.Or(one.Fix, rule.Fix),
			Related: one.Related, Accepted: one.Accepted, Items: one.Items, Evidence: one.Evidence,
		})
	}
	return writeJSON(w, out)
}

// SARIF writes the changes in SARIF. A code host knows the files of the new version only, so that what was
// removed is at the element around it, or at the beginning of the design.
func (c Changes) SARIF(w io.Writer, version string) error {
	f := Findings{Sources: c.Sources}
	for _, one := range c.Changes {
		finding := c.finding(one)
		if finding.Severity == diag.Off {
			continue
		}
		if one.Removed || !c.isNew(finding.Place) {
			finding.Place = c.around(one)
		}
		if one.Evidence != "" {
			finding.Message += "; seen: " + one.Evidence
		}
		finding.Related = slices.DeleteFunc(slices.Clone(finding.Related), func(r diag.Related) bool { return !c.isNew(r.Place) })
		f.Findings = append(f.Findings, finding)
	}
	return f.SARIF(w, version)
}

func (c Changes) isNew(p diag.Place) bool {
	return slices.ContainsFunc(c.Sources, func(s loader.Source) bool { return s.Name == p.File })
}

func (c Changes) around(one *change.Change) diag.Place {
	if c.isNew(one.Within) {
		return one.Within
	}
	place := diag.Place{Line: 1, Column: 1}
	if len(c.Sources) > 0 {
		place.File = c.Sources[0].Name
	}
	return place
}
