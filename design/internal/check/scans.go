package check

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
)

// wholeTable notes the price of scans (C313). A list that accepts C301 is a scan too, and its
// reason stands with that finding.
func wholeTable(s *subject) {
	for _, p := range s.patterns() {
		read, c := s.layout.Plan(p).Read, s.priced(p)
		if p.Verb != model.Scan || read == nil || c == nil {
			continue
		}
		finding := diag.Finding{Code: "C313", Place: p.VerbPlace, Subject: "pattern " + p.Name}
		path := read.Entry.Path
		if !c.Known {
			finding.Message = fmt.Sprintf("%s reads all of %s, and the design does not say how many items that is", p.Name, path)
			finding.Fix = fmt.Sprintf("State count or growth of every entity in %s", path)
			s.report.Add(finding)
			continue
		}
		finding.Message = fmt.Sprintf("%s reads all of %s: %s items, %s units a call, %s a month, and it grows with the table", p.Name, path, figure(c.Items), figure(c.Read), figures.Money(c.OnDemand))
		if others := len(read.Mixed); others > 0 {
			finding.Message += fmt.Sprintf("; items of %s are read and dropped", inWords(entityNames(read.Mixed)))
		}
		s.report.Add(finding)
	}
}

func entityNames(entities []*model.Entity) []string {
	all := make([]string, len(entities))
	for i, e := range entities {
		all[i] = e.Name
	}
	return all
}
