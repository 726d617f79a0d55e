// Package model searches all interleavings of the migration protocol, up to a bound: processes with leases, requests in flight,
// runners that die, fillers, rollback and a second try. It shows that the rules keep the promise of a migration, and that none of
// them can be left out: without it, the search finds a trace that breaks the promise.
//
// There is a model for who may send (leases.go), and one for each kind of change (item.go, copy.go, guard.go, counter.go), which rely
// on what the first one shows: when an epoch is settled, no request of an earlier one is carried out. Nothing here touches
// DynamoDB. Only tests call it.
package model

import "strings"

// A Rule names a rule of the protocol, so that a search can leave it out. None leaves out nothing.
type Rule string

// None is the protocol as it is.
const None Rule = ""

// A Result is the outcome of a search.
type Result struct {
	States int
	Fault  string   // "" or what went wrong
	Trace  []string // the steps that led there, the fewest possible
	Cut    bool     // the bound of states was reached before all were seen
}

// String returns the fault and its trace.
func (r Result) String() string { return r.Fault + " after\n\t" + strings.Join(r.Trace, "\n\t") }

// An emit takes a step that is possible in a state.
type emit[S any] func(step string, to S, fault string)

type visited[S any] struct {
	state  S
	parent int32
	step   string
}

// search visits the states that steps lead to from start, those that need fewer steps first. It ends at the first fault, or
// after most states.
func search[S comparable](start S, steps func(S, emit[S]), most int) Result {
	seen := map[S]struct{}{start: {}}
	queue := []visited[S]{{start, -1, ""}}
	var result Result
	for at := 0; at < len(queue) && result.Fault == ""; at++ {
		if len(queue) > most {
			result.Cut = true
			break
		}
		steps(queue[at].state, func(step string, to S, fault string) {
			if result.Fault != "" {
				return
			}
			if fault != "" {
				result.Fault, result.Trace = fault, append(trace(queue, at), step)
				return
			}
			if _, known := seen[to]; !known {
				seen[to] = struct{}{}
				queue = append(queue, visited[S]{to, int32(at), step})
			}
		})
	}
	result.States = len(queue)
	return result
}

func trace[S any](queue []visited[S], at int) []string {
	if queue[at].parent < 0 {
		return nil
	}
	return append(trace(queue, int(queue[at].parent)), queue[at].step)
}
