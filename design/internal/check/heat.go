package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// heatRules check the load on the hottest partitions.
var heatRules = []rule{hotPartition, fewPartitions, hotItem, partitionGrows, localIndexFull, capacityBelowPeak}

// Thresholds of the heat rules. Package cost has the limits of a partition.
const (
	// fewValues is the number of partition keys up to which a key is few-valued: the
	// throughput of the path is limited to that many partitions.
	fewValues = 32
	// material is the divisor of a partition's limit from which the load on a few-valued
	// key is reported.
	material = 10
	// materialItems is the number of items from which a few-valued key is reported.
	materialItems = 10_000
	// busyItem is the number of write units a second on one item that leaves no room to
	// grow: a tenth of the limit of its partition, and an item cannot be split.
	busyItem = 100
	// busyTransactions is the number of transactions a second on one item from which they
	// conflict: a transaction on an item of another running transaction is cancelled.
	busyTransactions = 25
	// largePartition is the size from which reading a partition takes a thousand pages.
	largePartition = 1 << 30
	// localLimit is DynamoDB's size limit of an item collection with local indexes.
	localLimit = 10 << 30
)

// hotPartition compares the hot keys of every path with the limits of a partition: above the
// limit (H501), or above half of it (H506).
func hotPartition(s *subject) {
	for _, table := range s.estimate.Tables {
		for _, path := range table.Paths {
			for _, h := range path.Hot {
				if h.Utilisation().Times(2).Cmp(exact.One) > 0 {
					s.report.Add(hotKey{path.Path, h}.finding(s))
				}
			}
		}
	}
}

// A hotKey is a partition key above half of its limits.
type hotKey struct {
	path resolve.Path
	cost.Heat
}

// finding describes the load on the key and the patterns that bring most of it.
func (h hotKey) finding(s *subject) diag.Finding {
	finding := diag.Finding{
		Code: "H501", Subject: subjectOfPath(h.path), Place: keyPlace(h.path),
		Message: fmt.Sprintf("At its peak%s one key %s of %s takes %s; the limit of a partition is %s", assumedPeak(h.patterns(), s.workload), h.text(), h.path, heatWords(h.RCU, h.WCU), h.limit()),
		Fix:     h.fix(s.layout),
	}
	if h.Utilisation().Cmp(exact.One) <= 0 {
		finding.Code = "H506"
	}
	for _, c := range h.Contenders[:min(len(h.Contenders), 3)] {
		if c.RCU.Round(1).IsZero() && c.WCU.Round(1).IsZero() {
			continue // too little to report
		}
		finding.Related = append(finding.Related, diag.Related{
			Place: c.Pattern.RatePlace, Message: c.Pattern.Name + " brings " + heatWords(c.RCU, c.WCU),
		})
	}
	return finding
}

func subjectOfPath(path resolve.Path) string {
	if path.IsTable() {
		return "table " + path.String()
	}
	return "index " + path.String()
}

// keyPlace returns the place where a path declares its partition key.
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

// limit returns the limit the load is nearest to, in words.
func (h hotKey) limit() string {
	if h.isWritten() {
		return figures.Grouped(fmt.Sprint(cost.PartitionWCU)) + " write units"
	}
	return figures.Grouped(fmt.Sprint(cost.PartitionRCU)) + " read units"
}

// isWritten reports whether writes are nearer to their limit than reads.
func (h hotKey) isWritten() bool {
	return h.RCU.Over(cost.PartitionRCU).Less(h.WCU.Over(cost.PartitionWCU))
}

// patterns returns the patterns that load the partition.
func (h hotKey) patterns() []*model.Pattern {
	all := make([]*model.Pattern, len(h.Contenders))
	for i, c := range h.Contenders {
		all[i] = c.Pattern
	}
	return all
}

// text returns the key, with its value if that is known.
func (h hotKey) text() string {
	if h.Value == "" {
		return h.Key
	}
	return h.Key + " (" + h.Value + ")"
}

// fix returns advice with the number of shards that brings the load to half of a partition's
// limit.
func (h hotKey) fix(layout *resolve.Layout) string {
	shards, first := max(h.Utilisation().Times(2).Ceil().Int64(), 2), h.Contenders[0].Pattern.Name
	if !h.isWritten() {
		return fmt.Sprintf("Cache what %s reads, or keep %d copies of it under %s and read any of them", first, shards, partitionName(h.path))
	}
	by, in := h.shardBy(layout)
	if by == nil {
		return fmt.Sprintf("Spread what %s writes over %d items and add them up when reading, or write less often", first, shards)
	}
	shard := fmt.Sprintf("{%s|shard %d}", by.Name, shards)
	fix := fmt.Sprintf("Spread the writes over %d partitions with %s in %s, or write less often", shards, shard, partitionName(h.path))
	if change, ok := longerKey(layout, in, shard); ok && in.PK[0].Template == nil {
		fix = fmt.Sprintf("Spread the writes over %d partitions: write %s, or write less often", shards, change)
	}
	if slices.ContainsFunc(h.Contenders, func(c cost.Contender) bool { return c.RCU.Sign() > 0 }) {
		fix += fmt.Sprintf("; reads of the key then need %d queries, one per shard", shards)
	}
	return fix
}

// shardBy returns the attribute that distinguishes the items written to the partition, with their
// entry: the last of an entity's id that is not in the partition key already, or nil.
func (h hotKey) shardBy(layout *resolve.Layout) (*model.Attribute, *resolve.Entry) {
	for _, c := range h.Contenders {
		if c.WCU.IsZero() {
			continue
		}
		for _, entity := range c.Pattern.Entities() {
			if a, e := h.shardOf(entity, layout.Entries(entity)); a != nil {
				return a, e
			}
		}
	}
	return nil, nil
}

// shardOf returns the last attribute of an entity's id outside the partition key of those of
// its entries that are in the partition, with the entry, or nil.
func (h hotKey) shardOf(entity *model.Entity, entries []*resolve.Entry) (*model.Attribute, *resolve.Entry) {
	for _, e := range entries {
		if e.Path != h.path || cost.KeyText(e.PK) != h.Key {
			continue
		}
		if a := lastIDOutside(entity, e.PK); a != nil {
			return a, e
		}
	}
	return nil, nil
}

// lastIDOutside returns the last attribute of an entity's id that none of the keys contains,
// or nil.
func lastIDOutside(entity *model.Entity, keys []*model.Key) *model.Attribute {
	for _, a := range slices.Backward(entity.ID) {
		if !slices.ContainsFunc(keys, func(key *model.Key) bool { return slices.Contains(key.Attributes(), a) }) {
			return a
		}
	}
	return nil
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

// fewPartitions finds few-valued partition keys with a considerable load or number of
// items (H502). It skips sharded keys, and keys with when, which hold only some items.
func fewPartitions(s *subject) {
	for _, entity := range s.entities() {
		for _, e := range s.layout.Entries(entity) {
			values, few := partitionValues(e, s.workload)
			if !few || (!e.Path.IsTable() && e.Path.Index.Local) {
				continue
			}
			rcu, wcu := s.peakOn(e)
			items := cost.Stored(entity, s.workload)
			busy := !(cost.Heat{RCU: rcu, WCU: wcu}).Utilisation().Times(material).Less(exact.One)
			many := len(e.When()) == 0 && exact.Int(materialItems).Less(items)
			if busy {
				s.report.Add(fewValued(s, e, values, heatWords(rcu, wcu)+" at its peak"+assumedPeak(s.usersOfEntry(e), s.workload)))
			} else if many {
				s.report.Add(fewValued(s, e, values, figure(items)+" items"))
			}
		}
	}
}

// partitionValues returns the number of values an entity gives a partition key, if they are few.
func partitionValues(e *resolve.Entry, workload cost.Options) (values int64, few bool) {
	values = 1
	for _, key := range e.PK {
		for _, part := range key.Parts() {
			if !part.IsHole() {
				continue
			}
			n := valuesOf(e.Item.Entity, part, workload)
			if n == 0 || values*n > fewValues {
				return 0, false
			}
			values *= n
		}
	}
	return values, true
}

// valuesOf returns the number of values a part can have, or 0 if they are many or not known.
func valuesOf(entity *model.Entity, part model.Part, workload cost.Options) int64 {
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
		return 0 // the number of ids grows with the system
	}
	n, ok := cost.Stored(entity, workload).Div(per.Avg)
	if !ok || exact.Int(fewValues).Less(n) {
		return 0
	}
	return max(n.Ceil().Int64(), 1)
}

func fewValued(s *subject, e *resolve.Entry, values int64, load string) diag.Finding {
	entity, key := e.Item.Entity.Name, keyText(e.PK[0])
	message := fmt.Sprintf("All of %s in %s, %s, is in the single partition %s", entity, e.Path, load, key)
	if values > 1 {
		message = fmt.Sprintf("All of %s in %s, %s, is in the %d partitions of %s", entity, e.Path, load, values, key)
	}
	return diag.Finding{
		Code: "H502", Place: entryPlace(e), Subject: "entity " + entity + " in " + e.Path.String(), Message: message,
		Fix: fewFix(s, e),
	}
}

// entryPlace returns the place where an entity's partition key on a path is written.
func entryPlace(e *resolve.Entry) diag.Place {
	if t := e.PK[0].Template; t != nil {
		return templatePlace(t)
	}
	return keyPlace(e.Path)
}

// partitionGrows finds partitions that grow large with items that are never deleted
// (H504), one finding per entity.
func partitionGrows(s *subject) {
	for _, entity := range s.entities() {
		if entity.TTL != nil || entity.Volume.Growth == nil || s.deletesEnough(entity) {
			continue
		}
		for _, e := range s.layout.Entries(entity) {
			size := largestPartition(e, s.workload)
			if hasBucket(e) || size.Cmp(exact.Int(largePartition)) <= 0 {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "H504", Place: entryPlace(e), Subject: "entity " + entity.Name + " in " + e.Path.String(),
				Message: fmt.Sprintf("One partition %s of %s grows to %s of %s items, which are never deleted", keyText(e.PK[0]), e.Path, gigabytes(size), entity.Name),
				Fix:     growsFix(s, e),
			})
			break
		}
	}
}

// bucketOf returns a time bucket of the entity for use in a partition key.
func bucketOf(entity *model.Entity) string {
	for _, a := range entity.Attributes {
		switch {
		case a.Type.Optional || a == entity.TTL || a == entity.Deadline:
		case a.Type.Base == model.Timestamp:
			return "a time such as {" + a.Name + "|month}"
		case a.Type.Base == model.Date || a.Type.Base == model.Week:
			return "{" + a.Name + "}"
		}
	}
	return "the month of creation"
}

// largestPartition returns the number of bytes of an entity in its largest partition: all of
// it if the key is constant, else as stated by per; 0 if unknown.
func largestPartition(e *resolve.Entry, workload cost.Options) exact.Number {
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
		return size.Mul(cost.Stored(entity, workload))
	}
	return exact.Zero
}

// hasBucket reports whether a partition key has a time bucket.
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
			Message: fmt.Sprintf("The largest partition of %s grows to %s with its local indexes; above 10 GB DynamoDB rejects writes that make it larger", table.Table.Name, gigabytes(heat.Collection)),
			Fix:     fmt.Sprintf("Make %s a global index, or bound the partition with a time in %s or a ttl", index.Name, table.Table.PK.Name),
			Related: []diag.Related{{Place: table.Table.PK.Place, Message: "the partition key"}},
		})
	}
}
