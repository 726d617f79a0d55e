package arrange

import (
	"time"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// fitSpans shortens ranges that span more partitions than the pattern reads, and puts the ends of
// some ranges at the borders of periods. Every seventh range is one period too long.
func (ar *Arranger) fitSpans(c *program.Call, a *bind.Arguments, n int) {
	for _, s := range c.Read.Spans() {
		ar.fitSpan(c, a, s, n%7)
	}
}

func (ar *Arranger) fitSpan(c *program.Call, a *bind.Arguments, s *resolve.Span, turn int) {
	of := s.Range.Attribute
	input := func(i int) *program.Input {
		if v := s.Range.Values[i]; v.Param != "" {
			return c.Ref(nil, v.Param, of).Input
		}
		return nil
	}
	at := func(i int) time.Time {
		v, _ := a.Operand(c, nil, s.Range.Values[i], of, 0)
		return state.TimeOf(v)
	}
	set := func(i int, t time.Time) {
		if to := input(i); to != nil {
			a.Values[to] = state.TimeAs(t, to.Attribute)
		}
	}
	most := int(s.Most)
	switch turn {
	case 3:
		set(0, s.Unit.PeriodAfter(at(0), 0))
	case 5:
		set(1, s.Unit.PeriodAfter(at(1), 0))
	case 6:
		set(1, s.Unit.PeriodAfter(at(0), most))
		return
	}
	if beyond := s.Unit.PeriodAfter(at(0), most); !at(1).Before(beyond) {
		set(1, beyond.Add(-smallest(of)))
	}
	if first := s.Unit.PeriodAfter(at(1), 1-most); input(1) == nil && at(0).Before(first) {
		set(0, first)
	}
	if at(1).Before(at(0)) && input(0) != nil && input(1) != nil {
		set(1, at(0))
	}
}

// smallest returns the smallest difference of two times that are stored differently.
func smallest(a *model.Attribute) time.Duration {
	if a.Type.Base == model.Unixtime {
		return time.Second
	}
	return time.Millisecond
}
