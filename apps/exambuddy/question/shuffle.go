package question

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Shuffle returns the question with its options in an order that depends on the seed only. Options
// marked Last stay at the end. A Matching keeps its left sides and shuffles its targets; the items
// of an Ordering must always be shuffled before a candidate sees them. Ids do not change, so the
// key and stored answers stay valid.
func Shuffle(q Question, seed string) Question {
	d := draw{seed: seed}
	switch q.Type {
	case Matching:
		q.Targets = d.shuffled(q.Targets)
	case FillInBlank:
		q.Blanks = slices.Clone(q.Blanks)
		for i := range q.Blanks {
			q.Blanks[i].Choices = d.shuffled(q.Blanks[i].Choices)
		}
	default:
		q.Options = d.shuffled(q.Options)
	}
	return q
}

// ShuffleIDs returns ids in an order that depends on the seed only, as for the questions of a
// session.
func ShuffleIDs(ids []string, seed string) []string {
	d := draw{seed: seed}
	mixed := slices.Clone(ids)
	for i := len(mixed) - 1; i > 0; i-- {
		j := d.below(i + 1)
		mixed[i], mixed[j] = mixed[j], mixed[i]
	}
	return mixed
}

// A draw gives the same numbers for the same seed in every version of Go.
type draw struct {
	seed  string
	count uint64
}

// below returns a number from 0 to n-1.
func (d *draw) below(n int) int {
	const most = ^uint64(0)
	// Numbers above the last whole multiple of n would make small results more likely.
	limit := uint64(n)
	accepted := most - (most%limit+1)%limit
	for {
		sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(d.seed), d.count))
		d.count++
		if number := binary.BigEndian.Uint64(sum[:8]); number <= accepted {
			return int(number % limit)
		}
	}
}

func (d *draw) shuffled(options []Option) []Option {
	var free, last []Option
	for _, o := range options {
		if o.Last {
			last = append(last, o)
		} else {
			free = append(free, o)
		}
	}
	for i := len(free) - 1; i > 0; i-- {
		j := d.below(i + 1)
		free[i], free[j] = free[j], free[i]
	}
	return append(free, last...)
}
