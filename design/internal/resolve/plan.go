// Package resolve proves that a layout serves a pattern: for every read it finds the
// key that answers it, with the exact key condition, or says of every path why it is
// out; for every write it finds the primary key and what happens in each index.
//
// It reads models and reports nothing: what it finds out is in the plans, and package
// check turns that into findings, cost into units, docgen into documents.
package resolve

import (
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A Path is one way to reach items: a table's own key, or one of its indexes.
type Path struct {
	Table *model.Table
	Index *model.Index // nil: the table's own key
}

// String is the path as reports write it: homeops, homeops.GSI1.
func (p Path) String() string {
	if p.Index == nil {
		return p.Table.Name
	}
	return p.Table.Name + "." + p.Index.Name
}

// IsTable reports whether the path is the table's own key.
func (p Path) IsTable() bool { return p.Index == nil }

// IsGlobal reports whether the path is a global secondary index.
func (p Path) IsGlobal() bool { return p.Index != nil && !p.Index.Local }

// An Entry is an entity as one path sees it: the values of the path's key attributes.
// An entity with no value for one of them has no entry there.
type Entry struct {
	Path   Path
	Item   *model.Item
	PK, SK []*model.Key

	partition, sort []*keyTexts // what the keys can be
}

// When are the conditions under which the entry exists; empty: always.
func (e *Entry) When() []*model.Condition {
	var all []*model.Condition
	for _, key := range append(append([]*model.Key(nil), e.PK...), e.SK...) {
		for _, c := range key.When {
			if !hasCondition(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// A Plan is how a layout serves one pattern.
type Plan struct {
	Pattern  *model.Pattern
	Read     *Read     // how it is read; nil for writes and if nothing serves it
	Writes   []*Write  // how it is written, one for each action, in order; empty for reads
	Refused  []Refusal // reads: the paths not taken, nearest first
	Problems []Problem // why it is not served, or not as asked for
	Counts   []*Count  // writes: the declared counters that it changes
}

// Served reports whether the pattern can be run as it is.
func (p *Plan) Served() bool {
	for _, problem := range p.Problems {
		if problem.Code.Rule().Severity == diag.Error {
			return false
		}
	}
	return p.Read != nil || len(p.Writes) > 0
}

// A Refusal is a path that does not serve a read, and why.
type Refusal struct {
	Path   Path
	Code   diag.Code // the rule that speaks of it; "" for a path that would serve but is ranked lower
	Reason string    // one sentence: created_at is not in the key
	Near   int       // conditions it would serve; the more, the nearer

	place diag.Place // what of the pattern it is about
	fix   string     // "" or what to do about it
}

// A Problem is something check will report about a pattern.
type Problem struct {
	Code    diag.Code
	Place   diag.Place
	Message string
	Fix     string
	Related []diag.Related
}

// A Read is the request that answers a read pattern.
type Read struct {
	Pattern    *model.Pattern
	Entry      *Entry // of the entity, or of the first one of a collect
	Operation  Operation
	Entities   []*model.Entity // what comes back: one, or those of a collect
	Partition  []KeyCondition  // one for each partition key attribute, all equalities
	Sort       []KeyCondition  // in key order; all but the last are equalities
	Descending bool
	Ordered    *model.Part        // the part of the sort key that gives the asked-for order, or nil
	Checks     []*model.Condition // equalities the key does not need; compared after the read
	Filter     []*model.Condition // read first, then dropped
	Queries    int64              // requests one call needs: shards, values of in, fanout; 1 if none
	Unique     bool               // at most one item can match one of these requests
	Eventual   bool               // the read is eventually consistent
	Mixed      []*model.Entity    // other entities the same request would return
	// Missing are the attributes needed (selected, filtered, checked; all if nothing is
	// selected) that the index does not hold. Through a local index DynamoDB fetches them
	// from the table, one more read for each item; through a global one they are lost.
	Missing []*model.Attribute
}

// Operation is an operation of DynamoDB.
type Operation string

// The operations patterns use.
const (
	GetItem            Operation = "GetItem"
	Query              Operation = "Query"
	PutItem            Operation = "PutItem"
	UpdateItem         Operation = "UpdateItem"
	DeleteItem         Operation = "DeleteItem"
	ConditionCheck     Operation = "ConditionCheck"
	TransactWriteItems Operation = "TransactWriteItems"
)

// A KeyCondition is a condition on one key attribute.
type KeyCondition struct {
	Name string // of the key attribute
	Kind string // S, N or B
	Op   model.Op
	Low  Text // the value; for between the lower bound
	High Text // for between the upper bound

	natural bool // the key attribute is an attribute of the entity, not a template
}

// A Text is the value of a key in a request: literals and values given by the caller.
type Text []TextPart

// A TextPart is a literal, or a value with the filters that shape it: it is a literal
// if Value is nil. Constants are literals with their filters applied.
type TextPart struct {
	Literal   string
	Value     *model.Operand
	Attribute *model.Attribute
	Filters   []model.Filter
	Before    bool // the text just before this one, as Before makes it: how an exclusive bound is written
	Up        bool // an instant finer than what is stored means the next one that is: see RoundsUp
	// Each says that there is one request for each value: each of Values, each of the
	// values the parameter lists, or with a shard filter each number below its N.
	Each   bool
	Values []model.Operand // of Each, if the design lists them
	// Shards is not 0 if the part is the number of a shard: with Each every number below
	// it, else any from FirstShard on, chosen when the request is made.
	Shards, FirstShard int64
}

// An Agreement is an attribute of an item that counts, and the one of what is counted that
// finds it.
type Agreement struct {
	Mine, Theirs *model.Attribute
	Of           *Write        // the action that writes what is counted
	Value        model.Operand // what that action gives it as
	Own          model.Operand // what finds the item that counts
}

// A Term is a part of what is added to a counter.
type Term struct {
	By    exact.Number // if there is no parameter
	Param string
	Minus bool               // it is taken away
	Only  []*model.Condition // it counts only if they hold of the item of that action
	// Attribute is the one of the item of that action that the parameter is a value of; nil: the counter itself.
	Attribute *model.Attribute
	// Values are what the conditions compare, as the action tells it; nil: the item is given whole and has them.
	Values   map[*model.Attribute]model.Operand
	Of       *Write // the action it counts, whose parameters are meant; nil: those of the pattern
	Repeated bool   // for each of the items of that action
}

// A Write is one action of a write pattern. A plan of several is one transaction.
type Write struct {
	Pattern   *model.Pattern
	Step      *model.Step
	Operation Operation          // PutItem, UpdateItem, DeleteItem or ConditionCheck
	Item      *model.Item        // for a guard row or a shard an item of its own that no table lists
	Guard     *model.Guard       // the guard whose row it is, or nil
	Key       []KeyCondition     // the primary key; for create and put made from the item itself
	Checks    []*model.Condition // surplus equalities and if, as a condition on the write
	Indexes   []*IndexWrite      // what happens in each index the entity has an entry in
	// Requirement is what the pattern requires that this write holds, or nil.
	Requirement *model.Requirement
	// Origin is the action that this one comes along with, or nil: parameters mean those of
	// that action.
	Origin *Write
	// Agree are values that must be the same as those of other actions: this one also keeps a
	// counter of what they write.
	Agree []Agreement
	// Implied is "" or the rules that add it: "guard User.email", "counter Project.question_count".
	Implied string
	// Shards is over how many rows the counter is spread of which this write takes one; 0
	// for all others. The row has the key of the item that has the counter, with the name
	// of the counter and the number of the row, from 0, behind it: POST#likes#3.
	Shards int64

	kind        string                            // what the table's type attribute says; "": the name of the entity
	optional    []*model.Attribute                // of a guarded value: a guard's row is there only if they are
	counted     bool                              // a counter or a guard changes with it, so a delete must find the item
	unseen      bool                              // it only adds, so its caller need not know the version
	held        []*model.Condition                // those of Checks that compare a guarded value
	sums        map[*model.Attribute][]Term       // what is added to a counter
	limits      map[*model.Condition]exact.Number // of those of Checks that keep a counter within its bounds
	fromNothing []*model.Condition                // those of Checks that a number not there yet fulfils too
}

// An IndexWrite is what one write does to one index.
type IndexWrite struct {
	Entry  *Entry
	Change IndexChange
	Stale  []*model.Attribute // attributes the new key needs and the write does not know
}

// IndexChange is what a write does to an index entry.
type IndexChange string

// The changes, with what they cost: 0, 1 or 2 index writes.
const (
	Untouched IndexChange = "untouched" // no projected attribute changes
	Written   IndexChange = "written"   // the entry appears, changes in place, or goes
	Moved     IndexChange = "moved"     // its key changes: one delete and one put
)

func hasCondition(list []*model.Condition, c *model.Condition) bool {
	for _, have := range list {
		if have == c {
			return true
		}
	}
	return false
}
