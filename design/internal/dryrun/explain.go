package dryrun

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	accessmigrate "sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/migrate"
	"sortkey.dev/design/internal/tabledef"
	"sortkey.dev/design/internal/verify/across"
)

// phaseSteps lists the steps that change the phase.
var phaseSteps = map[string]access.Phase{
	"prepare": access.PhasePrepare, "write": access.PhaseWrite, "read": access.PhaseRead, "after": access.PhaseAfter,
}

// Explain returns the requests that a step of a plan sends: those that change a phase, tables, or one sample item of each part. Steps that
// people do send none.
func Explain(ctx context.Context, memory Memory, plan *migrate.Plan, state access.Design, step *migrate.Step) ([]Request, error) {
	x := &explaining{plan: plan, step: step, to: &recorder{Memory: memory}}
	phase, changes := phaseSteps[step.Step]
	switch {
	case step.Step == "expand" || step.Step == "contract":
		return x.tables(ctx)
	case changes:
		return x.phase(ctx, state, phase)
	case step.Part != "":
		return x.items(ctx)
	}
	return nil, nil
}

type explaining struct {
	plan *migrate.Plan
	step *migrate.Step
	to   *recorder
}

// tables makes the tables of the version before, and then what the step makes or removes.
func (x *explaining) tables(ctx context.Context) ([]Request, error) {
	both, last := tabledef.Temporary(x.plan.Matching.Together()), tabledef.Temporary(x.plan.Matching.Old)
	if x.step.Step == "contract" {
		last, both = both, tabledef.Temporary(x.plan.Matching.New)
	}
	for _, all := range [][]provision.Table{last, both} {
		for i := range all {
			all[i].Shape, all[i].Protect = nil, false
		}
	}
	if _, err := provision.Apply(ctx, x.to.Memory, last, provision.Options{}); err != nil {
		return nil, err
	}
	x.to.on = true
	if _, err := provision.Apply(ctx, x.to, both, provision.Options{RemoveIndex: func(string, string) bool { return true }}); err != nil {
		return nil, err
	}
	var own []Request
	for _, r := range x.to.requests {
		if r.changes(x.step.Table, x.step.Index) {
			own = append(own, r)
		}
	}
	return own, nil
}

// items gives a sample item the part, or verifies or cleans it.
func (x *explaining) items(ctx context.Context) ([]Request, error) {
	if err := tables(ctx, x.to.Memory, x.plan); err != nil {
		return nil, err
	}
	var part *accessmigrate.Part
	for i := range x.plan.Parts {
		if x.plan.Parts[i].Name == x.step.Part {
			part = &x.plan.Parts[i]
		}
	}
	if part == nil || needsGo(part) {
		return nil, errors.New("the requests of " + x.step.Part + " depend on a conversion that is written in Go")
	}
	samples := across.Samples(x.plan.Matching.Old)
	for _, t := range x.plan.Matching.Old.Tables {
		for _, item := range t.Items {
			if t.Name == part.Table && item.Entity.LocalName() == part.Entity && samples[item.Entity.Name] != nil {
				if _, err := x.to.Memory.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(t.Name), Item: samples[item.Entity.Name]}); err != nil {
					return nil, err
				}
			}
		}
	}
	if x.step.Step == "verify" {
		if _, err := try(ctx, x.to.Memory, x.plan, "fill", x.step.Part); err != nil {
			return nil, err
		}
	}
	x.to.on = true
	_, err := try(ctx, x.to, x.plan, x.step.Step, x.step.Part)
	return x.to.requests, err
}

// phase goes through the phases before, and then records the change.
func (x *explaining) phase(ctx context.Context, design access.Design, to access.Phase) ([]Request, error) {
	if err := tables(ctx, x.to.Memory, x.plan); err != nil {
		return nil, err
	}
	if table := design.State.Table; !x.hasTable(table) {
		own := controlTable
		own.Name = table
		if _, err := provision.Apply(ctx, x.to.Memory, []provision.Table{own}, provision.Options{}); err != nil {
			return nil, err
		}
	}
	now := time.Now()
	epochs := &accessmigrate.Epochs{API: x.to, Design: design, Control: control, Settle: time.Second, Clock: accessmigrate.Clock{
		Now:   func() time.Time { return now },
		Sleep: func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil },
	}}
	s, err := epochs.Create(ctx, x.plan.From.Number, access.LeaseMigrating)
	for phase := access.PhaseBefore; phase <= to && err == nil; phase++ {
		next := s
		next.Migration, next.Least, next.Phase = x.plan.ID, x.plan.To.Number, phase
		x.to.on = phase == to
		s, err = epochs.Advance(ctx, s, next)
	}
	return x.to.requests, err
}

func (x *explaining) hasTable(name string) bool {
	for _, t := range x.plan.Matching.Together().Tables {
		if t.Name == name {
			return true
		}
	}
	return false
}
