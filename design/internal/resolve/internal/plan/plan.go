// Package plan is the vocabulary of plans: how a layout serves a pattern, the reads,
// writes and counts of a plan, and the statements they send.
//
// It decides nothing. Rooms read, write and counter of resolve make plans; everything
// that follows from a design (findings, costs, documents, programs) is read from them.
package plan

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/layout"
)

// A Plan describes how a layout serves one pattern.
type Plan struct {
	Pattern  *model.Pattern
	Read     *Read           // how it is read; nil for writes, snapshots and if nothing serves it
	Parts    []*Read         // of a snapshot: how each part is read, in order; empty if one is not served
	Writes   []*PlannedWrite // how it is written, one for each action, in order; empty for reads
	Refused  []Refusal       // reads: the paths not taken, nearest first
	Problems []Problem       // why it is not served, or not as asked for
	Counts   []*Count        // writes: the declared counters that it changes
}

// A Service says how a layout serves a pattern.
type Service string

// The services. Claims, reports, verification and generated code mean the same by them.
const (
	NotServed Service = "not served" // the pattern cannot be run as it is
	ByKey     Service = "by key"     // by a key of a table or an index
	ByScan    Service = "by scan"    // by a scan: the pattern says scan, or accepts C301
)

// Service returns how the pattern is served. It is not served if a rule of the severity error
// is broken, except that a list which accepts C301 is served by a scan.
func (p *Plan) Service() Service {
	scans := p.Read != nil && p.Read.Operation == Scan
	for _, problem := range p.Problems {
		if problem.Code.Rule().Severity == diag.Error && !(scans && problem.Code == "C301") {
			return NotServed
		}
	}
	switch {
	case slices.ContainsFunc(p.Reads(), (*Read).keyless):
		return NotServed // no key can have values of that type
	case scans:
		return ByScan
	case p.Read != nil || len(p.Writes)+len(p.Parts) > 0:
		return ByKey
	}
	return NotServed
}

// Reads returns the reads of a plan: one, those of the parts of a snapshot, or none.
func (p *Plan) Reads() []*Read {
	if p.Read != nil {
		return []*Read{p.Read}
	}
	return p.Parts
}

// Served reports whether the pattern can be run as it is: by a key, or by a scan that is meant.
func (p *Plan) Served() bool { return p.Service() != NotServed }

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
	BatchGetItem       Operation = "BatchGetItem"
	Query              Operation = "Query"
	Scan               Operation = "Scan"
	PutItem            Operation = "PutItem"
	UpdateItem         Operation = "UpdateItem"
	DeleteItem         Operation = "DeleteItem"
	ConditionCheck     Operation = "ConditionCheck"
	TransactGetItems   Operation = "TransactGetItems"
	TransactWriteItems Operation = "TransactWriteItems"
)
