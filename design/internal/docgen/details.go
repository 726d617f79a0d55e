package docgen

import (
	"fmt"
	"strings"
	"time"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
)

// detailsView shows the contents of the design file for reference.
type detailsView struct {
	Tables   []tableDetail
	Entities []entityDetail
	Types    []typeDetail
	Roles    []roleDetail
	Profiles []fact
}

type tableDetail struct {
	Name, Doc string
	Facts     []fact
}

type entityDetail struct {
	ID, Doc    string
	Mark       entityMark
	Facts      []fact
	Attributes []attributeDetail
	Lifecycles []lifecycle
}

type attributeDetail struct{ Name, Type, Notes string }

// A lifecycle is the states of an enum and their transitions.
type lifecycle struct {
	Attribute string
	States    []state
}

type state struct {
	Name       string
	Next       []string
	Start, End bool
}

type typeDetail struct {
	Name, Doc  string
	Attributes []attributeDetail
}

type roleDetail struct{ Name, Doc, Patterns, Bound string }

func newDetails(in Input) detailsView {
	d := in.Layout.Design()
	var v detailsView
	for _, t := range d.Tables {
		v.Tables = append(v.Tables, tableDetail{t.Name, t.Doc, tableFacts(t)})
	}
	for _, e := range d.Entities {
		v.Entities = append(v.Entities, newEntityDetail(in, e))
	}
	for _, s := range d.Structs {
		v.Types = append(v.Types, typeDetail{s.Name, s.Doc, attributesOf(s.Attributes)})
	}
	for _, r := range d.Roles {
		v.Roles = append(v.Roles, newRole(r, d))
	}
	for _, p := range d.Profiles {
		v.Profiles = append(v.Profiles, fact{p.Name, profileWords(p)})
	}
	return v
}

func tableFacts(t *model.Table) []fact {
	key := t.PK.Name
	if t.SK.Name != "" {
		key += ", " + t.SK.Name
	}
	facts := []fact{{"Key", key}, {"Billing", billing(t.Billing)}, {"Class", cmpOr(string(t.Class), "standard")}}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, fact{name, value})
		}
	}
	add("Type attribute", t.Type)
	if !t.Delimiter.IsDefault() {
		add("Delimiter of keys", t.Delimiter.String())
	}
	add("Stream", strings.ReplaceAll(t.Stream, "_", " "))
	add("Point-in-time recovery", onOff(t.PITR))
	add("TTL", t.TTL)
	add("Encryption", cmpOr(t.Encryption, "aws-owned"))
	add("Deletion protection", onOff(t.Protect))
	for _, x := range t.Indexes {
		facts = append(facts, fact{"Index " + x.Name, holds(x)})
	}
	for _, tag := range t.Tags {
		facts = append(facts, fact{"Tag " + tag.Key, tag.Value})
	}
	return facts
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func billing(b model.Billing) string {
	if !b.Provisioned {
		return "on demand"
	}
	text := "provisioned"
	if !b.RCU.IsZero() || !b.WCU.IsZero() {
		text += ", " + figures.Quantity(b.RCU) + " RCU and " + figures.Quantity(b.WCU) + " WCU"
	}
	if a := b.Autoscale; a != nil {
		text += ", autoscaling " + figures.Quantity(a.Min) + " to " + figures.Quantity(a.Max) + " at " + figures.Percent(a.Target)
	}
	return text
}

func newEntityDetail(in Input, e *model.Entity) entityDetail {
	v := entityDetail{
		ID: anchor("e", e.Name), Doc: e.Doc, Mark: markOf(in.Layout.Design(), e),
		Facts: entityFacts(in, e), Attributes: attributesOf(e.Attributes),
	}
	for _, a := range e.Attributes {
		if a.Lifecycle != nil {
			v.Lifecycles = append(v.Lifecycles, newLifecycle(a))
		}
	}
	return v
}

func entityFacts(in Input, e *model.Entity) []fact {
	facts := []fact{{"Identified by", attributeNames(e.ID)}}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, fact{name, value})
		}
	}
	if home := in.Layout.Home(e); home != nil {
		add("Lives in", home.Table.Name)
		if home.Table.Type != "" && e.Label != "" {
			add(home.Table.Type, e.Label)
		}
		size := cost.ItemSize(home)
		words := figures.Bytes(exact.Int(size.Avg))
		if size.Max > size.Avg {
			words += ", at most " + figures.Bytes(exact.Int(size.Max))
		}
		add("Item size", words)
	} else {
		add("Lives in", "no table")
	}
	add("Volume", volume(e.Volume))
	for _, p := range e.Per {
		words := figures.Quantity(p.Avg)
		if p.Avg.Less(p.Max) {
			words += " on average, at most " + figures.Quantity(p.Max)
		}
		add("Per "+p.Attribute.Name, words)
	}
	for _, u := range e.Unique {
		words := attributeNames(u.Attributes)
		if len(u.Per) > 0 {
			words += " per " + attributeNames(u.Per)
		}
		add("Unique", words)
	}
	for _, c := range e.Counters {
		add("Counter "+c.Attribute.Name, counterWords(c))
	}
	return append(facts, timeFacts(e)...)
}

func timeFacts(e *model.Entity) []fact {
	var facts []fact
	for _, f := range []struct {
		name string
		a    *model.Attribute
	}{{"Version", e.Version}, {"TTL", e.TTL}, {"Deadline", e.Deadline}} {
		if f.a != nil {
			facts = append(facts, fact{f.name, f.a.Name})
		}
	}
	if len(e.Encrypt) > 0 {
		facts = append(facts, fact{"Encrypted", attributeNames(e.Encrypt)})
	}
	return facts
}

func attributeNames(list []*model.Attribute) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

func volume(v model.Volume) string {
	switch {
	case v.Count != nil:
		return figures.Quantity(*v.Count) + " items"
	case v.Growth != nil && v.Keep > 0:
		return v.Growth.Text + ", kept " + days(v.Keep)
	case v.Growth != nil:
		return v.Growth.Text + ", kept forever"
	}
	return ""
}

func days(d model.Duration) string {
	if time.Duration(d) < 24*time.Hour {
		return fmt.Sprintf("%g hours", time.Duration(d).Hours())
	}
	return figures.Quantity(d.Days()) + " days"
}

func counterWords(c *model.Counter) string {
	words := "how many " + c.Of.Name
	if c.Sum != nil {
		words = "sum of " + c.Of.Name + "." + c.Sum.Name
	}
	if len(c.Where) > 0 {
		words += " where " + conditions(c.Where)
	}
	if c.Min != nil {
		words += ", at least " + figures.Quantity(*c.Min)
	}
	if c.Max != nil {
		words += ", at most " + figures.Quantity(*c.Max)
	}
	if c.Shards > 1 {
		words += fmt.Sprintf(", in %d shards", c.Shards)
	}
	return words
}

func attributesOf(list []*model.Attribute) []attributeDetail {
	var all []attributeDetail
	for _, a := range list {
		var notes []string
		add := func(s string) {
			if s != "" {
				notes = append(notes, s)
			}
		}
		add(a.Doc)
		switch {
		case a.InKey:
			add("stored only in the key")
		case a.Stored != a.Name:
			add("stored as " + a.Stored)
		}
		if a.Default != nil {
			add(fmt.Sprintf("%q in items that lack it", *a.Default))
		}
		if a.Time != nil {
			add("made from " + a.Time.Name)
		}
		if a.Size > 0 {
			add("about " + figures.Bytes(exact.Int(a.Size)))
		}
		all = append(all, attributeDetail{a.Name, a.Type.String(), strings.Join(notes, "; ")})
	}
	return all
}

func newLifecycle(a *model.Attribute) lifecycle {
	l := lifecycle{Attribute: a.Name}
	for _, name := range a.Type.Values {
		next := a.Lifecycle.Next[name]
		l.States = append(l.States, state{Name: name, Next: next, Start: name == a.Lifecycle.Start, End: len(next) == 0})
	}
	return l
}

func newRole(r *model.Role, d *model.Design) roleDetail {
	v := roleDetail{Name: r.Name, Doc: r.Doc}
	if len(r.Patterns) == len(d.Patterns) {
		v.Patterns = "all patterns"
	} else {
		names := make([]string, len(r.Patterns))
		for i, p := range r.Patterns {
			names[i] = p.Name
		}
		v.Patterns = strings.Join(names, ", ")
	}
	var bound []string
	for _, b := range r.Bind {
		bound = append(bound, b.Attribute+" is the "+b.Caller)
	}
	v.Bound = strings.Join(bound, ", ")
	return v
}

func profileWords(p *model.Profile) string {
	var parts []string
	if p.Doc != "" {
		parts = append(parts, p.Doc)
	}
	if !p.Scale.IsZero() && !p.Scale.Equal(exact.One) {
		parts = append(parts, "scale "+figures.Quantity(p.Scale))
	}
	if n := len(p.Rates); n > 0 {
		parts = append(parts, fmt.Sprintf("%d rates of its own", n))
	}
	if n := len(p.Counts); n > 0 {
		parts = append(parts, fmt.Sprintf("%d counts of its own", n))
	}
	return strings.Join(parts, ", ")
}
