// Package tabledef turns the tables of a design into definitions that can be made:
// every key attribute with its kind, every capacity a number. It makes no tables and
// reads none; package access/provision does.
//
// The front door hands the definitions to the command line, gogen prints them into
// generated packages, and verify makes them on an endpoint.
package tabledef

import (
	"slices"

	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Of are the tables of a design, in its order.
func Of(d *model.Design) []provision.Table {
	all := make([]provision.Table, len(d.Tables))
	peaks := peaksOf(d)
	for i, t := range d.Tables {
		all[i] = define(t, peaks)
	}
	return all
}

func define(t *model.Table, peaks peaks) provision.Table {
	table := provision.Table{
		Name: t.Name, PK: key(t, t.PK.Name),
		Stream: t.Stream, TTL: t.TTL, PITR: t.PITR, Protect: t.Protect,
	}
	if t.SK.Name != "" {
		table.SK = key(t, t.SK.Name)
	}
	// What DynamoDB does by itself is not said, so that definitions stay short.
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

// included are the attributes an index holds besides keys, which it holds anyway.
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

// key is a key attribute with the kind its values have. A checked design has one kind
// for it in all entities; the entity's name and what nothing is put into are text.
func key(t *model.Table, name string) provision.Key {
	for _, item := range t.Items {
		if k := item.Key(name); k != nil && k.Kind() != "" {
			return provision.Key{Name: name, Kind: k.Kind()}
		}
	}
	return provision.Key{Name: name, Kind: "S"}
}

// peaks are the loads of the paths of a design at their peak.
type peaks map[resolve.Path]*cost.PathCost

// peaksOf prices the design only if a capacity is left for the patterns to say.
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

// capacity is what a path is provisioned with: what the design states for it, an index
// without a statement having what its table has; with autoscaling, which moves it, within
// its bounds and at least their lower one; else what the patterns need at their peak.
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
