package model

import (
	"time"

	"sortkey.dev/design/internal/exact"
)

// HoursPerMonth is the month AWS bills by.
const HoursPerMonth = 730

// A Rate is how often something happens.
type Rate struct {
	Text     string // as written: 50/day
	PerMonth exact.Number
}

// PerSecond is the rate in calls a second.
func (r Rate) PerSecond() exact.Number { return r.PerMonth.Over(HoursPerMonth * 3600) }

// Scaled is the rate multiplied.
func (r Rate) Scaled(by exact.Number) Rate {
	return Rate{Text: r.Text, PerMonth: r.PerMonth.Mul(by)}
}

// A Duration is how long something is kept or reaches; 0 means not stated.
type Duration time.Duration

// Months is the duration in months of 730 hours.
func (d Duration) Months() exact.Number {
	return exact.Int(int64(time.Duration(d) / time.Second)).Over(HoursPerMonth * 3600)
}

// Days is the duration in days.
func (d Duration) Days() exact.Number {
	return exact.Int(int64(time.Duration(d) / time.Second)).Over(24 * 3600)
}
