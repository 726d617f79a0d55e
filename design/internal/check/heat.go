package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// heatRules look at what happens to the busiest partition.
var heatRules = []rule{hotPartition, fewPartitions, hotItem, partitionGrows, localIndexFull}

// Thresholds of heat. What one partition can do stands in package cost.
const (
	// fewValues is how many partition keys are few: with an even load on this many
	// keys the whole path can do no more than this many partitions.
	fewValues = 32
	// material is the part of what one partition can do, as one in so many, from which
	// a few-valued key is worth planning for. Under less it never hurts anybody.
	material = 10
	// materialItems is how many items make a few-valued key a long list.
	materialItems = 10_000
	// busyItem is how many write units a second on one item leave no room to grow:
	// a tenth of what its partition can do, and an item cannot be split.
	busyItem = 100
	// busyTransactions a second on one item begin to cancel each other: a second one
	// that arrives while the first is under way fails.
	busyTransactions = 25
	// largePartition is when reading a partition takes a thousand pages.
	largePartition = 1 << 30
	// localLimit is where DynamoDB refuses writes under a local index.
	localLimit = 10 << 30
)

// hotPartition compares the hottest key of every path with what a partition can do:
// over the limit (H501), or over half of it (H506).
func hotPartition(s *subject) {
	for _, table := range s.estimate.Tables {
		for _, path := range table.Paths {
			h := path.Heat
			if len(h.Contenders) == 0 || h.Utilisation().Times(2).Cmp(exact.One) <= 0 {
				continue
			}
			finding := diag.Finding{
				Code: "H501", Subject: subjectOfPath(path.Path), Place: keyPlace(path.Path),
				Message: fmt.Sprintf("At its peak one key %s of %s takes %s; a partition can do %s", h.Key, path.Path, heatWords(h.RCU, h.WCU), limitWords(h)),
				Fix:     hotFix(path.Path, h),
			}
			if h.Utilisation().Cmp(exact.One) <= 0 {
				finding.Code = "H506"
			}
			for _, c := range h.Contenders[:min(len(h.Contenders), 3)] {
				if c.RCU.Round(1).IsZero() && c.WCU.Round(1).IsZero() {
					continue // too little to be named
				}
				finding.Related = append(finding.Related, diag.Related{
					Place: c.Pattern.RatePlace, Message: c.Pattern.Name + " brings " + heatWords(c.RCU, c.WCU),
				})
			}
			s.report.Add(finding)
		}
	}
}

func subjectOfPath(path resolve.Path) string {
	if path.IsTable() {
		return "table " + path.String()
	}
	return "index " + path.String()
}

// keyPlace is where a path names its partition key.
func keyPlace(path resolve.Path) diag.Place {
	switch {
	case path.IsTable():
		return path.Table.PK.Place
	case len(path.Index.PK) > 0:
		return path.Index.PK[0].Place
	}
	return path.Index.Place
}

func heatWords(rcu, wcu exact.Number) string {
	var parts []string
	if !wcu.Round(1).IsZero() {
		parts = append(parts, figure(wcu)+" write units")
	}
	if !rcu.Round(1).IsZero() {
		parts = append(parts, figure(rcu)+" read units")
	}
	return strings.Join(parts, " and ") + " a second"
}

// limitWords names the limit the load is nearest to.
func limitWords(h cost.Heat) string {
	if h.RCU.Over(cost.PartitionRCU).Less(h.WCU.Over(cost.PartitionWCU)) {
		return thousands(fmt.Sprint(cost.PartitionWCU)) + " write units"
	}
	return thousands(fmt.Sprint(cost.PartitionRCU)) + " read units"
}

// hotFix says how many shards bring the load to half of what a partition can do.
func hotFix(path resolve.Path, h cost.Heat) string {
	shards := max(h.Utilisation().Times(2).Ceil().Int64(), 2)
	if h.RCU.Over(cost.PartitionRCU).Less(h.WCU.Over(cost.PartitionWCU)) {
		return fmt.Sprintf("Spread the writes over %d partitions with {%s|shard %d} in %s, or write less often", shards, idName(h.Contenders[0].Pattern), shards, partitionName(path))
	}
	return fmt.Sprintf("Cache what %s reads, or keep %d copies of it under %s and read any of them", h.Contenders[0].Pattern.Name, shards, partitionName(path))
}

// idName is the last attribute of the id of what a pattern is about: the one most
// likely to tell apart what shares a partition.
func idName(p *model.Pattern) string {
	for _, entity := range p.Entities() {
		return lastID(entity)
	}
	return "id"
}

func lastID(entity *model.Entity) string {
	if len(entity.ID) == 0 {
		return "id"
	}
	return entity.ID[len(entity.ID)-1].Name
}

func partitionName(path resolve.Path) string {
	if path.Index == nil || path.Index.Local {
		return path.Table.PK.Name
	}
	return path.Index.PK[0].Name
}

// fewPartitions finds partition keys with few values under a load or a number of
// items that matters (H502). A sharded key was spread on purpose, and a key with when
// holds only some of the items.
func fewPartitions(s *subject) {
	for _, entity := range s.entities() {
		for _, e := range s.layout.Entries(entity) {
			values, few := s.partitionValues(e)
			if !few || (!e.Path.IsTable() && e.Path.Index.Local) {
				continue
			}
			rcu, wcu := s.peakOn(e)
			items := cost.Stored(entity, cost.Options{})
			busy := !(cost.Heat{RCU: rcu, WCU: wcu}).Utilisation().Times(material).Less(exact.One)
			many := len(e.When()) == 0 && exact.Int(materialItems).Less(items)
			if busy {
				s.fewValued(e, values, heatWords(rcu, wcu)+" at its peak")
			} else if many {
				s.fewValued(e, values, figure(items)+" items")
			}
		}
	}
}

// partitionValues is how many values an entity gives a partition key, if they are few.
func (s *subject) partitionValues(e *resolve.Entry) (values int64, few bool) {
	values = 1
	for _, key := range e.PK {
		for _, part := range key.Parts() {
			if !part.IsHole() {
				continue
			}
			n := s.valuesOf(e.Item.Entity, part)
			if n == 0 || values*n > fewValues {
				return 0, false
			}
			values *= n
		}
	}
	return values, true
}

// valuesOf is how many values a part can have, or 0 if they are many or not known.
func (s *subject) valuesOf(entity *model.Entity, part model.Part) int64 {
	if len(part.Filters) > 0 && !part.Whole() {
		return 0
	}
	switch part.Attribute.Type.Base {
	case model.Bool:
		return 2
	case model.Enum:
		return int64(len(part.Attribute.Type.Values))
	}
	per := entity.PerOf(part.Attribute)
	if per == nil || part.Attribute.Type.Base != model.String || namedAsID(part.Attribute.Name) || slices.Contains(entity.ID, part.Attribute) {
		return 0 // ids become more as the system grows
	}
	n, ok := cost.Stored(entity, cost.Options{}).Div(per.Avg)
	if !ok || exact.Int(fewValues).Less(n) {
		return 0
	}
	return max(n.Ceil().Int64(), 1)
}

// peakOn is how many units a second an entry takes at the peaks of its patterns.
func (s *subject) peakOn(e *resolve.Entry) (rcu, wcu exact.Number) {
	for _, c := range s.estimate.Patterns {
		if c.Plan == nil {
			continue
		}
		if c.Plan.Read != nil && c.Plan.Read.Entry == e {
			rcu = rcu.Add(c.Peak.Mul(c.Read))
		}
		for _, w := range c.Plan.Writes {
			if e.Path.IsTable() && w.Item == e.Item {
				wcu = wcu.Add(c.Peak.Times(cost.WriteUnits(cost.ItemSize(e.Item).Avg)))
			}
			wcu = wcu.Add(c.Peak.Mul(indexUnits(w, e)))
		}
	}
	return rcu, wcu
}

func (s *subject) fewValued(e *resolve.Entry, values int64, load string) {
	entity, key := e.Item.Entity.Name, keyText(e.PK[0])
	message := fmt.Sprintf("All of %s in %s, %s, lies in the one partition %s", entity, e.Path, load, key)
	if values > 1 {
		message = fmt.Sprintf("All of %s in %s, %s, lies in the %d partitions of %s", entity, e.Path, load, values, key)
	}
	s.report.Add(diag.Finding{
		Code: "H502", Place: entryPlace(e), Subject: "entity " + entity + " in " + e.Path.String(), Message: message,
		Fix: fmt.Sprintf("Put an attribute with many values into %s, or spread it with {%s|shard 10}", e.PK[0].Name, lastID(e.Item.Entity)),
	})
}

// entryPlace is where an entity's partition key on a path is written.
func entryPlace(e *resolve.Entry) diag.Place {
	if t := e.PK[0].Template; t != nil {
		return templatePlace(t)
	}
	return keyPlace(e.Path)
}

// hotItem finds single items that take all updates of a busy pattern (H503): the key
// has no parameters, or the pattern says how much goes to its hottest key.
func hotItem(s *subject) {
	for _, p := range s.patterns() {
		c := s.priced(p)
		if c == nil || c.Plan == nil {
			continue
		}
		for _, w := range c.Plan.Writes {
			if w.Item == nil || w.Operation != resolve.UpdateItem {
				continue
			}
			share, one := itemShare(p, w)
			if !one {
				continue
			}
			calls := c.Peak.Mul(share)
			units := calls.Times(cost.WriteUnits(cost.ItemSize(w.Item).Avg))
			together := len(c.Plan.Writes) > 1
			if exact.Int(busyItem).Less(units) || (together && exact.Int(busyTransactions).Less(calls)) {
				s.oneHotItem(p, w, calls, together)
			}
		}
	}
}

// itemShare is the share of a pattern's calls that write one and the same item. Those of
// a sharded counter are spread.
func itemShare(p *model.Pattern, w *resolve.Write) (exact.Number, bool) {
	fixed := true
	for _, key := range w.Key {
		for _, part := range key.Low {
			fixed = fixed && (part.Value == nil || part.Value.IsConstant())
		}
	}
	shards := max(w.Shards, 1)
	switch {
	case fixed && len(w.Key) > 0:
		return exact.One.Over(shards), true
	case p.Hot != nil:
		return p.Hot.Over(shards), true
	}
	return exact.Zero, false
}

func (s *subject) oneHotItem(p *model.Pattern, w *resolve.Write, calls exact.Number, together bool) {
	entity, place := w.Item.Entity.Name, p.RatePlace
	if w.Step != nil {
		place = w.Step.Place
	}
	message := fmt.Sprintf("%s updates one %s %s times a second at its peak", p.Name, entity, figure(calls))
	if together {
		message += ", in transactions that cancel each other"
	}
	s.report.Add(diag.Finding{
		Code: "H503", Place: place, Subject: "pattern " + p.Name, Message: message,
		Fix:     fmt.Sprintf("Spread what %s writes over several items and add them up when reading (shards of a counter), or count from the stream", p.Name),
		Related: []diag.Related{{Place: p.RatePlace, Message: "the load"}},
	})
}

// partitionGrows finds partitions that grow large with things that are never deleted
// (H504), one finding for each entity.
func partitionGrows(s *subject) {
	for _, entity := range s.entities() {
		if entity.TTL != nil || entity.Volume.Growth == nil || s.deletesEnough(entity) {
			continue
		}
		for _, e := range s.layout.Entries(entity) {
			size := largestPartition(e)
			if hasBucket(e) || size.Cmp(exact.Int(largePartition)) <= 0 {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "H504", Place: entryPlace(e), Subject: "entity " + entity.Name + " in " + e.Path.String(),
				Message: fmt.Sprintf("One partition %s of %s comes to %s of %s, and nothing ever deletes any", keyText(e.PK[0]), e.Path, gigabytes(size), entity.Name),
				Fix:     fmt.Sprintf("Put a time such as {created_at|month} into %s, or let old items expire with ttl", e.PK[0].Name),
			})
			break
		}
	}
}

// largestPartition is how many bytes of an entity the largest partition holds: all of
// it if the key is constant, else what per says; 0 if nobody does.
func largestPartition(e *resolve.Entry) exact.Number {
	entity := e.Item.Entity
	size := exact.Int(cost.EntrySize(e).Avg)
	var most *exact.Number
	holes := 0
	for _, key := range e.PK {
		for _, a := range key.Attributes() {
			holes++
			if per := entity.PerOf(a); per != nil && (most == nil || per.Max.Less(*most)) {
				most = &per.Max
			}
		}
	}
	switch {
	case most != nil:
		return size.Mul(*most)
	case holes == 0:
		return size.Mul(cost.Stored(entity, cost.Options{}))
	}
	return exact.Zero
}

// hasBucket reports whether a partition key begins anew with time.
func hasBucket(e *resolve.Entry) bool {
	return slices.ContainsFunc(e.PK, func(key *model.Key) bool {
		return slices.ContainsFunc(key.Parts(), func(part model.Part) bool {
			return part.IsHole() && (!part.Whole() && part.Attribute.Type.Base == model.Timestamp ||
				part.Attribute.Type.Base == model.Date || part.Attribute.Type.Base == model.Week)
		})
	})
}

// localIndexFull finds partitions under a local index that can exceed 10 GB (H505).
func localIndexFull(s *subject) {
	for _, table := range s.estimate.Tables {
		local := slices.IndexFunc(table.Table.Indexes, func(x *model.Index) bool { return x.Local })
		if local < 0 || len(table.Paths) == 0 {
			continue
		}
		heat, index := table.Paths[0].Heat, table.Table.Indexes[local]
		if heat.Collection.Cmp(exact.Int(localLimit)) <= 0 {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "H505", Place: index.Place, Subject: "index " + table.Table.Name + "." + index.Name,
			Message: fmt.Sprintf("The largest partition of %s comes to %s with its local indexes; DynamoDB refuses writes above 10 GB", table.Table.Name, gigabytes(heat.Collection)),
			Fix:     fmt.Sprintf("Make %s a global index, or bound the partition with a time in %s or a ttl", index.Name, table.Table.PK.Name),
			Related: []diag.Related{{Place: table.Table.PK.Place, Message: "the partition key"}},
		})
	}
}
