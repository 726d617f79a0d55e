// Package tabledef converts the tables of a design into table definitions: every key
// attribute with its type, every capacity a number. Package access/provision creates the
// tables.
//
// Package design returns the definitions to the command line, gogen prints them into
// generated packages, and verify creates them on an endpoint.
package tabledef

import (
	"slices"

	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/shape"
)

// Of returns the tables of a design, in its order.
func Of(d *model.Design) []provision.Table {
	all := make([]provision.Table, len(d.Tables))
	peaks := peaksOf(d)
	for i, t := range d.Tables {
		all[i] = define(t, peaks)
		all[i].Shape = shape.Of(d, t)
	}
	return all
}

// Temporary returns the tables without settings that do not fit tables of one run: sample items
// have expired already, provisioned capacity would throttle the calls, and a customer managed
// key changes neither answers nor units.
func Temporary(d *model.Design) []provision.Table {
	tables := Of(d)
	for i := range tables {
		t := &tables[i]
		t.TTL, t.Encryption = "", ""
		t.RCU, t.WCU, t.Autoscaled = 0, 0, false
		for j := range t.Indexes {
			t.Indexes[j].RCU, t.Indexes[j].WCU = 0, 0
		}
	}
	return tables
}

func define(t *model.Table, peaks peaks) provision.Table {
	table := provision.Table{
		Name: t.Name, PK: key(t, t.PK.Name),
		Stream: t.Stream, TTL: t.TTL, PITR: t.PITR, Protect: t.Protect,
	}
	if t.SK.Name != "" {
		table.SK = key(t, t.SK.Name)
	}
	// Defaults of DynamoDB are omitted to keep definitions short.
	if t.Class != model.Standard {
		table.Class = string(t.Class)
	}
	if t.Encryption != "aws-owned" {
		table.Encryption = t.Encryption
	}
	for _, tag := range t.Tags {
		if table.Tags == nil {
			table.Tags = map[string]string{}
		}
		table.Tags[tag.Key] = tag.Value
	}
	if t.Billing.Provisioned {
		table.RCU, table.WCU = peaks.capacity(resolve.Path{Table: t})
		table.Autoscaled = t.Billing.Autoscale != nil
	}
	for _, x := range t.Indexes {
		table.Indexes = append(table.Indexes, defineIndex(x, table, peaks))
	}
	return table
}

func defineIndex(x *model.Index, table provision.Table, peaks peaks) provision.Index {
	index := provision.Index{Name: x.Name, Local: x.Local, SK: keysOf(x.Table, x.SK)}
	if !x.Local {
		index.PK = keysOf(x.Table, x.PK)
	}
	switch x.Project.Kind {
	case model.ProjectKeys:
		index.Project = "keys"
	case model.ProjectInclude:
		index.Attributes = included(x)
		if len(index.Attributes) == 0 {
			index.Project = "keys"
		}
	}
	if table.RCU > 0 && !x.Local {
		rcu, wcu := peaks.capacity(resolve.Path{Table: x.Table, Index: x})
		if rcu != table.RCU || wcu != table.WCU {
			index.RCU, index.WCU = rcu, wcu
		}
	}
	return index
}

// included returns the projected attributes of an index that are not keys.
func included(x *model.Index) []string {
	keys := append(append([]model.KeyName{x.Table.PK, x.Table.SK}, x.PK...), x.SK...)
	var all []string
	for _, name := range x.Project.Attributes {
		if !slices.ContainsFunc(keys, func(k model.KeyName) bool { return k.Name == name }) {
			all = append(all, name)
		}
	}
	return all
}

func keysOf(t *model.Table, names []model.KeyName) []provision.Key {
	var all []provision.Key
	for _, name := range names {
		all = append(all, key(t, name.Name))
	}
	return all
}

// key returns a key attribute with its type. A checked design has one type for it in all
// entities; the type attribute and keys without values are strings.
func key(t *model.Table, name string) provision.Key {
	for _, item := range t.Items {
		if k := item.Key(name); k != nil && k.Kind() != "" {
			return provision.Key{Name: name, Kind: k.Kind()}
		}
	}
	return provision.Key{Name: name, Kind: "S"}
}

// peaks maps paths to their peak loads.
type peaks map[resolve.Path]*cost.PathCost

// peaksOf prices the design if any capacity must be computed from the patterns.
func peaksOf(d *model.Design) peaks {
	if !slices.ContainsFunc(d.Tables, leavesOpen) {
		return nil
	}
	all := peaks{}
	for _, table := range cost.Price(resolve.New(d), cost.Options{}).Tables {
		for _, path := range table.Paths {
			all[path.Path] = path
		}
	}
	return all
}

func leavesOpen(t *model.Table) bool {
	b := t.Billing
	return b.Provisioned && b.Autoscale == nil && (b.RCU.IsZero() || b.WCU.IsZero())
}

// capacity returns the provisioned capacity of a path: the stated one, where an index defaults
// to that of its table, clamped to the bounds of autoscaling; else the capacity the patterns
// need at their peak.
func (p peaks) capacity(path resolve.Path) (rcu, wcu int64) {
	b := path.Table.Billing
	read, written := b.RCU, b.WCU
	if x := path.Index; x != nil {
		if !x.RCU.IsZero() {
			read = x.RCU
		}
		if !x.WCU.IsZero() {
			written = x.WCU
		}
	}
	if a := b.Autoscale; a != nil {
		read, written = a.Start(read), a.Start(written)
	} else if peak := p[path]; peak != nil {
		if read.IsZero() {
			read = cost.Needed(peak.PeakRCU)
		}
		if written.IsZero() {
			written = cost.Needed(peak.PeakWCU)
		}
	}
	return read.Ceil().Max(exact.One).Int64(), written.Ceil().Max(exact.One).Int64()
}
