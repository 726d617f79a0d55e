package stream

import (
	"math/rand/v2"
	"time"
)

// A finding is the result of a round.
type finding struct {
	ended     bool // the stream has, and everything in it was handled
	empty     bool // the stream has no shards yet
	unsettled bool // a shard may have no reader, or is on its way to this process
	taken     bool // this process has got a shard
}

// A pace decides how long to rest between rounds.
type pace struct {
	lease, poll time.Duration
	hurried     int // rounds in a hurry, since one has brought something
}

const (
	// hurriesInLease is the least number of rounds in a hurry in a lease time, and
	// hurriesMost after how many that brought nothing it is no use: the two together are
	// about one lease time, in which a process that lives hands over what it is asked for.
	hurriesInLease = 30
	hurriesMost    = 40
	// patience is after how many of them a process takes what others have left. Those who
	// should have it and were beaten to another shard come again before.
	patience = 3
)

// next returns how long to wait after a round, and whether the next one is in a hurry. Such
// rests are of random length, so that processes that got in each other's way do not again.
func (p *pace) next(found finding) (rest time.Duration, hurry bool) {
	if found.taken || !found.unsettled {
		p.hurried = 0
	}
	switch {
	case found.unsettled && p.hurried < hurriesMost:
		p.hurried++
		limit := min(firstBackoff<<min(p.hurried-1, 20), p.lease/hurriesInLease)
		return limit/2 + rand.N(limit/2+1), true
	case found.empty: // to list no shards costs no more than to read a shard that rests
		return min(p.poll, p.lease/3), false
	}
	return p.lease / 3, false
}

// greedy reports whether others have had their time to take what is theirs.
func (p *pace) greedy() bool { return p.hurried >= patience }
