package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// loadRules look at what a load does to keys. They are applied to every profile. Stated capacity
// and the billing mode are left out: they can be changed when a load comes, keys cannot. Keys with
// few values are left out, too: a profile states the load, and hotPartition compares it with the
// limits.
var loadRules = [][]rule{{hotPartition, hotItem, partitionGrows, localIndexFull}}

// profiles reports what the load of each profile does to keys, unless the workload of the
// design does it already: each finding once, with the profiles that have it. Notes are left out.
func profiles(d *model.Design, parts []*subject) {
	known := map[string]bool{}
	for _, s := range parts {
		s.report.Each(func(f *diag.Finding) { known[sameAs(*f)] = true })
	}
	var found []diag.Finding
	in := map[string][]string{}
	for _, profile := range d.Profiles {
		for _, s := range parts {
			for _, f := range s.under(profile) {
				id := sameAs(f)
				if known[id] || f.Severity < diag.Warning || slices.Contains(in[id], profile.Name) {
					continue
				}
				if len(in[id]) == 0 {
					found = append(found, f)
				}
				in[id] = append(in[id], profile.Name)
			}
		}
	}
	for _, f := range found {
		f.Profiles = in[sameAs(f)]
		f.Message = inProfiles(f.Profiles) + ": " + f.Message
		parts[0].report.Add(f)
	}
}

// sameAs identifies a finding in several workloads, whose figures differ.
func sameAs(f diag.Finding) string {
	return fmt.Sprintf("%s %s %s", f.Code, f.Place, f.Subject)
}

func inProfiles(names []string) string {
	if len(names) == 1 {
		return "In profile " + names[0]
	}
	return "In profiles " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// under returns what the load of a profile does to keys.
func (s *subject) under(profile *model.Profile) []diag.Finding {
	var report diag.Report
	other := *s
	other.report = &report
	other.workload.Profile, other.known.costs = profile, nil
	other.estimate = cost.Price(s.layout, other.workload)
	other.look(loadRules)
	return report.Findings()
}
