package share

import (
	"math/rand/v2"
	"time"
)

// A Finding is the result of a look at all shards, which is called a round.
type Finding struct {
	Empty     bool // the stream has no shards yet
	Unsettled bool // a shard may have no reader, or is on its way to this process
	Taken     bool // this process has got a shard
}

// A Pace decides how long to rest between rounds.
type Pace struct {
	Lease   time.Duration // for which a process without a heartbeat keeps its shards
	Poll    time.Duration // between two reads of a shard that rests
	hurried int           // rounds in a hurry, since one has brought something
}

const (
	firstRest = 100 * time.Millisecond // of rounds in a hurry; each may be twice as long as the one before
	// hurriesInLease is the least number of rounds in a hurry in a lease time, and
	// hurriesMost after how many that brought nothing it is no use: the two together are
	// about one lease time, in which a process that lives hands over what it is asked for.
	hurriesInLease = 30
	hurriesMost    = 40
	// patience is after how many of them a process takes what others have left. Those who
	// should have it and were beaten to another shard come again before.
	patience = 3
)

// Next returns how long to wait after a round, and whether the next one is in a hurry. Such
// rests are of random length, so that processes that got in each other's way do not again.
func (p *Pace) Next(found Finding) (rest time.Duration, hurry bool) {
	if found.Taken || !found.Unsettled {
		p.hurried = 0
	}
	switch {
	case found.Unsettled && p.hurried < hurriesMost:
		p.hurried++
		limit := min(firstRest<<min(p.hurried-1, 20), p.Lease/hurriesInLease)
		return limit/2 + rand.N(limit/2+1), true
	case found.Empty: // to list no shards costs no more than to read a shard that rests
		return min(p.Poll, p.Lease/3), false
	}
	return p.Lease / 3, false
}

// Greedy reports whether others have had their time to take what is theirs.
func (p *Pace) Greedy() bool { return p.hurried >= patience }
