package provision

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A RefusedError says what Apply cannot do. Nothing was changed.
type RefusedError struct{ Reasons []Refusal }

// A Refusal is one thing that cannot be done, and what to do about it.
type Refusal struct {
	Table string // its real name
	Text  string // why the change is refused
	Next  string // what to do
	// Replace says that Options.Replace would allow it.
	Replace bool
	// Shape says that the items are not as the definition says, and that Options.AcceptShape
	// would allow it.
	Shape bool
}

// OfShape reports whether all refusals are about the shape of items.
func (e *RefusedError) OfShape() bool {
	return !slices.ContainsFunc(e.Reasons, func(r Refusal) bool { return !r.Shape })
}

func (e *RefusedError) Error() string {
	var b strings.Builder
	b.WriteString("nothing was changed:")
	for _, r := range e.Reasons {
		fmt.Fprintf(&b, "\ntable %s: %s", r.Table, r.Text)
		if r.Next != "" {
			fmt.Fprintf(&b, "; %s", r.Next)
		}
	}
	return b.String()
}

// A step is one request, and how to see that DynamoDB is done with it.
type step struct {
	Change
	send func(ctx context.Context, api API) error
	// done looks at the table after the request; nil: there is nothing to wait for. What
	// DescribeTable says may be older than the request, so the status alone tells little.
	done func(*types.TableDescription) bool
	// needs names the feature that the endpoint must have for it; "" if every endpoint has it.
	needs feature
	// follows says that the step makes sense only after the one before it.
	follows bool
}

// A plan holds the steps that bring one table to its definition.
type plan struct {
	want    Table // with its real name
	options *Options
	state   // state.table is nil: there is no such table
	refused []Refusal
	going   []string // global indexes that are removed
	steps   []*step
}

// plan looks at all tables and finds out what to do. It changes nothing.
func (a *applier) plan(ctx context.Context, tables []Table) ([]*plan, error) {
	var refused []Refusal
	plans := make([]*plan, 0, len(tables))
	for _, t := range tables {
		t.Name = a.TableNames(t.Name)
		if t.Encryption == "customer" && t.KMSKey == "" {
			t.KMSKey = a.KMSKey
		}
		p := &plan{want: t, options: &a.Options}
		for _, problem := range t.problems() {
			p.refuse("", "%s", problem)
		}
		if slices.ContainsFunc(plans, func(other *plan) bool { return other.want.Name == t.Name }) {
			p.refuse("give each table a name of its own", "it is defined twice")
		}
		plans = append(plans, p)
		refused = append(refused, p.refused...)
	}
	if len(refused) > 0 {
		return nil, &RefusedError{refused}
	}
	for _, p := range plans {
		if err := a.look(ctx, p); err != nil {
			return nil, err
		}
		p.compare()
		if err := a.shape(ctx, p); err != nil {
			return nil, err
		}
		refused = append(refused, p.refused...)
	}
	if len(refused) > 0 {
		return nil, &RefusedError{refused}
	}
	return plans, nil
}

// look reads the table as it is. One that is just being made is waited for: it cannot
// tell all of its settings yet.
func (a *applier) look(ctx context.Context, p *plan) (err error) {
	if p.table, err = describe(ctx, a.api, p.want.Name); err != nil || p.table == nil {
		return err
	}
	if p.table.TableStatus == types.TableStatusCreating && !a.DryRun {
		if p.table, err = a.wait(ctx, p.want.Name, settled); err != nil {
			return err
		}
	}
	if active(p.table) || p.table.TableStatus == types.TableStatusCreating {
		return p.settings(ctx, a.api)
	}
	return nil
}

// active reports whether the items of a table can be read.
func active(d *types.TableDescription) bool {
	return d != nil && (d.TableStatus == types.TableStatusActive || d.TableStatus == types.TableStatusUpdating)
}

func (p *plan) refuse(next, format string, args ...any) {
	p.refused = append(p.refused, Refusal{Table: p.want.Name, Text: fmt.Sprintf(format, args...), Next: next})
}

// compare fills in the steps, in an order in which each is possible: an index goes
// before another takes its place, and new ones come with the new way of billing.
func (p *plan) compare() {
	if p.table == nil {
		p.create()
		return
	}
	switch p.table.TableStatus {
	case types.TableStatusActive, types.TableStatusUpdating, types.TableStatusCreating:
	case types.TableStatusDeleting:
		p.refuse("apply again when it is gone", "it is being deleted")
		return
	default:
		p.refuse("", "it cannot be changed while it is %s", p.table.TableStatus)
		return
	}
	if !p.sameKey() {
		return // indexes and settings do not matter then
	}
	p.localIndexes()
	p.staleIndexes()
	p.surplusIndexes()
	p.capacity()
	p.missingIndexes()
	p.stream()
	p.class()
	p.protection()
	p.encryption()
	p.expiry()
	p.recovery()
	p.tags()
}

// create returns the plan for a table that is not there.
func (p *plan) create() {
	if p.want.Encryption == "customer" && p.want.KMSKey == "" {
		p.refuseKey()
		return
	}
	in := p.want.CreateInput()
	p.add(&step{
		Change: p.change(CreateTable, "create table %s", p.want.Name),
		send: func(ctx context.Context, api API) error {
			out, err := api.CreateTable(ctx, in)
			if err == nil && (out == nil || out.TableDescription == nil) {
				return fmt.Errorf("%w: the answer does not describe the table", ErrUnlikeDynamoDB)
			}
			return err
		},
		done: func(*types.TableDescription) bool { return true },
	})
	if p.want.TTL != "" {
		p.add(p.setTTL(p.want.TTL, true))
	}
	if p.want.PITR {
		p.add(p.setPITR(true))
	}
}

// sameKey refuses a table with another primary key: it could only be made anew.
func (p *plan) sameKey() bool {
	partition, sort := p.key(p.table.KeySchema)
	have, want := append(partition, sort...), p.want.primary()
	if slices.Equal(have, want) {
		return true
	}
	p.refuse("give the new table another name and move the items, or delete the table first",
		"its key is %s, and should be %s; the key of a table cannot be changed", keyText(have), keyText(want))
	return false
}

// keyText writes a key as a sentence does: PK (S), SK (S).
func keyText(keys []Key) string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = fmt.Sprintf("%s (%s)", k.Name, k.Kind)
	}
	return strings.Join(texts, ", ")
}

func (p *plan) change(action Action, format string, args ...any) Change {
	return Change{Table: p.want.Name, Action: action, Text: fmt.Sprintf(format, args...)}
}

func (p *plan) add(s *step) {
	if s.needs != "" && slices.Contains(p.lacks, s.needs) {
		s.needs.missing(&s.Change)
	}
	p.steps = append(p.steps, s)
}

// update returns a step of one UpdateTable.
func (p *plan) update(c Change, in *dynamodb.UpdateTableInput, done func(*types.TableDescription) bool) *step {
	in.TableName = &p.want.Name
	return &step{Change: c, done: done, send: func(ctx context.Context, api API) error {
		_, err := api.UpdateTable(ctx, in)
		return err
	}}
}

// takeAway adds a step that removes what the definition does not have, if that is allowed.
func (p *plan) takeAway(s *step) {
	if !p.options.Prune {
		s.Skipped, s.Surplus = "it is not in the definition, and pruning was not asked for", true
	}
	p.steps = append(p.steps, s)
}
