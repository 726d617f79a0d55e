package plan

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
)

// A Statement is one request with every expression written out and every value still to
// be filled in. Explain shows it, generated code sends it.
type Statement struct {
	Operation    Operation
	Table        *model.Table
	Index        *model.Index        // of a read, or nil
	Key          []keytext.Condition // the primary key, of all but Query and PutItem
	Item         []Field             // of PutItem
	KeyCondition string              // of Query
	Filter       []Clause            // of Query
	Projection   []string            // names of attributes in DynamoDB; empty: all
	Update       []Clause            // of UpdateItem
	Condition    []Clause            // of writes; all must hold
	Names        []Name              // of all expressions, in the order of first use
	Values       []Value
	// Only are the conditions under which there is such a write at all: the guard row of a
	// value that may be absent.
	Only []*model.Condition
	// Decided maps the attributes that the conditions in Only of the statement, its fields
	// and its clauses compare to the values that decide: those of a guard row are the values
	// that the row is made of, all others those after the write.
	Decided map[*model.Attribute]model.Operand
	// All fetches what a local index does not hold from the table.
	All        bool
	Descending bool
	Consistent bool
	Limit      int64
}

// A Field is one attribute of an item that is put.
type Field struct {
	Name  string
	Value Value              // without placeholder
	Only  []*model.Condition // it is there only if all hold
	Owner *model.Key         // of a guard row: the key of the item it belongs to that this is a copy of; nil: none
}

// A Name is a placeholder and the attribute it stands for, or the key of an entry of a map that
// the caller gives.
type Name struct {
	Placeholder, Attribute string
	Param                  string           // the parameter that gives the key; "": it stands for Attribute
	Of                     *model.Attribute // what the parameter is a value of
}

// A Value is a value of a request: the text of a key, or a value of an attribute.
type Value struct {
	Placeholder string
	Kind        string       // S, N, B, BOOL, L, M, SS, NS, BS
	Text        keytext.Text // of a key
	Operand     *model.Operand
	Attribute   *model.Attribute // what the operand is a value of
	List        bool             // one placeholder for each value the parameter lists
	Next        bool             // one more than the version seen
	Empty       bool             // an empty list
	Room        int64            // not 0: the number of elements that this maximum leaves beside those of the operand
	Up          bool             // an instant finer than what is stored is rounded up, see keytext.RoundsUp
	// Sum are the parts the operand is made of, if they depend on the values of the caller.
	// With a Limit, the operand is the limit less their sum.
	Sum   []Term
	Limit *exact.Number
}

// A Clause is one part of an expression, with the names and values it uses.
type Clause struct {
	Word   string // SET, ADD, DELETE or REMOVE of an update
	Text   string
	Names  []Name
	Values []Value
	Only   []*model.Condition // it is there only if all hold: of the values that a condition or filter compares, else of the item afterwards
	Own    bool               // Only is about the value that the clause carries
	Or     string             // of a condition: what holds instead, which is in Text; a list of the caller is written anew
	Unless bool               // it is there unless they all hold
	Else   *Clause            // the clause that is there instead
}
