package migrate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// A Rehearsal says how much a migration took on a copy of its tables.
type Rehearsal struct {
	Items     int64      `json:"items"` // of the tables
	Steps     []Measured `json:"steps"`
	Traffic   Traffic    `json:"traffic"`
	Conflicts []Conflict `json:"-"`
}

// A Measured says how much a step of a part took.
type Measured struct {
	Step      string        `json:"step"`
	Part      string        `json:"part"`
	Items     int64         `json:"items"`
	Changed   int64         `json:"changed"`
	Differing int64         `json:"differing"`
	Conflicts int64         `json:"conflicts"`
	Reads     float64       `json:"readUnits"`
	Writes    float64       `json:"writeUnits"`
	Took      time.Duration `json:"took"` // here, not on the endpoint that it is rehearsed for
}

// The times of a rehearsal: its store is in this process, so a request is nowhere for long.
const (
	rehearsalLease  = 250 * time.Millisecond
	rehearsalSettle = 10 * time.Millisecond
)

// Copy copies the items of a table, but for the state row, and returns how many there were. The read rate of the options holds.
func Copy(ctx context.Context, from, to access.API, source, target string, state access.Item, o Options) (int64, error) {
	r := newRun(from, nil, &Migration{}, o)
	skip := &part{state: state}
	total := int64(0)
	for after := access.Item(nil); ; {
		out, err := r.scan(ctx, source, 0, 1, after)
		if err != nil {
			return total, err
		}
		items := slices.DeleteFunc(out.Items, skip.isState)
		if err := putAll(ctx, to, target, items); err != nil {
			return total, err
		}
		total += int64(len(items))
		r.count(func(s *Status) { s.Settled, s.Step, s.Part, s.Seen = true, stepCopy, source, total })
		r.report()
		if after = out.LastEvaluatedKey; after == nil {
			return total, nil
		}
	}
}

// stepCopy is shown while tables are copied for a rehearsal.
const stepCopy = "copy"

// putAll writes items in batches.
func putAll(ctx context.Context, to access.API, table string, items []access.Item) error {
	for batch := range slices.Chunk(items, 25) {
		left := map[string][]types.WriteRequest{}
		for _, item := range batch {
			left[table] = append(left[table], types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		for len(left) > 0 {
			out, err := to.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: left})
			if err != nil {
				return fmt.Errorf("write the copy of table %s: %w", table, err)
			}
			left = out.UnprocessedItems
		}
	}
	return nil
}

// Rehearse carries the whole migration out on copies of the tables, as Copy makes them, while writers change, remove
// and make items as programs of both versions do. Nothing holds it, and conflicts do not stop it.
func Rehearse(ctx context.Context, epochs *Epochs, m *Migration, o Options, writers int) (*Rehearsal, error) {
	whole := *m
	whole.Holds = map[string]bool{"deploy": false, "read": false, "after": false}
	whole.Conflicts = 1 << 40
	o.Lease, o.ReadRate, o.WriteRate, o.Most = rehearsalLease, 0, 0, 0
	epochs.Settle = rehearsalSettle
	if _, err := epochs.Create(ctx, m.From, rehearsalLease); err != nil {
		return nil, err
	}
	e, err := newExecution(epochs, &whole, o)
	if err != nil {
		return nil, err
	}
	r := &Rehearsal{}
	began, before := e.now(), Status{}
	shown := o.Progress
	e.options.Progress = func(s Status) {
		if isWork(s.Step) && s.Part != "" {
			began = r.note(s, before, e.now(), began)
			before = s
		}
		if shown != nil {
			shown(s)
		}
	}
	traffic, err := newTraffic(ctx, e, writers)
	if err != nil {
		return nil, err
	}
	err = e.loop(ctx)
	wrong := traffic.end(ctx)
	r.Traffic = traffic.Traffic
	if err != nil {
		return nil, err
	}
	if wrong != nil {
		return nil, wrong
	}
	r.Conflicts, err = e.ledger.conflicts(ctx)
	return r, err
}

// note adds what happened since the status before to the step that is under way, and returns when it began.
func (r *Rehearsal) note(s, before Status, now, began time.Time) time.Time {
	n := len(r.Steps)
	if n == 0 || s.Step != before.Step || s.Part != before.Part {
		r.Steps = append(r.Steps, Measured{Step: s.Step, Part: s.Part})
		n, began = n+1, now
	}
	m := &r.Steps[n-1]
	m.Items, m.Changed, m.Differing, m.Conflicts = s.Seen, s.Changed, s.Differing, s.Conflicts
	m.Reads += s.Reads - before.Reads
	m.Writes += s.Writes - before.Writes
	m.Took = now.Sub(began)
	return began
}
