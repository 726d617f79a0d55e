package askahuman

import (
	"fmt"
	"time"
)

// An Alert is a metric that exceeds a threshold.
type Alert struct {
	Name   string
	Is     string
	Should string
	Severe bool
}

// enough is the minimum number of cases for a share to raise an alert: one flagged
// answer of one is no reason.
const enough = 10

// Thresholds of warnings and of severe alerts.
const (
	mostRefusedPerMinute = 100
	mostDuplicatePerHour = 50
	mostFlagged          = 0.10
	mostFailures         = 0.05
	leastCompleted       = 0.80
	severeCompleted      = 0.70
	mostExpired          = 0.20
	severeExpired        = 0.30
	longFirstAnswer      = 10 * time.Minute
	severeFirstAnswer    = 15 * time.Minute
	longCompletion       = 30 * time.Minute
)

// alerts returns the metrics that exceed their thresholds.
func alerts(n *Metrics) []Alert {
	var all []Alert
	add := func(when bool, severe bool, name, is, should string) {
		if when {
			all = append(all, Alert{Name: name, Is: is, Should: should, Severe: severe})
		}
	}
	total, first, completion := n.Total, n.Medians[TimeFirstAnswer], n.Medians[TimeCompletion]
	share := func(name string, part, whole int64, most, severe float64) {
		s := float64(part) / float64(max(whole, 1))
		add(whole >= enough && s > most, s > severe, name, percent(s), "at most "+percent(most))
	}

	refused := n.PerMinute(string(MetricRateLimited))
	add(refused > mostRefusedPerMinute, false, "rate limit", fmt.Sprintf("%.0f refusals a minute", refused), fmt.Sprintf("at most %d", mostRefusedPerMinute))
	duplicates := n.Busiest(string(MetricDuplicate))
	add(duplicates > mostDuplicatePerHour, false, "duplicate answers", fmt.Sprintf("%d in an hour", duplicates), fmt.Sprintf("at most %d", mostDuplicatePerHour))
	share("flagged answers", total(MetricFlagged), total(MetricAnswered), mostFlagged, 1)
	share("errors", total(MetricFailure), total(MetricRequest), mostFailures, 1)

	ended := total(MetricCompleted) + total(MetricExpired)
	completed := float64(total(MetricCompleted)) / float64(max(ended, 1))
	add(ended >= enough && completed < leastCompleted, completed < severeCompleted, "completion", percent(completed), "at least "+percent(leastCompleted))
	share("expiry", total(MetricExpired), ended, mostExpired, severeExpired)
	add(first > longFirstAnswer, first > severeFirstAnswer, "first answer", "after "+durationText(first), "within "+durationText(longFirstAnswer))
	add(completion > longCompletion, false, "time to completion", durationText(completion), "within "+durationText(longCompletion))
	return all
}

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// durationText formats a duration for people.
func durationText(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= unit.length {
			return counted((d+unit.length-1)/unit.length, unit.name)
		}
	}
	return counted((d+time.Second-1)/time.Second, "second")
}

func counted(n time.Duration, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
