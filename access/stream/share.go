package stream

import "slices"

// A candidate is a shard that can be read now, with its row.
type candidate struct {
	row
	live bool // its owner, or who is to have it next, has given a sign of life of late
	held bool // this process reads it
	// heir: this process has read the parent to its end, or has taken the shard without
	// hearing of it. It is the one to begin with it at once.
	heir bool
}

// free reports whether no process holds the shard or is to hold it next.
func (c candidate) free() bool { return c.holder() == "" && !c.held }

// coming reports whether another process was asked to hand the shard over to this one.
func (c candidate) coming(me string) bool {
	return c.live && c.wanted == me && c.owner != "" && c.owner != me
}

// holder returns the process that holds the shard or is to hold it next; "" if it is free.
func (c candidate) holder() string {
	switch {
	case !c.live:
		return ""
	case c.owner != "":
		return c.owner
	}
	return c.wanted
}

// share decides which shards a process takes and which it asks others for, so that all
// processes get about as many. There is no coordinator: each process counts what the others
// have and looks after itself. One that is greedy takes one shard more than its share, if
// it is free: those who should have it may not look for long.
//
// It is unsettled when a shard is left to others, or on its way to this process.
func share(me string, candidates []candidate, greedy bool) (take, want []row, unsettled bool) {
	counts := map[string]int{me: 0}
	for _, c := range candidates {
		if holder := c.holder(); holder != "" {
			counts[holder]++
		}
		if c.live && c.wanted != "" && c.owner != "" && c.owner != c.wanted {
			counts[c.wanted]++ // it is on its way
			counts[c.owner]--
		}
	}
	fair := (len(candidates) + len(counts) - 1) / len(counts)
	for _, c := range candidates {
		switch {
		case c.held:
		case c.live && c.owner == "" && c.wanted == me, c.heir && c.owner == me:
			take = append(take, c.row)
		case c.free() && (counts[me] < fair || c.heir || greedy):
			take = append(take, c.row)
			greedy = greedy && counts[me] < fair
			counts[me]++
		case c.free():
			unsettled = true
		}
	}
	for counts[me] < fair {
		asked, found := pick(me, candidates, counts)
		if !found {
			break
		}
		want = append(want, asked)
	}
	coming := func(c candidate) bool { return c.coming(me) }
	return take, want, unsettled || slices.ContainsFunc(candidates, coming)
}

// pick chooses a shard to ask for: one of the process that has the most, if that has at
// least two more than this one. It counts the shard as on its way.
func pick(me string, candidates []candidate, counts map[string]int) (row, bool) {
	richest := me
	for owner := range counts {
		if counts[owner] > counts[richest] {
			richest = owner
		}
	}
	if counts[richest] <= counts[me]+1 {
		return row{}, false
	}
	for i := range candidates {
		if c := &candidates[i]; c.live && c.owner == richest && c.wanted == "" {
			c.wanted = me
			counts[richest]--
			counts[me]++
			return c.row, true
		}
	}
	return row{}, false
}
