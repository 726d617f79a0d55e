package check

import (
	"fmt"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// capacityBelowPeak finds provisioned tables and global indexes whose stated capacity,
// or autoscaling maximum, is below their peak (H507).
func capacityBelowPeak(s *subject) {
	for _, table := range s.estimate.Tables {
		for _, path := range table.Paths {
			if lack := lackOf(path); len(lack.taken) > 0 {
				s.report.Add(diag.Finding{
					Code: "H507", Place: capacityPlace(path.Path), Subject: subjectOfPath(path.Path),
					Message: fmt.Sprintf("At its peak%s %s needs %s a second, but its capacity is %s%s", assumedPeak(s.usersOf(path.Path), s.workload), path.Path, inWords(lack.taken), inWords(lack.given), backPressure(path)),
					Fix:     raiseFix(path, lack.raised),
				})
			}
		}
	}
}

// A lack describes the capacity a path is short of, in words.
type lack struct{ taken, given, raised []string }

func lackOf(path *cost.PathCost) lack {
	var l lack
	look := func(given, peak exact.Number, key, word string) {
		if given.Sign() <= 0 || peak.Cmp(given) <= 0 {
			return
		}
		l.taken = append(l.taken, figure(peak)+" "+word+" units")
		l.given = append(l.given, figure(given))
		l.raised = append(l.raised, key+" to "+figure(cost.Needed(peak)))
	}
	rcu, wcu := path.Ceiling()
	look(wcu, path.PeakWCU, "wcu", "write")
	look(rcu, path.PeakRCU, "rcu", "read")
	return l
}

// capacityPlace returns the place where the capacity of a path is stated.
func capacityPlace(path resolve.Path) diag.Place {
	if x := path.Index; x != nil && (!x.RCU.IsZero() || !x.WCU.IsZero()) && path.Table.Billing.Autoscale == nil {
		return x.Place
	}
	return orPlace(path.Table.Billing.Place, path.Table.Place)
}

// backPressure returns a clause about throttled table writes if an index has too little
// write capacity.
func backPressure(path *cost.PathCost) string {
	_, wcu := path.Ceiling()
	if !path.Path.IsGlobal() || wcu.Sign() <= 0 || path.PeakWCU.Cmp(wcu) <= 0 {
		return ""
	}
	return "; writes to " + path.Path.Table.Name + " are throttled too"
}

// raiseFix returns advice with the capacity the peaks need. Autoscaling has one maximum
// for reads and writes.
func raiseFix(path *cost.PathCost, raised []string) string {
	if a := path.Path.Table.Billing.Autoscale; a != nil {
		most, target := cost.NeededScaled(path.PeakWCU.Max(path.PeakRCU), a)
		return fmt.Sprintf("Raise max of autoscale of %s to %s, its peak at %s %% utilization, or use on-demand billing", path.Path.Table.Name, figure(most), figure(target.Times(100)))
	}
	return fmt.Sprintf("Raise the capacity of %s to its peak at 70 %% utilization: %s, or use on-demand billing", path.Path, inWords(raised))
}

// assumedPeak returns a note that the peak is an assumption if no pattern states one.
func assumedPeak(patterns []*model.Pattern, workload cost.Options) string {
	for _, p := range patterns {
		if cost.PeakStated(p, workload) {
			return ""
		}
	}
	return fmt.Sprintf(" (%d times its average; no peak stated)", cost.PeakFactor)
}
