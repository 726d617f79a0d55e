package judge

import (
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/state"
)

// TooWide reports whether a range of the call spans more partitions than the pattern reads, by
// looking at the period that follows the last one it may touch.
func (j *Read) TooWide() bool {
	for _, s := range j.Call.Read.Spans() {
		from, _ := j.Arguments.Bound(j.Call, nil, s.Range.Values[0], s.Range.Attribute, 0, resolve.RoundsUp(s.Range, 0))
		to, _ := j.Arguments.Operand(j.Call, nil, s.Range.Values[1], s.Range.Attribute, 0)
		if !state.TimeOf(to).Before(s.Unit.PeriodAfter(state.TimeOf(from), int(s.Most))) {
			return true
		}
	}
	return false
}

// JudgeError judges a read that is refused before anything is sent: only a range that is too wide
// must be.
func (j *Read) JudgeError(r *Result, err error) {
	var span *access.SpanError
	if errors.As(err, &span) && j.TooWide() {
		r.Refused = 1
		return
	}
	r.Differ("error", err.Error())
}

// JudgeEmpty judges a read that sends nothing: no row may match, and a range that is too wide must
// be an error.
func (j *Read) JudgeEmpty(r *Result, want []*state.Row) {
	if j.TooWide() {
		r.Differ("error", "the range spans more partitions than the pattern reads, and is not refused")
	}
	if len(want) > 0 {
		r.Differ("missing", fmt.Sprintf("nothing was sent, and %d items match", len(want)))
	}
}
