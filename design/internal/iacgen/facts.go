package iacgen

import (
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/shape"
)

// A table describes a table for all formats.
type table struct {
	*model.Table
	id, local  string // in CloudFormation and in Terraform
	keys       []keyElement
	attributes []attribute // of all keys, in the order of their first use
	global     []index
	locals     []index
	capacity   capacity
	operations []string    // that patterns call on it
	tags       []model.Tag // those of the design, then those of the shape of its items
}

// An attribute is a key attribute with its type: S, N or B.
type attribute struct{ name, kind string }

// A keyElement is one line of a key schema.
type keyElement struct{ name, role string }

// An index is a secondary index of a table.
type index struct {
	*model.Index
	id, local string
	keys      []keyElement
	capacity  capacity // of a global one
}

// A capacity is the capacity of a table or a global index and of its alarms.
type capacity struct {
	read, write side
	scale       *model.Autoscale
}

// A side is the read or write part of a capacity.
type side struct {
	units exact.Number // initially provisioned
	// ceiling is the maximum capacity: the units, the maximum of autoscaling, or on demand,
	// which has no limit, the capacity for the design's peak.
	ceiling exact.Number
	used    bool // whether any pattern uses it
}

// tablesOf returns the tables of a design, with identifiers of tables and indexes.
func tablesOf(in Input, names *names) []*table {
	var all []*table
	for _, t := range in.Layout.Design().Tables {
		one := &table{Table: t, id: names.once(tableID(t.Name), ""), local: names.once(snake(t.Name), "_")}
		one.keys = schema([]model.KeyName{t.PK}, sortKey(t))
		one.capacity = capacityOf(in.Estimate.Path(resolve.Path{Table: t}))
		one.addIndexes(in, names)
		one.addAttributes()
		one.addTags(in)
		for _, plan := range in.Layout.Plans() {
			for _, op := range iamgen.Operations(in.Layout, plan, t) {
				if !slices.Contains(one.operations, op) {
					one.operations = append(one.operations, op)
				}
			}
		}
		slices.Sort(one.operations)
		all = append(all, one)
	}
	return all
}

func (t *table) addTags(in Input) {
	t.tags = slices.Clone(t.Tags)
	var all map[string]string
	if in.Shape != nil {
		all = in.Shape(t.Name)
	}
	if all == nil {
		all = shape.Of(in.Layout.Design(), t.Table).Tags()
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		t.tags = append(t.tags, model.Tag{Key: key, Value: all[key]})
	}
}

func (t *table) addIndexes(in Input, names *names) {
	for _, x := range t.Indexes {
		one := index{
			Index: x, keys: schema(x.PK, x.SK),
			id:    names.once(strings.TrimSuffix(t.id, "Table")+iamgen.Letters(x.Name), ""),
			local: names.once(t.local+"_"+snake(x.Name), "_"),
		}
		if x.Local {
			one.keys = schema([]model.KeyName{t.PK}, x.SK)
			t.locals = append(t.locals, one)
			continue
		}
		one.capacity = capacityOf(in.Estimate.Path(resolve.Path{Table: t.Table, Index: x}))
		t.global = append(t.global, one)
	}
}

func sortKey(t *model.Table) []model.KeyName {
	if t.SK.Name == "" {
		return nil
	}
	return []model.KeyName{t.SK}
}

func schema(partition, sort []model.KeyName) []keyElement {
	var all []keyElement
	for _, k := range partition {
		all = append(all, keyElement{k.Name, "HASH"})
	}
	for _, k := range sort {
		all = append(all, keyElement{k.Name, "RANGE"})
	}
	return all
}

func (t *table) addAttributes() {
	add := func(keys []keyElement) {
		for _, k := range keys {
			if !slices.ContainsFunc(t.attributes, func(a attribute) bool { return a.name == k.name }) {
				t.attributes = append(t.attributes, attribute{k.name, kindOf(t.Table, k.name)})
			}
		}
	}
	add(t.keys)
	for _, x := range slices.Concat(t.global, t.locals) {
		add(x.keys)
	}
}

// kindOf returns the type of a key attribute in the first entity that has it. Package check
// reports entities with different types.
func kindOf(t *model.Table, name string) string {
	for _, item := range t.Items {
		if key := item.Key(name); key != nil && key.Kind() != "" {
			return key.Kind()
		}
	}
	return "S"
}

// capacityOf returns the initial capacity of a path: the minimum of autoscaling; the stated
// capacity, where an index defaults to that of its table; else the capacity for the peak.
func capacityOf(path *cost.PathCost) capacity {
	b := path.Path.Table.Billing
	rcu, wcu := b.RCU, b.WCU
	if x := path.Path.Index; x != nil {
		if x.RCU.Sign() > 0 {
			rcu = x.RCU
		}
		if x.WCU.Sign() > 0 {
			wcu = x.WCU
		}
	}
	return capacity{
		read:  sideOf(b, rcu, path.PeakRCU, path.Reads),
		write: sideOf(b, wcu, path.PeakWCU, path.Writes),
		scale: b.Autoscale,
	}
}

func sideOf(b model.Billing, stated, peak, monthly exact.Number) side {
	s := side{units: stated.Ceil(), ceiling: cost.Needed(peak), used: monthly.Sign() > 0}
	if !b.Provisioned {
		return s
	}
	if stated.Sign() <= 0 {
		s.units = s.ceiling
	}
	s.ceiling = s.units
	if a := b.Autoscale; a != nil {
		s.units, s.ceiling = a.Start(stated), a.Max.Ceil()
	}
	return s
}

// projection returns a projection in DynamoDB's terms. Keys are in every index, so they are
// not listed.
func (x index) projection() (kind string, attributes []string) {
	switch x.Project.Kind {
	case model.ProjectAll:
		return "ALL", nil
	case model.ProjectInclude:
		isKey := func(name string) bool {
			return name == x.Table.PK.Name || name == x.Table.SK.Name ||
				slices.ContainsFunc(x.keys, func(k keyElement) bool { return k.name == name })
		}
		for _, name := range x.Project.Attributes {
			if !isKey(name) {
				attributes = append(attributes, name)
			}
		}
	}
	if len(attributes) == 0 {
		return "KEYS_ONLY", nil
	}
	return "INCLUDE", attributes
}

// billingMode returns DynamoDB's name of a table's billing mode.
func (t *table) billingMode() string {
	if t.Billing.Provisioned {
		return "PROVISIONED"
	}
	return "PAY_PER_REQUEST"
}

// streamView returns DynamoDB's name of a table's stream view type.
func (t *table) streamView() string { return strings.ToUpper(t.Stream) }

// transacts reports whether a pattern writes the table in transactions.
func (t *table) transacts() bool {
	return slices.Contains(t.operations, string(resolve.TransactWriteItems))
}

// transacts reports whether any of the tables is written in transactions.
func transacts(all []*table) bool { return slices.ContainsFunc(all, (*table).transacts) }

// usesKey reports whether a table is encrypted with a customer managed key.
func usesKey(all []*table) bool {
	return slices.ContainsFunc(all, func(t *table) bool { return t.Encryption == "customer" })
}
