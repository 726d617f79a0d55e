// Package load has the pure rules of averages, load and fairness: how a moving average learns,
// what a week weighs for a member, how even a household is, and when there is too little to say.
// It stores nothing and knows no member. The rooms ledger, policy and insights call it.
package load

import (
	"math"
	"time"
)

// Weights of the latest sample in moving averages.
const (
	AlphaEffort = 0.3
	AlphaHabit  = 0.2 // of ignore rate and interaction frequency
)

// An Average is an exponential moving average with the number of its samples.
type Average struct {
	Value   float64
	Samples int64
}

// Add returns the average with one more sample. The first sample is the average. Values are kept
// to four decimals.
func (a Average) Add(x, alpha float64) Average {
	if a.Samples == 0 {
		return Average{Value: round(x, 4), Samples: 1}
	}
	return Average{Value: round(alpha*x+(1-alpha)*a.Value, 4), Samples: a.Samples + 1}
}

// TrustedSamples is the number of samples from which a member's own average replaces the stated
// effort.
const TrustedSamples = 3

// Value returns what an activity of a stated effort of 1, 2 or 3 weighs for a member.
func Value(effort int, own Average) float64 {
	if own.Samples >= TrustedSamples {
		return own.Value
	}
	return float64(effort)
}

// A Level is an effort in three steps.
type Level int

// The levels.
const (
	Low Level = iota + 1
	Medium
	High
)

// LevelOf returns the level of an average effort.
func LevelOf(average float64) Level {
	switch {
	case average < 1.5:
		return Low
	case average < 2.5:
		return Medium
	}
	return High
}

// A Week holds the sums of a member's week.
type Week struct {
	Effort, Recovery float64
	Chores, Pauses   int
}

// Net returns the net load: effort less weighted recovery, to two decimals.
func (w Week) Net(recoveryWeight float64) float64 {
	return round(w.Effort-recoveryWeight*w.Recovery, 2)
}

// HalfLife is the time in which the weight of a past week halves.
const HalfLife = 14 * 24 * time.Hour

// History returns the decayed mean of past net loads, the latest first, one for each week before
// the current one: H = sum of n_i * 2^(-7i/14) over sum of the weights. It is 0 without a past.
func History(nets []float64) float64 {
	var sum, weights float64
	for i, net := range nets {
		weight := math.Exp2(-float64(7*24*time.Hour*time.Duration(i+1)) / float64(HalfLife))
		sum += weight * net
		weights += weight
	}
	if weights == 0 {
		return 0
	}
	return round(sum/weights, 2)
}

// Combined returns the load that fairness compares: mostly this week, partly the past.
func Combined(net, history float64) float64 { return 0.7*net + 0.3*history }

// Fairness returns how evenly loads are shared, from 0 (one member has all) to 100. Negative
// loads count as none; if there is no load, it is 100.
func Fairness(loads []float64) float64 {
	n := float64(len(loads))
	if n < 2 {
		return 100
	}
	var total float64
	for _, l := range loads {
		total += max(l, 0)
	}
	if total == 0 {
		return 100
	}
	var apart float64
	for _, l := range loads {
		apart += math.Abs(max(l, 0)/total - 1/n)
	}
	return round(100*(1-apart/(2*(1-1/n))), 2)
}

// A Band is a fairness score as a member sees it.
type Band string

// The bands. A member sees no score, because in a household of two it would tell the load of the
// other.
const (
	Even      Band = "even"
	Mixed     Band = "mixed"
	Uneven    Band = "uneven"
	NotEnough Band = "not_enough" // a member said too little in this week
)

// BandOf returns the band of a score; NotEnough if there is none.
func BandOf(score *float64) Band {
	switch {
	case score == nil:
		return NotEnough
	case *score >= 80:
		return Even
	case *score >= 50:
		return Mixed
	}
	return Uneven
}

// Coverage of a week: what a member wrote and logged.
const (
	MinMessages = 5
	MinEvents   = 3
)

// Covered reports whether a member said enough in a week to be compared. A balance built from
// a chat is a lower bound: who writes less did not do less.
func Covered(messages, events int, paused bool) bool {
	return !paused && messages >= MinMessages && events >= MinEvents
}

// Strained reports whether a net load is high for this member: above the mean of their own past
// weeks by more than a standard deviation, and at least 6.
func Strained(net float64, past []float64) bool {
	if net < 6 || len(past) == 0 {
		return false
	}
	var mean, variance float64
	for _, p := range past {
		mean += p / float64(len(past))
	}
	for _, p := range past {
		variance += (p - mean) * (p - mean) / float64(len(past))
	}
	return net > mean+math.Sqrt(variance)
}

// A Trend compares a member's week with their own past.
type Trend string

// The trends.
const (
	Lighter Trend = "lighter"
	Same    Trend = "same"
	Heavier Trend = "heavier"
	First   Trend = "first" // there is no earlier week to compare with
)

// TrendOf returns the trend of a net load against the member's own history of at least one week.
func TrendOf(net, history float64) Trend {
	switch {
	case net > history+1:
		return Heavier
	case net < history-1:
		return Lighter
	}
	return Same
}

// round rounds half away from zero.
func round(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}
