package model

import (
	"time"

	"sortkey.dev/design/internal/exact"
)

// HoursPerMonth is the length of a month in AWS's billing.
const HoursPerMonth = 730

// A Rate is a frequency.
type Rate struct {
	Text     string // as written: 50/day
	PerMonth exact.Number
}

// PerSecond returns the rate in calls a second.
func (r Rate) PerSecond() exact.Number { return r.PerMonth.Over(HoursPerMonth * 3600) }

// Scaled returns the rate multiplied by a factor.
func (r Rate) Scaled(by exact.Number) Rate {
	return Rate{Text: r.Text, PerMonth: r.PerMonth.Mul(by)}
}

// A Duration is a retention time or a reach; 0 means not stated.
type Duration time.Duration

// Months returns the duration in months of 730 hours.
func (d Duration) Months() exact.Number {
	return exact.Int(int64(time.Duration(d) / time.Second)).Over(HoursPerMonth * 3600)
}

// Days returns the duration in days.
func (d Duration) Days() exact.Number {
	return exact.Int(int64(time.Duration(d) / time.Second)).Over(24 * 3600)
}
