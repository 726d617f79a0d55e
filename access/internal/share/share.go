// Package share divides the shards of a stream among processes. There is no coordinator: each process counts what the
// others have, decides what it takes and asks for, and how soon it looks again. Nothing here reads or writes; package
// stream does.
package share

import "slices"

// A Shard is a shard that can be read now.
type Shard struct {
	ID     string
	Owner  string // the process that has the lease; "": none
	Wanted string // a process that asks for the shard, or is to have it next
	Live   bool   // the last heartbeat of its owner, or of who is to have it next, is recent
	Held   bool   // this process reads it
	// Heir: this process has read the parent to its end, or has taken the shard without
	// hearing of it. It is the one to begin with it at once.
	Heir bool
}

// free reports whether no process holds the shard or is to hold it next.
func (s Shard) free() bool { return s.holder() == "" && !s.Held }

// coming reports whether another process was asked to hand the shard over to this one.
func (s Shard) coming(me string) bool {
	return s.Live && s.Wanted == me && s.Owner != "" && s.Owner != me
}

// holder returns the process that holds the shard or is to hold it next; "" if it is free.
func (s Shard) holder() string {
	switch {
	case !s.Live:
		return ""
	case s.Owner != "":
		return s.Owner
	}
	return s.Wanted
}

// Divide decides which shards a process takes and which it asks others for, so that all
// processes get about as many. One that is greedy takes one shard more than its share, if
// it is free: those who should have it may not look for long.
//
// It is unsettled when a shard is left to others, or on its way to this process.
func Divide(me string, shards []Shard, greedy bool) (take, want []string, unsettled bool) {
	counts := map[string]int{me: 0}
	for _, s := range shards {
		if holder := s.holder(); holder != "" {
			counts[holder]++
		}
		if s.Live && s.Wanted != "" && s.Owner != "" && s.Owner != s.Wanted {
			counts[s.Wanted]++ // it is on its way
			counts[s.Owner]--
		}
	}
	fair := (len(shards) + len(counts) - 1) / len(counts)
	for _, s := range shards {
		switch {
		case s.Held:
		case s.Live && s.Owner == "" && s.Wanted == me, s.Heir && s.Owner == me:
			take = append(take, s.ID)
		case s.free() && (counts[me] < fair || s.Heir || greedy):
			take = append(take, s.ID)
			greedy = greedy && counts[me] < fair
			counts[me]++
		case s.free():
			unsettled = true
		}
	}
	for counts[me] < fair {
		asked, found := pick(me, shards, counts)
		if !found {
			break
		}
		want = append(want, asked)
	}
	coming := func(s Shard) bool { return s.coming(me) }
	return take, want, unsettled || slices.ContainsFunc(shards, coming)
}

// pick chooses a shard to ask for: one of the process that has the most, if that has at
// least two more than this one. It counts the shard as on its way.
func pick(me string, shards []Shard, counts map[string]int) (id string, found bool) {
	richest := me
	for owner := range counts {
		if counts[owner] > counts[richest] {
			richest = owner
		}
	}
	if counts[richest] <= counts[me]+1 {
		return "", false
	}
	for i := range shards {
		if s := &shards[i]; s.Live && s.Owner == richest && s.Wanted == "" {
			s.Wanted = me
			counts[richest]--
			counts[me]++
			return s.ID, true
		}
	}
	return "", false
}
