package design

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sortkey.dev/access"
	accessmigrate "sortkey.dev/access/migrate"
	"sortkey.dev/design/internal/dryrun"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/migrate"
	"sortkey.dev/internal/lazyregexp"
)

// PlanDatabase is the part of *dynamodb.Client that plans need of a database in memory.
type PlanDatabase = dryrun.Memory

// A PlanEndpoint is where a plan is to be carried out. Tables are read there: 1,000 items of each, which get their new parts in memory.
// Nothing is written.
type PlanEndpoint struct {
	API       dryrun.Source
	TableName func(string) string // of a table of the design; nil: the same
	Memory    PlanDatabase        // empty
}

// PlanFor is Plan with the numbers and sizes of real items instead of those of the design.
func (d *Design) PlanFor(ctx context.Context, o PlanOptions, on *PlanEndpoint) (*Plan, error) {
	var state access.StateRow
	if h, err := d.History(); err == nil {
		if row, err := h.State(); err == nil {
			state = row.State
		}
	}
	return d.planned(o, func(p *migrate.Plan, again func(migrate.Options) (*migrate.Plan, error)) (*migrate.Plan, *dryrun.Measure, error) {
		name := on.TableName
		if name == nil {
			name = func(name string) string { return name }
		}
		m, err := dryrun.Run(ctx, on.API, name, state, on.Memory, p)
		if err != nil {
			return nil, nil, err
		}
		measured, err := again(migrate.Options{Counts: m.Items, Measured: m.Steps})
		return measured, m, err
	}, func(refused *migrate.RefusedError) error { return on.count(ctx, refused) })
}

// count adds how many items a table has to what is said of tables that would be removed.
func (on *PlanEndpoint) count(ctx context.Context, refused *migrate.RefusedError) error {
	for _, c := range refused.Changes {
		if c.Code != "E045" || c.Table == nil {
			continue
		}
		name := c.Table.Old.Name
		if on.TableName != nil {
			name = on.TableName(name)
		}
		n, err := dryrun.Count(ctx, on.API, name)
		if err != nil {
			return err
		}
		c.Message += fmt.Sprintf("; %s has %s items now", name, figures.Quantity(exact.Int(n)))
	}
	return refused
}

// Refused returns the items that were read and cannot get their new part.
func (p *Plan) Refused() []accessmigrate.Conflict {
	if p.measure == nil {
		return nil
	}
	return p.measure.Refused
}

// measured writes what the plan knows of real items.
func (p *Plan) measured(w io.Writer) {
	if p.measure == nil {
		return
	}
	for _, t := range p.measure.Tables {
		fmt.Fprintf(w, "measured: %s of %s items of %s\n", figures.Quantity(exact.Int(t.Read)), figures.Quantity(exact.Int(t.Of)), t.Name)
	}
	for _, part := range p.measure.NotRun {
		fmt.Fprintf(w, "not measured: %s needs a conversion that is written in Go\n", part)
	}
}

// A StepExplanation is the requests of a step of a plan. Write it with Text or JSON.
type StepExplanation struct {
	Migration string             `json:"migration"`
	Number    int                `json:"number"`
	Step      string             `json:"step"`
	Part      string             `json:"part,omitempty"`
	Do        string             `json:"do"`
	Back      string             `json:"back,omitempty"`
	Requests  []ExplainedRequest `json:"requests"`
}

// An ExplainedRequest is one request as it is sent.
type ExplainedRequest struct {
	Operation string `json:"operation"`
	Input     any    `json:"input"`
}

// StepExplanations are the steps of one name.
type StepExplanations []*StepExplanation

// ExplainSteps returns the requests of steps of the last migration of the design's history, on sample items: of all steps with a name,
// or of the one with a number. Each step is carried out in a database in memory that memory makes.
func (d *Design) ExplainSteps(ctx context.Context, step string, memory func() (PlanDatabase, error)) (StepExplanations, error) {
	h, err := d.History()
	if err != nil {
		return nil, err
	}
	number, _ := h.Last()
	plan, err := h.plan(number)
	if err != nil {
		return nil, err
	}
	state, err := h.State()
	if err != nil {
		return nil, err
	}
	var all StepExplanations
	for i, s := range plan.Steps {
		if s.Step != step && strconv.Itoa(i+1) != step {
			continue
		}
		db, err := memory()
		if err != nil {
			return nil, err
		}
		requests, err := dryrun.Explain(ctx, db, plan, state, s)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %w", i+1, s.Step, err)
		}
		x := &StepExplanation{Migration: plan.ID, Number: i + 1, Step: s.Step, Part: s.Part, Do: s.Do, Back: s.Back, Requests: []ExplainedRequest{}}
		for _, r := range requests {
			x.Requests = append(x.Requests, ExplainedRequest{r.Operation, r.Input})
		}
		all = append(all, x)
	}
	if len(all) == 0 {
		var names []string
		for i, s := range plan.Steps {
			names = append(names, fmt.Sprintf("%d %s", i+1, s.Step))
		}
		return nil, &OptionError{fmt.Errorf("%s has no step %s; its steps are %s", plan.ID, step, strings.Join(names, ", "))}
	}
	return all, nil
}

// oneValue finds values of attributes, which take one line.
var oneValue = lazyregexp.New(`\{\s+("(?:S|N|B|BOOL)": [^\n{}\[]*)\n\s+\}`)

// Text writes the steps with their requests.
func (all StepExplanations) Text(w io.Writer, _ Style) error {
	for i, x := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		name := x.Step
		if x.Part != "" {
			name += " " + x.Part
		}
		fmt.Fprintf(w, "step %d of %s, %s: %s\nback: %s\n", x.Number, x.Migration, name, x.Do, x.Back)
		if len(x.Requests) == 0 {
			fmt.Fprintln(w, "The run sends no request of its own for this step.")
		}
		for _, r := range x.Requests {
			text, err := json.MarshalIndent(r.Input, "  ", "  ")
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "\n%s\n  %s\n", r.Operation, oneValue.ReplaceAllString(string(text), "{ $1 }")); err != nil {
				return err
			}
		}
	}
	return nil
}

// JSON writes the steps as one JSON array.
func (all StepExplanations) JSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(all)
}
