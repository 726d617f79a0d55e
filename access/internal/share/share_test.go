package share

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func shardOf(shard, owner, wanted string) Shard {
	return Shard{ID: shard, Owner: owner, Wanted: wanted, Live: owner != "" || wanted != ""}
}

func TestDivide(t *testing.T) {
	own := func(shard string) Shard {
		c := shardOf(shard, "me", "")
		c.Held = true
		return c
	}
	heir := func(c Shard) Shard {
		c.Heir = true
		return c
	}
	for _, test := range []struct {
		name       string
		greedy     bool
		shards     []Shard
		take, want []string
		unsettled  bool
	}{
		{name: "alone", shards: []Shard{shardOf("a", "", ""), shardOf("b", "", "")}, take: []string{"a", "b"}},
		{name: "what is left to others", shards: []Shard{own("a"), shardOf("b", "other", ""), shardOf("c", "", ""), shardOf("d", "", "")},
			take: []string{"c"}, unsettled: true},
		{name: "greed takes one more", greedy: true,
			shards: []Shard{own("a"), shardOf("b", "other", ""), shardOf("c", "", ""), shardOf("d", "", ""), shardOf("e", "", ""), shardOf("f", "", "")},
			take:   []string{"c", "d", "e"}, unsettled: true},
		{name: "children of what was read here", shards: []Shard{own("a"), shardOf("b", "other", ""), shardOf("c", "third", ""), heir(shardOf("d", "", "")), heir(shardOf("e", "", ""))},
			take: []string{"d", "e"}},
		{name: "children that another process has taken", shards: []Shard{own("a"), heir(shardOf("b", "other", ""))}},
		{name: "taken without knowing", shards: []Shard{heir(shardOf("a", "me", "")), shardOf("b", "other", "")}, take: []string{"a"}},
		{name: "asks", shards: []Shard{shardOf("a", "other", ""), shardOf("b", "other", ""), shardOf("c", "other", "")},
			want: []string{"a"}, unsettled: true},
		{name: "on its way", shards: []Shard{shardOf("a", "other", "me"), shardOf("b", "other", "")}, unsettled: true},
		{name: "has come", shards: []Shard{shardOf("a", "", "me"), shardOf("b", "other", "")}, take: []string{"a"}},
		{name: "on its way to another", shards: []Shard{own("a"), shardOf("b", "", "other")}},
		{name: "nothing to do", shards: []Shard{own("a"), shardOf("b", "other", "")}, greedy: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			take, want, unsettled := Divide("me", test.shards, test.greedy)
			if diff := cmp.Diff(test.take, take); diff != "" {
				t.Errorf("taken (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.want, want); diff != "" {
				t.Errorf("asked for (-want +got):\n%s", diff)
			}
			if unsettled != test.unsettled {
				t.Errorf("unsettled: %v", unsettled)
			}
		})
	}
}

func TestPaceHurriesForAboutALeaseTime(t *testing.T) {
	for _, lease := range []time.Duration{1, time.Second, 30 * time.Second, time.Hour} {
		p := Pace{Lease: lease, Poll: time.Second}
		var total time.Duration
		rounds := 0
		for {
			rest, hurry := p.Next(Finding{Unsettled: true})
			if !hurry {
				break
			}
			if rounds++; rest > max(lease/hurriesInLease, 1) {
				t.Errorf("lease of %v: a rest of %v in a hurry", lease, rest)
			}
			total += rest
		}
		if rounds != hurriesMost || total > 2*lease {
			t.Errorf("lease of %v: %d rounds in a hurry, for %v", lease, rounds, total)
		}
		if _, hurry := p.Next(Finding{Unsettled: true, Taken: true}); !hurry {
			t.Errorf("lease of %v: no hurry after a shard was taken", lease)
		}
		if rest, hurry := p.Next(Finding{}); hurry || rest != lease/3 {
			t.Errorf("lease of %v: when all is settled, a rest of %v", lease, rest)
		}
	}
}
