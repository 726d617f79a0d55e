package loader

import (
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A layoutBuilder builds the tables of one layout: of the design or of an alternative.
type layoutBuilder struct {
	*reader
	placed  map[*model.Entity]*model.Item // items by entity: an entity is in one table
	partial map[*model.Table]bool         // tables with items that could not be parsed
}

func newLayoutBuilder(r *reader) layoutBuilder {
	return layoutBuilder{reader: r, placed: map[*model.Entity]*model.Item{}, partial: map[*model.Table]bool{}}
}

// alternatives builds the alternative layouts of a design.
func alternatives(r *reader, n *node) []*model.Alternative {
	var all []*model.Alternative
	for _, e := range n.fit() {
		a := &model.Alternative{Name: e.key.text, Place: e.key.place, Doc: e.value.get("doc").str()}
		r.about("alternative "+a.Name, func() {
			a.Tables = newLayoutBuilder(r).tables(e.value.get("tables"))
			a.Accepts = r.acceptsOf(e)
		})
		if len(a.Tables) > 0 {
			all = append(all, a)
		}
	}
	return all
}

// tables builds the tables of one layout.
func (b layoutBuilder) tables(n *node) []*model.Table {
	var all []*model.Table
	for _, e := range n.fit() {
		if e.value.get("pk") == nil {
			continue
		}
		t := &model.Table{Name: e.key.text, Place: e.key.place}
		subject := "table " + t.Name
		if b.subject != "" {
			subject += " of " + b.subject
		}
		b.about(subject, func() {
			b.settings(t, e.value)
			b.indexes(t, e.value.get("indexes"))
			b.items(t, e.value)
			b.guards(t, e.value)
			b.labels(t)
			model.OpenHoles(t)
			b.keyOnly(t)
			b.projections(t, e.value)
			b.ttl(t, e.value.get("ttl"))
			t.Accepts = b.acceptsOf(e)
		})
		all = append(all, t)
	}
	onlyOnce(b.reader, all, func(t *model.Table) (string, string, diag.Place) { return t.Name, t.Was, t.WasPlace })
	return all
}

func (b layoutBuilder) settings(t *model.Table, block *node) {
	t.Doc = block.get("doc").str()
	t.Was, t.WasPlace = b.was(t.Name, block.get("was"))
	t.PK = keyName(block.get("pk"))
	t.SK = keyName(block.get("sk"))
	t.Type = block.get("type").str()
	if d := block.get("delimiter").str(); d != "" {
		t.Delimiter = model.Delimiter(d[0])
	}
	if t.SK.Name == t.PK.Name {
		b.whole(func() { b.fail("F006", t.SK.Place, "pk and sk are the same attribute") })
		t.SK = model.KeyName{}
	}
	t.Class, t.Encryption = model.Standard, "aws-owned"
	if n := block.get("class"); n != nil {
		t.Class = model.Class(n.text)
	}
	if n := block.get("encryption"); n != nil {
		t.Encryption = n.text
	}
	t.Stream = block.get("stream").str()
	t.PITR, t.Protect = isTrue(block.get("pitr")), isTrue(block.get("protect"))
	for _, e := range block.get("tags").fit() {
		t.Tags = append(t.Tags, model.Tag{Key: e.key.text, Value: e.value.text})
	}
	b.whole(func() { b.billing(t, block.get("billing")) })
}

func keyName(n *node) model.KeyName { return model.KeyName{Name: n.str(), Place: n.at()} }

func (b layoutBuilder) billing(t *model.Table, n *node) {
	if n == nil {
		return
	}
	t.Billing.Place = n.place
	if n.kind == scalar {
		t.Billing.Provisioned = n.text == "provisioned"
		return
	}
	t.Billing.Provisioned = n.get("mode").str() == "provisioned"
	t.Billing.RCU, t.Billing.WCU = number(n.get("rcu")), number(n.get("wcu"))
	if !t.Billing.Provisioned {
		for _, key := range []string{"rcu", "wcu", "autoscale"} {
			if e := n.entry(key); e != nil && n.get("mode") != nil {
				b.fail("F006", e.key.place, "%s is for provisioned capacity", key)
			}
		}
		return
	}
	scale := n.get("autoscale")
	if scale == nil || scale.flawed {
		return
	}
	a := &model.Autoscale{Min: number(scale.get("min")), Max: number(scale.get("max")), Target: exact.Ratio(7, 10)}
	if target := scale.get("target"); target != nil {
		a.Target = number(target)
	}
	if a.Max.Less(a.Min) {
		b.fail("F006", scale.get("max").place, "max is less than min")
		return
	}
	if a.Target.IsZero() {
		b.fail("F006", scale.get("target").place, "target must be above 0, such as 0.7")
		return
	}
	t.Billing.Autoscale = a
}

func (b layoutBuilder) indexes(t *model.Table, n *node) {
	for _, e := range n.fit() {
		x := &model.Index{Name: e.key.text, Place: e.key.place, Table: t}
		if !e.value.flawed && b.whole(func() { b.index(x, e) }) {
			t.Indexes = append(t.Indexes, x)
		}
	}
	onlyOnce(b.reader, t.Indexes, func(x *model.Index) (string, string, diag.Place) { return x.Name, x.Was, x.WasPlace })
}

func (b layoutBuilder) index(x *model.Index, e *entry) {
	block := e.value
	x.Doc, x.Tags = block.get("doc").str(), texts(block.get("tags"))
	x.Was, x.WasPlace = b.was(x.Name, block.get("was"))
	x.Local = isTrue(block.get("local"))
	x.PK, x.SK = b.keyNames(block.get("pk")), b.keyNames(block.get("sk"))
	x.RCU, x.WCU = number(block.get("rcu")), number(block.get("wcu"))
	x.Accepts = b.acceptsOf(e)
	x.Project = model.Projection{Kind: model.ProjectAll, Place: e.key.place}
	if p := block.get("project"); p != nil {
		x.Project.Place = p.place
		x.Project.Kind = model.ProjectInclude
		if p.kind == scalar && slices.Contains(reserved, p.text) {
			x.Project.Kind = model.ProjectionKind(p.text)
		}
		if p.kind == scalar && x.Project.Kind == model.ProjectInclude && b.declared.named[p.text] == nil {
			b.declared.unknown(p, "projection", p.text, slices.Concat(slices.Sorted(maps.Keys(b.declared.named)), reserved))
		}
	}
	switch {
	case x.Local && len(x.PK) > 0:
		b.fail("F006", block.get("pk").place, "a local index has the partition key of its table: remove pk")
	case x.Local && len(x.SK) == 0:
		b.fail("F004", e.key.place, "a local index needs an sk")
	case x.Local && x.Table.SK.Name == "":
		b.fail("F006", e.key.place, "a local index needs a table with a sort key")
	case !x.Local && len(x.PK) == 0:
		b.fail("F004", e.key.place, "index %s has no pk", x.Name)
	}
	if x.Local {
		x.PK = []model.KeyName{x.Table.PK}
	}
	for _, k := range x.SK {
		if slices.ContainsFunc(x.PK, func(p model.KeyName) bool { return p.Name == k.Name }) {
			b.fail("F006", k.Place, "%s is in the pk too", k.Name)
		}
	}
}

// keyNames returns the attributes of an index key: one, or a list.
func (b layoutBuilder) keyNames(n *node) []model.KeyName {
	if n == nil {
		return nil
	}
	if n.kind == scalar {
		return []model.KeyName{keyName(n)}
	}
	var all []model.KeyName
	for _, item := range n.items {
		if slices.ContainsFunc(all, func(k model.KeyName) bool { return k.Name == item.text }) {
			b.fail("F006", item.place, "%s is listed twice", item.text)
			continue
		}
		all = append(all, keyName(item))
	}
	return all
}

// projections resolves the projected attributes of an index to their names in DynamoDB.
func (b layoutBuilder) projections(t *model.Table, block *node) {
	for _, x := range t.Indexes {
		p := block.get("indexes").get(x.Name).get("project")
		if x.Project.Kind != model.ProjectInclude {
			continue
		}
		items := p.list()
		if p.kind == scalar {
			items = []*node{p}
		}
		for _, item := range items {
			for _, name := range b.projectedIn(t, item) {
				if !slices.Contains(x.Project.Attributes, name) {
					x.Project.Attributes = append(x.Project.Attributes, name)
				}
			}
		}
	}
}

// projectedIn returns the names in DynamoDB of an attribute of the table's entities, or of those
// of a projection that they have.
func (b layoutBuilder) projectedIn(t *model.Table, n *node) []string {
	p := b.declared.named[n.text]
	switch {
	case b.declared.broken["projection "+n.text]:
		b.partial[t] = true
		return nil
	case p == nil:
		return b.storedIn(t, n)
	}
	var all []string
	known := false
	for _, name := range p.Attributes {
		for _, item := range t.Items {
			if a := item.Entity.Attribute(name); a != nil && a.InKey {
				known = true // every index holds the key
			} else if a != nil && !slices.Contains(all, a.Stored) {
				all = append(all, a.Stored)
			}
		}
	}
	if len(all) == 0 && !known && !b.partial[t] {
		b.whole(func() {
			b.fail("F007", n.place, "no entity of %s has an attribute of the projection %s", t.Name, p.Name)
		})
	}
	return all
}

// storedIn returns the names in DynamoDB of an attribute of the table's entities.
func (b layoutBuilder) storedIn(t *model.Table, n *node) []string {
	var names, candidates []string
	known, inKey := t.Type == n.text && t.Type != "", false
	for _, item := range t.Items {
		if a := item.Entity.Attribute(n.text); a != nil && a.InKey {
			inKey = true // every index holds the key
		} else if a != nil {
			names = append(names, a.Stored)
		}
		if item.Key(n.text) != nil {
			names = append(names, n.text)
		}
		known = known || b.declared.broken[item.Entity.Name+"."+n.text]
		candidates = append(candidates, attributeNames(item.Entity)...)
	}
	if known {
		names = append(names, n.text)
	}
	if len(names) == 0 && !inKey && !b.partial[t] {
		b.whole(func() {
			b.fail("F007", n.place, "no entity of %s has an attribute %s%s", t.Name, shown(n.text), b.found.didYouMean(n.text, candidates))
		})
	}
	return names
}

// keyOnly checks that the primary key holds the attributes that exist only in the key.
func (b layoutBuilder) keyOnly(t *model.Table) {
	for _, item := range t.Items {
		for _, a := range item.Entity.Attributes {
			if a.InKey && !item.KeyHolds(a) {
				b.whole(func() {
					b.add(diag.Finding{
						Code: "F006", Place: item.Place,
						Message: fmt.Sprintf("%s of %s exists only in the key, and the primary key in %s does not hold it unchanged: write {%s} in it, or remove in: key", a.Name, item.Entity.Name, t.Name, a.Name),
						Related: []diag.Related{{Place: a.Place, Message: "it exists only in the key"}},
					})
				})
			}
		}
	}
}

// ttl checks that an entity of the table has its TTL attribute.
func (b layoutBuilder) ttl(t *model.Table, n *node) {
	if n == nil {
		return
	}
	if names := b.storedIn(t, n); len(names) > 0 {
		t.TTL, t.TTLPlace = names[0], n.place
	}
}
