package shape

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Fact is one thing that decides what items look like.
type Fact struct {
	Name string // for people: User.age, User key, unique User.username
	Of   string // the entity or struct it is about, or ""
	Text string // everything that it says; two facts say the same if their texts are equal

	id string // what stays if the name for people changes
}

// version is that of the texts of facts. Another version is another shape.
const version = "1"

// Facts returns the facts of the table, in an order that does not depend on that of the description.
func (t *Table) Facts() []Fact {
	f := &facts{}
	f.add("", "table key", "", t.PK, t.SK, t.Type)
	if t.TTL != "" {
		f.add("", "TTL", "", t.TTL)
	}
	for i := range t.Entities {
		f.entity(t, &t.Entities[i])
	}
	for _, s := range t.Structs {
		f.attributes(s.Name, s.Attributes)
	}
	for _, g := range t.Guards {
		f.add(g.Entity, "unique "+g.Entity+"."+g.Unique, "", t.Delimiter, sorted(g.Keys))
	}
	slices.SortFunc(f.all, func(a, b Fact) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.Text, b.Text)) })
	return f.all
}

type facts struct{ all []Fact }

// add adds a fact, whose text is what the values are as JSON.
func (f *facts) add(of, name, id string, values ...any) {
	text, err := json.Marshal(values)
	if err != nil { // the values are texts and lists of texts
		panic(fmt.Sprintf("shape: %v", err))
	}
	f.all = append(f.all, Fact{Name: name, Of: of, Text: string(text), id: cmp.Or(id, name)})
}

func (f *facts) entity(t *Table, e *Entity) {
	label := ""
	if t.Type != "" {
		label = e.label()
	}
	f.attributes(e.Name, e.Attributes)
	byIndex := map[string][]Key{}
	for _, k := range e.Keys {
		for _, index := range k.In {
			byIndex[index] = append(byIndex[index], k)
		}
		if len(k.In) == 0 {
			byIndex[""] = append(byIndex[""], k)
		}
	}
	f.add(e.Name, e.Name+" key", "", label, t.Delimiter, sorted(byIndex[""]))
	for index, keys := range byIndex {
		if index != "" {
			f.add(e.Name, e.Name+" in index "+index, "", t.Delimiter, sorted(keys))
		}
	}
	for _, c := range e.Counters {
		f.add(e.Name, "counter "+e.Name+"."+c.Attribute, "", c.Counts, c.Shards)
	}
	for _, u := range e.Unique {
		f.add(e.Name, "unique "+e.Name+"."+u, "")
	}
}

func (f *facts) attributes(of string, attributes []Attribute) {
	for _, a := range attributes {
		says := []any{a.Type, a.Sealed, a.InKey}
		if a.HasDefault { // another default is another meaning of the items that lack the attribute
			says = append(says, a.Default)
		}
		f.add(of, of+"."+a.shown(), of+"."+a.Name, says...)
	}
}

// sorted returns what keys say, in an order of its own. An index that is added to those of a
// key is a fact of that index, so the indexes are left out.
func sorted(keys []Key) []string {
	all := make([]string, len(keys))
	for i, k := range keys {
		when := make([]string, len(k.When))
		for j, c := range k.When {
			when[j] = c.Attribute + " " + c.Op + " " + strings.Join(c.Values, ", ")
		}
		slices.Sort(when)
		all[i] = k.Name + " = " + strings.ReplaceAll(k.Template, "|"+Open, "") + " when " + strings.Join(when, " and ")
	}
	slices.Sort(all)
	return all
}

// byEntity returns one fact for each entity and struct, and those of the table.
func byEntity(all []Fact) []Fact {
	var merged []Fact
	at := map[string]int{}
	for _, f := range all {
		i, seen := at[f.Of]
		switch {
		case f.Of == "":
			merged = append(merged, f)
		case !seen:
			at[f.Of] = len(merged)
			merged = append(merged, Fact{Name: f.Of, Of: f.Of, Text: f.id + f.Text, id: f.Of})
		default:
			merged[i].Text += "\n" + f.id + f.Text
		}
	}
	return merged
}

// hash returns the hash of the version and of all facts.
func hash(all []Fact) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintln(h, version)
	lines := make([]string, len(all))
	for i, f := range all {
		lines[i] = fmt.Sprintf("%q %q\n", f.id, f.Text)
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprint(h, line)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
