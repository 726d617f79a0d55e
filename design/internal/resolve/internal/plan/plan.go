// Package plan is the vocabulary of plans: how a layout serves a pattern, the reads,
// writes and counts of a plan, and the statements they send.
//
// It decides nothing. Rooms read, write and counter of resolve make plans; everything
// that follows from a design (findings, costs, documents, programs) is read from them.
package plan

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/layout"
)

// A Plan describes how a layout serves one pattern.
type Plan struct {
	Pattern  *model.Pattern
	Read     *Read           // how it is read; nil for writes and if nothing serves it
	Writes   []*PlannedWrite // how it is written, one for each action, in order; empty for reads
	Refused  []Refusal       // reads: the paths not taken, nearest first
	Problems []Problem       // why it is not served, or not as asked for
	Counts   []*Count        // writes: the declared counters that it changes
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
	Path   layout.Path
	Code   diag.Code  // the rule that it breaks; "" for a path that would serve but is ranked lower
	Reason string     // one sentence: created_at is not in the key
	Near   int        // conditions it would serve; the more, the nearer
	Place  diag.Place // the part of the pattern that it is about
	Fix    string     // "" or how to repair it
}

// A Problem is a finding about a pattern, which package check reports.
type Problem struct {
	Code    diag.Code
	Place   diag.Place
	Message string
	Fix     string
	Related []diag.Related
}

// NoHome returns the problem that an entity lives in no table.
func NoHome(e *model.Entity, place diag.Place) Problem {
	return Problem{
		Code: "C301", Place: place, Message: e.Name + " lives in no table",
		Fix:     fmt.Sprintf("list %s under items of a table", e.Name),
		Related: []diag.Related{{Place: e.Place, Message: e.Name + " is declared here"}},
	}
}

// Names lists attributes as people read them.
func Names(list []*model.Attribute) string {
	all := make([]string, len(list))
	for i, a := range list {
		all[i] = a.Name
	}
	return strings.Join(all, ", ")
}

// Operation is an operation of DynamoDB.
type Operation string

// The operations that patterns use.
const (
	GetItem            Operation = "GetItem"
	Query              Operation = "Query"
	PutItem            Operation = "PutItem"
	UpdateItem         Operation = "UpdateItem"
	DeleteItem         Operation = "DeleteItem"
	ConditionCheck     Operation = "ConditionCheck"
	TransactWriteItems Operation = "TransactWriteItems"
)
