package model

import (
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
)

// A Pattern is one access pattern.
type Pattern struct {
	Name       string
	Use        string // the used design it is from, or "" for the design itself
	Doc        string
	Place      diag.Place // of its name
	Tags       []string
	Verb       Verb
	VerbPlace  diag.Place
	Action     // what it does to one entity; for collect only Where is set
	Collect    []*Entity
	Parts      []*Pattern // of a snapshot: a get for each part, with the name of the snapshot
	Part       string     // of a part of a snapshot: its name; else ""
	Steps      []*Step    // of a transact
	alone      []*Step    // of a completed pattern that writes one entity
	Filter     []*Condition
	Order      *Ordering
	Select     []*Attribute
	Row        *NamedProjection // the projection that select names, or nil if it lists attributes
	SelectAt   diag.Place
	Limit      int64 // 0: none
	Returns    *exact.Number
	Consistent bool
	ConsistAt  diag.Place
	Fanout     []Fanout
	Segments   int64 // of a scan: the parts that are read at the same time; 0: one
	Requires   []*Requirement
	BasedOn    []*Pattern
	BasedOnAt  diag.Place
	Reach      Duration
	ReachAt    diag.Place
	Rate       Rate
	RatePlace  diag.Place
	Peak       *Rate
	Hot        *exact.Number           // share of the peak on the hottest key of every path
	HotOf      map[string]exact.Number // the same on keys that contain an attribute, by its name
	HotPlace   diag.Place
	Claims     []*Claim
	Accepts    []*Accept
}

// An Action is the action of a pattern or a step of a transaction on one entity.
type Action struct {
	Entity  *Entity
	Where   []*Condition
	WhereAt diag.Place
	Set     []*Assignment
	Initial []*Assignment // of an upsert: values of attributes that the item lacks
	Add     []*Addition
	Remove  []*Attribute
	Edits   []*Edit
	Entries []*EntryChange
	If      []*Condition // all must hold
	IfAt    diag.Place
}

// IsEmpty reports whether the action changes no attribute that the pattern names.
func (a *Action) IsEmpty() bool {
	return len(a.Set)+len(a.Add)+len(a.Remove)+len(a.Edits)+len(a.Entries) == 0
}

// A Step is one action of a transaction.
type Step struct {
	Verb  Verb
	Place diag.Place
	Action
	Each int64 // number of items; 1 by default
}

// An Assignment sets an attribute to a parameter or a constant.
type Assignment struct {
	Attribute *Attribute
	Value     *Operand // nil: a parameter named after the attribute
	Patch     bool     // it leaves the attribute as it is if the caller gives no value
	Place     diag.Place
}

// An Addition adds a number to an attribute: a constant, or a parameter.
type Addition struct {
	Attribute *Attribute
	By        exact.Number // if there is no parameter
	Param     string
	Place     diag.Place
}

// An Edit changes a part of a collection: elements of a set, or the end of a list.
type Edit struct {
	Attribute *Attribute
	Kind      EditKind
	Param     string // the elements
	Place     diag.Place
}

// EditKind is the kind of an edit.
type EditKind int

// The kinds of edit.
const (
	Include EditKind = iota // adds elements to a set
	Exclude                 // deletes elements from a set
	Append                  // appends elements to a list
)

// Bounded reports whether the edit adds elements to a collection that states its maximum.
func (e *Edit) Bounded() bool { return e.Kind != Exclude && e.Attribute.Max > 0 }

// A Requirement is a condition on another item in the same transaction.
type Requirement struct {
	Entity  *Entity
	Missing bool // it must not exist
	Where   []*Condition
	WhereAt diag.Place
	If      []*Condition
	Change  []*Assignment
	Consume bool // the item is deleted in the same transaction
	Place   diag.Place
}

// Verb is the verb of a pattern or step.
type Verb string

// The verbs. Check occurs in transactions only.
const (
	Get      Verb = "get"
	List     Verb = "list"
	Collect  Verb = "collect"
	Scan     Verb = "scan"
	Snapshot Verb = "snapshot"
	Create   Verb = "create"
	Put      Verb = "put"
	Update   Verb = "update"
	Upsert   Verb = "upsert"
	Delete   Verb = "delete"
	Transact Verb = "transact"
	Check    Verb = "check"
)

// Reads reports whether the verb only reads.
func (v Verb) Reads() bool {
	return v == Get || v == List || v == Collect || v == Scan || v == Snapshot
}

// InPlace reports whether the verb changes attributes of an item and leaves the others alone.
func (v Verb) InPlace() bool { return v == Update || v == Upsert }

// Makes reports whether the verb can make an item that did not exist.
func (v Verb) Makes() bool { return v == Create || v == Put || v == Upsert }

// HasTag reports whether the pattern has one of the tags, as Entity.HasTag.
func (p *Pattern) HasTag(tags []string) bool { return tagged(p.Tags, tags) }

// AcceptsRule reports whether the pattern accepts findings of a rule.
func (p *Pattern) AcceptsRule(code diag.Code) bool {
	return slices.ContainsFunc(p.Accepts, func(a *Accept) bool { return a.Code == code })
}

// HotShare returns the stated share of the peak on the hottest key that is made of some
// attributes, and whether one is stated.
func (p *Pattern) HotShare(of []*Attribute) (exact.Number, bool) {
	if p.Hot != nil {
		return *p.Hot, true
	}
	least, stated := exact.One, false
	for _, a := range of {
		if share, ok := p.HotOf[a.Name]; ok {
			least, stated = least.Min(share), true
		}
	}
	return least, stated
}

// Entities returns all entities the pattern reads or writes, each once.
func (p *Pattern) Entities() []*Entity {
	var all []*Entity
	add := func(e *Entity) {
		for _, have := range all {
			if have == e {
				return
			}
		}
		if e != nil {
			all = append(all, e)
		}
	}
	add(p.Entity)
	for _, e := range p.Collect {
		add(e)
	}
	for _, part := range p.Parts {
		add(part.Entity)
	}
	for _, step := range p.Steps {
		add(step.Entity)
	}
	for _, r := range p.Requires {
		add(r.Entity)
	}
	return all
}

// Actions returns the single writes of the pattern: itself, or the steps of a transaction.
func (p *Pattern) Actions() []*Step {
	if p.Verb == Transact {
		return p.Steps
	}
	if p.Verb.Reads() {
		return nil
	}
	if p.alone != nil {
		return p.alone
	}
	return []*Step{{Verb: p.Verb, Place: p.VerbPlace, Action: p.Action, Each: 1}}
}

// Complete makes Actions return the same steps each time. The pattern does not change what it
// does afterwards.
func (p *Pattern) Complete() {
	if p.Verb != Transact {
		p.alone = p.Actions()
	}
}

// An Ordering is the order of a list.
type Ordering struct {
	Attribute  *Attribute
	Descending bool
	Place      diag.Place
}

// A Fanout is the number of values of an attribute in one call of a pattern.
type Fanout struct {
	Attribute *Attribute
	Values    int64
	Place     diag.Place
}

// A Condition compares an attribute. In where and filter it is one entry; in if, when and the
// text of a filter it is one clause of the expression, or several clauses of which one must hold.
type Condition struct {
	Attribute *Attribute // of an Or an attribute without a name, of an entry of a map its Element, which no entity has
	Entry     *Entry     // the entry of a map that is compared, or nil
	Op        Op
	Values    []Operand // none for exists and missing, two for between, one or more for in
	// Any are the alternatives of an Or, each a list of conditions that must all hold.
	Any   [][]*Condition
	Place diag.Place
}

// NewOr returns the condition that all conditions of one of the alternatives hold.
func NewOr(alternatives [][]*Condition) *Condition {
	return &Condition{Attribute: &Attribute{}, Op: Or, Any: alternatives}
}

// Comparisons returns the comparisons in conditions, with those in the alternatives of each Or.
// What holds of one of them need not hold of an item that meets the conditions.
func Comparisons(conditions []*Condition) []*Condition {
	if !slices.ContainsFunc(conditions, func(c *Condition) bool { return c.Op == Or }) {
		return conditions
	}
	var all []*Condition
	for _, c := range conditions {
		if c.Op != Or {
			all = append(all, c)
			continue
		}
		for _, alternative := range c.Any {
			all = append(all, Comparisons(alternative)...)
		}
	}
	return all
}

// Translate returns the condition with the attributes of another entity that have the same
// names; nil if the entity lacks one of them.
func Translate(c *Condition, e *Entity) *Condition {
	if c.Op == Or {
		return translateAny(c, e)
	}
	own := e.Attribute(c.Attribute.Name)
	if own == nil {
		return nil
	}
	mine := *c
	mine.Attribute, mine.Values = own, slices.Clone(c.Values)
	same := own == c.Attribute
	for i, v := range mine.Values {
		if v.Attribute == nil {
			continue
		}
		if mine.Values[i].Attribute = e.Attribute(v.Attribute.Name); mine.Values[i].Attribute == nil {
			return nil
		}
		same = same && mine.Values[i].Attribute == v.Attribute
	}
	if same {
		return c
	}
	return &mine
}

func translateAny(c *Condition, e *Entity) *Condition {
	mine := *c
	mine.Any = make([][]*Condition, len(c.Any))
	same := true
	for i, alternative := range c.Any {
		for _, inner := range alternative {
			own := Translate(inner, e)
			if own == nil {
				return nil
			}
			same = same && own == inner
			mine.Any[i] = append(mine.Any[i], own)
		}
	}
	if same {
		return c
	}
	return &mine
}

// Op is a comparison operator.
type Op string

// The comparison operators.
const (
	Eq         Op = "="
	Ne         Op = "!="
	Lt         Op = "<"
	Lte        Op = "<="
	Gt         Op = ">"
	Gte        Op = ">="
	Between    Op = "between"
	BeginsWith Op = "begins_with"
	In         Op = "in"
	Exists     Op = "exists"
	Missing    Op = "missing"
	Or         Op = "or" // of several conditions, see Condition.Any
)

// IsRange reports whether the operator selects a range of values.
func (o Op) IsRange() bool {
	return o == Lt || o == Lte || o == Gt || o == Gte || o == Between || o == BeginsWith
}

// An Operand is a parameter, another attribute or a constant. It is a constant, possibly the
// empty text, if neither of the others is set.
type Operand struct {
	Param     string
	Attribute *Attribute
	Constant  string // as written: active, 42, true
}

// IsConstant reports whether the operand is a constant.
func (o Operand) IsConstant() bool { return o.Param == "" && o.Attribute == nil }
