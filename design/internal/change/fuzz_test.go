package change

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	facts "sortkey.dev/access/shape"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/shape"
	"sortkey.dev/internal/effort"
)

// mutations change a design in one way each, at random. A design stays one that could be loaded.
var mutations = map[string]func(*rand.Rand, *model.Design){
	"type": func(r *rand.Rand, d *model.Design) {
		a := anAttribute(r, d)
		bases := []model.Base{model.String, model.Integer, model.Decimal, model.Bool, model.Timestamp, model.ULID, model.Bytes}
		a.Type = model.Type{Base: bases[r.IntN(len(bases))], Optional: a.Type.Optional}
		a.Lifecycle, a.Default = nil, nil
	},
	"optional": func(r *rand.Rand, d *model.Design) {
		a := anAttribute(r, d)
		a.Type.Optional, a.Default = !a.Type.Optional, nil
	},
	"default": func(r *rand.Rand, d *model.Design) {
		text := fmt.Sprint(r.IntN(3))
		a := anAttribute(r, d)
		a.Type.Optional, a.Default = false, &text
	},
	"stored name": func(r *rand.Rand, d *model.Design) { a := anAttribute(r, d); a.Stored += "_x" },
	"name": func(r *rand.Rand, d *model.Design) {
		a := anAttribute(r, d)
		if r.IntN(2) == 0 {
			a.Was = a.Name
		}
		a.Name += "_y"
	},
	"value": func(r *rand.Rand, d *model.Design) {
		if a := anAttribute(r, d); a.Type.Base == model.Enum {
			a.Type.Values = append(slices.Clone(a.Type.Values[1:]), fmt.Sprint("V", r.IntN(5)))
		}
	},
	"new attribute": func(r *rand.Rand, d *model.Design) {
		e := anEntity(r, d)
		name := fmt.Sprint("extra", r.IntN(1000))
		if e.Attribute(name) == nil && e.Stored(name) == nil {
			e.Attributes = append(e.Attributes, &model.Attribute{Name: name, Stored: name, Type: model.Type{Base: model.String, Optional: r.IntN(2) == 0}})
		}
	},
	"encrypt": func(r *rand.Rand, d *model.Design) {
		e := anEntity(r, d)
		if a := e.Attributes[r.IntN(len(e.Attributes))]; !slices.Contains(e.Encrypt, a) {
			e.Encrypt = append(e.Encrypt, a)
		} else {
			e.Encrypt = nil
		}
	},
	"entity": func(r *rand.Rand, d *model.Design) {
		e := anEntity(r, d)
		if r.IntN(2) == 0 {
			e.Was = e.LocalName()
		}
		e.Name += "X"
	},
	"label":   func(r *rand.Rand, d *model.Design) { anEntity(r, d).Label = fmt.Sprint("L", r.IntN(100)) },
	"version": func(r *rand.Rand, d *model.Design) { anEntity(r, d).Version = nil },
	"counter": func(r *rand.Rand, d *model.Design) {
		for _, e := range d.Entities {
			for _, c := range e.Counters {
				switch r.IntN(4) {
				case 0:
					c.Shards += 2
				case 1:
					c.Where = nil
				case 2:
					e.Counters = slices.DeleteFunc(slices.Clone(e.Counters), func(n *model.Counter) bool { return n == c })
				}
			}
		}
	},
	"template": func(r *rand.Rand, d *model.Design) {
		if c := aKey(r, d); c != nil {
			t := *c.Template
			t.Parts = append([]model.Part{{Literal: fmt.Sprint("X", r.IntN(9), "#")}}, t.Parts...)
			c.Template = &t
		}
	},
	"filter": func(r *rand.Rand, d *model.Design) {
		if c := aKey(r, d); c != nil {
			t := *c.Template
			t.Parts = slices.Clone(t.Parts)
			for i := range t.Parts {
				if t.Parts[i].IsHole() {
					t.Parts[i].Filters = []model.Filter{{Name: model.Shard, N: 2 + r.IntN(4)}}
				}
			}
			c.Template = &t
		}
	},
	"when": func(r *rand.Rand, d *model.Design) {
		if c := aKey(r, d); c != nil {
			c.When = nil
		}
	},
	"no key": func(r *rand.Rand, d *model.Design) {
		i := anItem(r, d)
		i.Computed = slices.DeleteFunc(slices.Clone(i.Computed), func(c *model.Computed) bool {
			return r.IntN(3) == 0 && c.Name != i.Table.PK.Name && c.Name != i.Table.SK.Name
		})
	},
	"no index": func(r *rand.Rand, d *model.Design) {
		if t := aTable(r, d); len(t.Indexes) > 0 {
			t.Indexes = slices.Clone(t.Indexes)[1:]
		}
	},
	"index": func(r *rand.Rand, d *model.Design) {
		if t := aTable(r, d); len(t.Indexes) > 0 {
			x := t.Indexes[r.IntN(len(t.Indexes))]
			if r.IntN(2) == 0 {
				x.Was = x.Name
			}
			x.Name += "_2"
		}
	},
	"guard": func(r *rand.Rand, d *model.Design) {
		if t := aTable(r, d); len(t.Guards) > 0 {
			t.Guards = slices.Clone(t.Guards)[1:]
		}
	},
	"ttl": func(r *rand.Rand, d *model.Design) {
		t := aTable(r, d)
		if t.TTL = ""; r.IntN(2) == 0 {
			t.TTL = "expires_at"
		}
	},
	"type attribute": func(r *rand.Rand, d *model.Design) {
		if t := aTable(r, d); t.Type != "" {
			t.Type += "_x"
		} else {
			t.Type = "kind"
		}
	},
	"delimiter": func(r *rand.Rand, d *model.Design) { aTable(r, d).Delimiter = model.Delimiter('|') },
	"table": func(r *rand.Rand, d *model.Design) {
		t := aTable(r, d)
		if r.IntN(2) == 0 {
			t.Was = t.Name
		}
		t.Name += "-2"
	},
	"key of a table": func(r *rand.Rand, d *model.Design) {
		t := aTable(r, d)
		for _, i := range t.Items {
			for _, c := range i.Computed {
				if c.Name == t.PK.Name {
					c.Name += "X"
				}
			}
		}
		t.PK.Name += "X"
	},
	"move": func(r *rand.Rand, d *model.Design) {
		from, to := aTable(r, d), aTable(r, d)
		if from != to && len(from.Items) > 1 && from.PK.Name == to.PK.Name && from.SK.Name == to.SK.Name {
			i := from.Items[0]
			from.Items, i.Table = slices.Clone(from.Items)[1:], to
			to.Items = append(slices.Clone(to.Items), i)
		}
	},
}

func one[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

func anEntity(r *rand.Rand, d *model.Design) *model.Entity { return one(r, d.Entities) }

func anAttribute(r *rand.Rand, d *model.Design) *model.Attribute {
	if len(d.Structs) > 0 && r.IntN(6) == 0 {
		return one(r, one(r, d.Structs).Attributes)
	}
	return one(r, anEntity(r, d).Attributes)
}

func aTable(r *rand.Rand, d *model.Design) *model.Table { return one(r, d.Tables) }

func anItem(r *rand.Rand, d *model.Design) *model.Item { return one(r, aTable(r, d).Items) }

func aKey(r *rand.Rand, d *model.Design) *model.Computed {
	i := anItem(r, d)
	if len(i.Computed) == 0 {
		return nil
	}
	return one(r, i.Computed)
}

// mutated returns a copy of a design that is changed a few times, and how.
func mutated(r *rand.Rand, d *model.Design) (*model.Design, string) {
	var copier model.Copier
	other := model.Copy(&copier, d)
	var kinds, done []string
	for kind := range mutations {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for range 1 + r.IntN(3) {
		kind := one(r, kinds)
		mutations[kind](r, other)
		done = append(done, kind)
	}
	return other, strings.Join(done, ", ")
}

// uncovered returns a fact about the items of a table that differs without a change that is about it.
func uncovered(c *Changes) string {
	was, is := factsOf(c.Old), factsOf(c.New)
	for name := range is {
		if was[name] == nil {
			was[name] = map[string]facts.Fact{}
		}
	}
	for table, old := range was {
		if is[table] == nil {
			is[table] = map[string]facts.Fact{}
		}
		for name, f := range is[table] {
			if _, ok := old[name]; !ok {
				old[name] = facts.Fact{Of: f.Of}
			}
		}
		for name, f := range old {
			if f.Text != is[table][name].Text && !c.isAbout(table, f.Of, f.Text+is[table][name].Text) {
				return fmt.Sprintf("%s of %s: %q, then %q", name, table, f.Text, is[table][name].Text)
			}
		}
	}
	return ""
}

// isAbout reports whether a change is about an entity or a struct, or the table if none is named. A counter
// has a fact that names the counted entity, and structs are in the tables of the entities that have them.
func (c *Changes) isAbout(table, of, says string) bool {
	isStruct := slices.ContainsFunc(c.Structs, func(s *StructPair) bool { return s.New != nil && s.New.Name == of })
	return slices.ContainsFunc(c.All, func(one *Change) bool {
		if t := one.Table; t != nil && (t.Old != nil && t.Old.Name == table || t.New != nil && t.New.Name == table) && (of == "" || one.Entity == nil) {
			return true
		}
		if e := one.Entity; e != nil && (e.Old != nil && e.Old.LocalName() == of || e.New != nil && e.New.LocalName() == of) {
			return true
		}
		if e := one.Entity; e != nil && e.Old != nil && e.New != nil && (strings.Contains(says, e.Old.LocalName()+" ") || strings.Contains(says, e.New.LocalName()+" ")) {
			return true
		}
		return of != "" && strings.Contains(one.Message, of) || isStruct && slices.Contains([]diag.Code{"E042", "E011", "E014"}, one.Code)
	})
}

func factsOf(d *model.Design) map[string]map[string]facts.Fact {
	all := map[string]map[string]facts.Fact{}
	for _, t := range d.Tables {
		all[t.Name] = map[string]facts.Fact{}
		for _, f := range shape.Of(d, t).Facts() {
			all[t.Name][f.Name] = f
		}
	}
	return all
}

// tryMutants changes a design twice, and compares all three versions.
func tryMutants(t *testing.T, seed uint64, base *model.Design) {
	r := rand.New(rand.NewPCG(seed, 1))
	before, first := mutated(r, base.Whole())
	after, second := mutated(r, before)
	for _, pair := range [][2]*model.Design{{base.Whole(), before}, {before, after}, {after, before}} {
		changes := Between(pair[0], pair[1], Options{})
		if fact := uncovered(changes); fact != "" {
			t.Errorf("seed %d (%s; %s): no change is about %s", seed, first, second, fact)
		}
		changes.Together()
	}
	if same := Between(after, after, Options{}); len(same.All) > 0 {
		t.Errorf("seed %d (%s; %s): the same design has changes: %s %s", seed, first, second, same.All[0].Code, same.All[0].Message)
	}
}

// TestEveryFactIsCovered compares random mutants of a design with every kind of thing.
func TestEveryFactIsCovered(t *testing.T) {
	base := load(t, "base.design.yaml", everything)
	for seed := range uint64(effort.Rounds(50)) {
		tryMutants(t, seed, base)
	}
}

func FuzzMutants(f *testing.F) {
	base := load(f, "base.design.yaml", everything)
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { tryMutants(t, seed, base) })
}

const everything = `design: Everything
types:
  Place: { street: string, zip: int? }
  Address: { place: Place, at: timestamp }
entities:
  User:
    id: user_id
    unique: [email, { value: nick, per: team }]
    attributes:
      user_id: ulid
      team: ulid
      email: string
      nick: string
      state: enum(OPEN, DONE, LATE)
      age: { type: int, default: 0 }
      home: Address?
      others: list<Place>
      tags: set<string>
      tasks: int
      spent: decimal
      version: int
      expires_at: unixtime?
    version: version
    counters:
      tasks: { count: Task, match: { user_id: owner }, where: { done: false }, shards: 2 }
      spent: { sum: Task.cost, match: { user_id: owner } }
    encrypt: [email]
  Task:
    id: task_id
    attributes: { task_id: ulid, owner: ulid, done: bool, cost: decimal, title: string, expires_at: unixtime? }
  Log:
    id: log_id
    attributes: { log_id: ulid, owner: ulid, text: string }
tables:
  main:
    pk: PK
    sk: SK
    type: kind
    ttl: expires_at
    indexes:
      GSI1: { pk: GSI1PK, sk: GSI1SK }
      GSI2: { pk: GSI2PK, sk: [state, user_id], project: keys }
      by_title: { local: true, sk: title }
    items:
      User: { PK: "USER#{user_id}", SK: USER, GSI1PK: "TEAM#{team|shard 2}", GSI1SK: "{user_id}", GSI2PK: { value: "STATE#{state}", when: state = OPEN } }
      Task: { PK: "USER#{owner}", SK: "TASK#{task_id}", GSI1PK: "TASKS#{owner}", GSI1SK: "{task_id}" }
    guards:
      User.email: { PK: "EMAIL#{email|lower}", SK: EMAIL }
      User.nick: { PK: "TEAM#{team}", SK: "NICK#{nick}" }
  logs:
    pk: PK
    sk: SK
    items:
      Log: { PK: "LOG#{owner}", SK: "{log_id}" }
patterns:
  AddUser: { create: User, rate: 10/day }
  SaveTask: { put: Task, rate: 10/day }
  GetUser: { get: User, where: { user_id: $ }, rate: 100/day }
  ListTasks: { list: Task, where: { owner: $ }, limit: 20, rate: 100/day }
  ListTeam: { list: User, where: { team: $ }, limit: 20, rate: 100/day }
`
