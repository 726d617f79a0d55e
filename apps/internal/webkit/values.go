package webkit

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"time"
)

// percentOf returns the share of value in whole in percent, rounded to a tenth.
func percentOf(value, whole float64) float64 {
	if !(whole > 0) || !(value > 0) {
		return 0
	}
	text := strconv.FormatFloat(min(value/whole, 1)*100, 'f', 1, 64)
	share, _ := strconv.ParseFloat(text, 64) // what was just written can be read
	return share
}

// Share returns how much is done, in percent.
func (p Progress) Share() float64 { return percentOf(p.Value, p.Max) }

// Words returns the numbers beside the bar.
func (p Progress) Words() string {
	if p.Text != "" {
		return p.Text
	}
	return fmt.Sprintf("%s of %s", Decimal(p.Value, 1), Decimal(p.Max, 1))
}

// Share returns how far the value reaches on the scale, in percent.
func (m Meter) Share() float64 { return percentOf(m.Value, m.Max) }

// Tone returns the tone of the value.
func (m Meter) Tone() string {
	switch {
	case m.High > 0 && m.Value >= m.High:
		return Bad
	case m.Low > 0 && m.Value >= m.Low:
		return Warn
	}
	return Good
}

// Words returns the number, and what it means when it is not good.
func (m Meter) Words() string {
	text := m.Text
	if text == "" {
		text = fmt.Sprintf("%s of %s", Decimal(m.Value, 1), Decimal(m.Max, 1))
	}
	word := ""
	switch m.Tone() {
	case Bad:
		if word = m.BadWord; word == "" {
			word = "too high"
		}
	case Warn:
		if word = m.LowWord; word == "" {
			word = "high"
		}
	default:
		return text
	}
	return text + ", " + word
}

// Name returns the label of the timer.
func (t Timer) Name() string {
	switch {
	case t.Label != "":
		return t.Label
	case t.Until.IsZero():
		return "Time so far"
	}
	return "Time left"
}

// timerText returns the text of a timer before a script runs it.
func (s *Site) timerText(t Timer) string {
	now := s.options.Now()
	if t.Until.IsZero() {
		return longClock(now.Sub(t.Since))
	}
	left := t.Until.Sub(now)
	if left <= 0 && t.Over != "" {
		return t.Over
	}
	return longClock(left)
}

// longClock returns a clock, or days where a clock would be hard to read.
func longClock(d time.Duration) string {
	if d >= 48*time.Hour {
		return Duration(d)
	}
	return Clock(d)
}

// Each is for the rows of a skeleton.
func (s Skeleton) Each() []int { return make([]int, max(1, min(s.Rows, 50))) }

// hue returns one of six colours that always belongs to the same name.
func hue(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash takes everything
	return int(h.Sum32()%6) + 1
}
