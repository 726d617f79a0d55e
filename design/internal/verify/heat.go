package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A PathHeat says how the load of a run is distributed over the partitions of a table or index.
type PathHeat struct {
	Path       string
	Partitions int     // that were read or written
	Hottest    string  // the partition key with the most load
	RCU, WCU   float64 // its load in the busiest second
	Share      float64 // of the load of the path, from 0 to 1
	Use        float64 // of the capacity of one partition, 1 is all of it
	Over       bool    // more than the capacity of one partition
}

// A heat adds up the load of each partition. Calls are weighted by the peak rate of their
// pattern.
type heat struct {
	calls map[*program.Call]int
	loads map[*program.Call][]*touched
}

// A load is read and write units.
type load struct{ rcu, wcu float64 }

// A touched is the load of one call on one partition.
type touched struct {
	path      resolve.Path
	partition string
	load
}

// newHeat returns a heat without load.
func newHeat() *heat {
	return &heat{calls: map[*program.Call]int{}, loads: map[*program.Call][]*touched{}}
}

// read records the load of one read on each partition that it queried.
func (h *heat) read(c *program.Call, request bind.ReadRequest, units float64) {
	h.calls[c]++
	h.load(c, c.Read.Entry.Path, request, units)
}

// load records the load of a request of a read on each partition that it queried.
func (h *heat) load(c *program.Call, path resolve.Path, request bind.ReadRequest, units float64) {
	var partitions []string
	if request.Get != nil {
		partitions = append(partitions, state.Describe(request.Get.Key[path.Table.PK.Name]))
	} else if request.Gets != nil {
		for _, key := range request.Gets.Keys {
			partitions = append(partitions, state.Describe(key[path.Table.PK.Name]))
		}
	} else {
		for _, one := range request.Query.Requests {
			var key []string
			for _, placeholder := range request.Query.Partition {
				key = append(key, state.Describe(one.Values[placeholder]))
			}
			partitions = append(partitions, strings.Join(key, ", "))
		}
	}
	for _, key := range partitions {
		h.loads[c] = append(h.loads[c], &touched{path, key, load{rcu: units / float64(len(partitions))}})
	}
}

// write records the load of one write on a partition of a path.
func (h *heat) write(c *program.Call, path resolve.Path, item access.Item, units float64) {
	partition, _ := state.PathKeys(path)
	var key []string
	for _, name := range partition {
		key = append(key, state.Describe(item[name]))
	}
	h.loads[c] = append(h.loads[c], &touched{path, strings.Join(key, ", "), load{wcu: units}})
}

// called records that a write was called.
func (h *heat) called(c *program.Call) { h.calls[c]++ }

// report returns the hottest partition of each path at the peak rates of the design, sorted by
// use.
func (h *heat) report(priced *cost.Estimate) []PathHeat {
	loads := h.atPeak(priced, func(*program.Call, resolve.Path) bool { return true })
	var out []PathHeat
	for _, path := range pathsOf(loads) {
		out = append(out, hottest(path.String(), loads[path]))
	}
	slices.SortStableFunc(out, func(a, b PathHeat) int { return cmp.Compare(use(b.RCU, b.WCU), use(a.RCU, a.WCU)) })
	return out
}

// atPeak adds up the load of the chosen calls on each partition at their peak rates.
func (h *heat) atPeak(priced *cost.Estimate, chosen func(*program.Call, resolve.Path) bool) map[resolve.Path]map[string]*load {
	loads := map[resolve.Path]map[string]*load{}
	for _, c := range h.callsInOrder() {
		p := priced.Pattern(c.Pattern)
		if p == nil {
			continue
		}
		weight := p.Peak.Float64() / float64(max(h.calls[c], 1))
		for _, t := range h.loads[c] {
			if !chosen(c, t.path) {
				continue
			}
			if loads[t.path] == nil {
				loads[t.path] = map[string]*load{}
			}
			if loads[t.path][t.partition] == nil {
				loads[t.path][t.partition] = &load{}
			}
			have := loads[t.path][t.partition]
			have.rcu += t.rcu * weight
			have.wcu += t.wcu * weight
		}
	}
	return loads
}

// pathsOf returns the paths with load by name.
func pathsOf(loads map[resolve.Path]map[string]*load) []resolve.Path {
	return slices.SortedFunc(maps.Keys(loads), func(a, b resolve.Path) int { return cmp.Compare(a.String(), b.String()) })
}

// contradictions returns a difference for each path that has a key above a partition's limits
// by measurement and none by the estimate. It looks only at keys that the design states: how
// often callers choose a key is not measured by a run.
func (h *heat) contradictions(priced *cost.Estimate) []Difference {
	loads := h.atPeak(priced, statesKey)
	var all []Difference
	for _, path := range pathsOf(loads) {
		estimate := priced.Path(path)
		top := hottest(path.String(), loads[path])
		if estimate == nil || !top.Over || estimate.Heat.Utilisation().Float64() > 1 {
			continue
		}
		all = append(all, Difference{Kind: "heat", Detail: fmt.Sprintf("the key %s of %s takes %.0f%% of a partition's limits at the peak, and the estimate says %.0f%% for the hottest key",
			top.Hottest, path, top.Use*100, estimate.Heat.Utilisation().Float64()*100)})
	}
	return all
}

// statesKey reports whether every call of a pattern reads or writes the same partition of a
// path, because the design states its key.
func statesKey(c *program.Call, path resolve.Path) bool {
	if c.Pattern.Verb.Reads() {
		return slices.ContainsFunc(c.Reads(), func(r *program.Call) bool { return r.Read.Entry.Path == path && isConstant(r.Read.Partition) })
	}
	return path.IsTable() && slices.ContainsFunc(c.Writes, func(w *program.WriteStep) bool {
		return w.Item.Table == path.Table && len(w.Key) > 0 && isConstant(w.Key[:1])
	})
}

// isConstant reports whether no part of a key comes from a caller or from chance.
func isConstant(keys []resolve.KeyCondition) bool {
	for _, key := range keys {
		for _, part := range key.Low {
			if part.Each || part.Shards > 0 || part.Value != nil && !part.Value.IsConstant() {
				return false
			}
		}
	}
	return true
}

// callsInOrder returns the calls by name: adding up their load in one order gives the same
// numbers for the same run.
func (h *heat) callsInOrder() []*program.Call {
	return slices.SortedFunc(maps.Keys(h.loads), func(a, b *program.Call) int { return cmp.Compare(a.Pattern.Name, b.Pattern.Name) })
}

// use returns the share of the capacity of one partition that a load needs.
func use(rcu, wcu float64) float64 { return max(rcu/cost.PartitionRCU, wcu/cost.PartitionWCU) }

// hottest returns the partition of a path with the highest use.
func hottest(path string, partitions map[string]*load) PathHeat {
	of := func(name string) float64 { return use(partitions[name].rcu, partitions[name].wcu) }
	total, names := 0.0, slices.Sorted(maps.Keys(partitions))
	for _, name := range names {
		total += of(name)
	}
	top := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(of(a), of(b)) })
	l := partitions[top]
	out := PathHeat{Path: path, Partitions: len(names), Hottest: top, RCU: l.rcu, WCU: l.wcu, Use: of(top), Over: of(top) > 1}
	if total > 0 {
		out.Share = of(top) / total
	}
	return out
}
