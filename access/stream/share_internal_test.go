package stream

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func shardOf(shard, owner, wanted string) candidate {
	return candidate{row: row{shard: shard, owner: owner, wanted: wanted}, live: owner != "" || wanted != ""}
}

func TestShare(t *testing.T) {
	own := func(shard string) candidate {
		c := shardOf(shard, "me", "")
		c.held = true
		return c
	}
	heir := func(c candidate) candidate {
		c.heir = true
		return c
	}
	for _, test := range []struct {
		name       string
		greedy     bool
		candidates []candidate
		take, want []string
		unsettled  bool
	}{
		{name: "alone", candidates: []candidate{shardOf("a", "", ""), shardOf("b", "", "")}, take: []string{"a", "b"}},
		{name: "what is left to others", candidates: []candidate{own("a"), shardOf("b", "other", ""), shardOf("c", "", ""), shardOf("d", "", "")},
			take: []string{"c"}, unsettled: true},
		{name: "greed takes one more", greedy: true,
			candidates: []candidate{own("a"), shardOf("b", "other", ""), shardOf("c", "", ""), shardOf("d", "", ""), shardOf("e", "", ""), shardOf("f", "", "")},
			take:       []string{"c", "d", "e"}, unsettled: true},
		{name: "children of what was read here", candidates: []candidate{own("a"), shardOf("b", "other", ""), shardOf("c", "third", ""), heir(shardOf("d", "", "")), heir(shardOf("e", "", ""))},
			take: []string{"d", "e"}},
		{name: "children that another process has taken", candidates: []candidate{own("a"), heir(shardOf("b", "other", ""))}},
		{name: "taken without knowing", candidates: []candidate{heir(shardOf("a", "me", "")), shardOf("b", "other", "")}, take: []string{"a"}},
		{name: "asks", candidates: []candidate{shardOf("a", "other", ""), shardOf("b", "other", ""), shardOf("c", "other", "")},
			want: []string{"a"}, unsettled: true},
		{name: "on its way", candidates: []candidate{shardOf("a", "other", "me"), shardOf("b", "other", "")}, unsettled: true},
		{name: "has come", candidates: []candidate{shardOf("a", "", "me"), shardOf("b", "other", "")}, take: []string{"a"}},
		{name: "on its way to another", candidates: []candidate{own("a"), shardOf("b", "", "other")}},
		{name: "nothing to do", candidates: []candidate{own("a"), shardOf("b", "other", "")}, greedy: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			take, want, unsettled := share("me", test.candidates, test.greedy)
			if diff := cmp.Diff(test.take, shardsOf(take)); diff != "" {
				t.Errorf("taken (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.want, shardsOf(want)); diff != "" {
				t.Errorf("asked for (-want +got):\n%s", diff)
			}
			if unsettled != test.unsettled {
				t.Errorf("unsettled: %v", unsettled)
			}
		})
	}
}

func shardsOf(rows []row) (shards []string) {
	for _, r := range rows {
		shards = append(shards, r.shard)
	}
	return shards
}

func TestPaceHurriesForAboutALeaseTime(t *testing.T) {
	for _, lease := range []time.Duration{1, time.Second, 30 * time.Second, time.Hour} {
		p := pace{lease: lease, poll: time.Second}
		var total time.Duration
		rounds := 0
		for {
			rest, hurry := p.next(finding{unsettled: true})
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
		if _, hurry := p.next(finding{unsettled: true, taken: true}); !hurry {
			t.Errorf("lease of %v: no hurry after a shard was taken", lease)
		}
		if rest, hurry := p.next(finding{}); hurry || rest != lease/3 {
			t.Errorf("lease of %v: when all is settled, a rest of %v", lease, rest)
		}
	}
}
