package provision

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// applier is one run of Apply.
type applier struct {
	Options
	api  API
	made []Change
}

// act does what the plans say. All missing tables are asked for first: DynamoDB makes
// them side by side.
func (a *applier) act(ctx context.Context, plans []*plan) error {
	for _, p := range plans {
		if p.table != nil {
			continue
		}
		err := a.request(ctx, p, p.steps[0])
		if errors.Is(err, errTaken) {
			err = a.adopt(ctx, p)
		}
		if err != nil {
			return err
		}
	}
	for _, p := range plans {
		if err := a.finish(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// errTaken says that a table exists that did not a moment ago.
var errTaken = errors.New("somebody else created it meanwhile")

// errDone says that another program has done a step already.
var errDone = errors.New("somebody else did it meanwhile")

// adopt plans anew for a table that another program, such as a second Apply, created after
// it was looked for.
func (a *applier) adopt(ctx context.Context, p *plan) error {
	made := func(d *types.TableDescription) bool { return d.TableStatus != types.TableStatusCreating }
	if _, err := a.wait(ctx, p.want.Name, made); err != nil {
		return err
	}
	p.steps = nil
	if err := a.look(ctx, p); err != nil {
		return err
	}
	if p.table == nil {
		return fmt.Errorf("table %s came and went meanwhile: apply again", p.want.Name)
	}
	p.compare()
	if err := a.shape(ctx, p); err != nil {
		return err
	}
	if len(p.refused) > 0 {
		r := p.refused[0]
		return fmt.Errorf("somebody else created table %s meanwhile: %s; %s", r.Table, r.Text, r.Next)
	}
	return nil
}

// doneMeanwhile reports whether a step that was refused has become unnecessary: two that
// apply the same definitions at the same time ask for the same things.
func (a *applier) doneMeanwhile(ctx context.Context, p *plan, s *step) bool {
	now := &plan{want: p.want, options: p.options}
	if s.Action == CreateTable || a.look(ctx, now) != nil || now.table == nil {
		return false
	}
	now.compare()
	same := func(other *step) bool { return other.Action == s.Action && other.Text == s.Text }
	return len(now.refused) == 0 && !slices.ContainsFunc(now.steps, same)
}

// finish brings one table to its end: usable, and with all its steps done.
func (a *applier) finish(ctx context.Context, p *plan) error {
	steps := p.steps
	if p.table == nil {
		steps = steps[1:] // the table was asked for already
	}
	if p.table == nil || !settled(p.table) {
		if _, err := a.wait(ctx, p.want.Name, settled); err != nil {
			return err
		}
	}
	for i, s := range steps {
		if s.follows && steps[i-1].Skipped != "" {
			s.Skipped, s.Later = steps[i-1].Skipped, steps[i-1].Later
		}
		if err := a.do(ctx, p, s); err != nil {
			return err
		}
	}
	return nil
}

// do sends the request of a step and waits until DynamoDB is done with it.
func (a *applier) do(ctx context.Context, p *plan, s *step) error {
	if err := a.request(ctx, p, s); err != nil || s.Skipped != "" || s.done == nil {
		return err
	}
	_, err := a.wait(ctx, p.want.Name, func(d *types.TableDescription) bool { return settled(d) && s.done(d) })
	if err != nil {
		return fmt.Errorf("%s: %w", s.Text, err)
	}
	return nil
}

// request sends the request of a step, and remembers the change.
func (a *applier) request(ctx context.Context, p *plan, s *step) error {
	if s.Skipped == "" {
		a.Progress(s.Change)
		err := a.send(ctx, p, s)
		refused := hasCode(err, "ValidationException") || hasCode(err, "ResourceNotFoundException")
		switch {
		case errors.Is(err, errDone), refused && a.doneMeanwhile(ctx, p, s):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", s.Text, err)
		}
	}
	a.made = append(a.made, s.Change)
	return nil
}

// send sends the request, again and again while DynamoDB is busy with the table. What
// the endpoint does not have, or not now, is noted on the step. Before an index is removed it
// is looked at again: another program may have built it anew since the plan was made.
func (a *applier) send(ctx context.Context, p *plan, s *step) error {
	pause := a.pauses()
	for {
		if s.Action == RemoveIndex && a.doneMeanwhile(ctx, p, s) {
			return errDone
		}
		err := s.send(ctx, a.api)
		switch {
		case err == nil:
			return nil
		case s.needs != "" && hasCode(err, "UnknownOperationException"):
			s.needs.missing(&s.Change)
			return nil
		case tooSoon(err):
			s.Skipped = "DynamoDB allows one change of time to live in about an hour: apply again later"
			s.Later = true
			return nil
		case s.Action == CreateTable && hasCode(err, "ResourceInUseException"):
			return errTaken
		case !busy(err):
			return err
		}
		if ok, stopped := pause(ctx); stopped != nil {
			return stopped
		} else if !ok {
			return fmt.Errorf("DynamoDB was still busy after %s: %w", a.Patience, err)
		}
	}
}

// tooSoon reports whether time to live was changed a moment ago.
func tooSoon(err error) bool {
	return hasCode(err, "ValidationException") && strings.Contains(err.Error(), "modified multiple times within a fixed interval")
}

// busy reports whether the same request may be taken a little later: the table is
// changing, too many are, or a new table is not ready for backups.
func busy(err error) bool {
	return hasCode(err, "ResourceInUseException") || hasCode(err, "ContinuousBackupsUnavailableException") ||
		hasCode(err, "LimitExceededException") && strings.Contains(err.Error(), "simultaneous")
}

// wait looks at a table until it is as it should be. A table that was just asked for
// may not be visible yet.
func (a *applier) wait(ctx context.Context, table string, until func(*types.TableDescription) bool) (*types.TableDescription, error) {
	pause := a.pauses()
	for {
		d, err := describe(ctx, a.api, table)
		if err != nil {
			return nil, err
		}
		if d != nil && until(d) {
			return d, nil
		}
		if ok, stopped := pause(ctx); stopped != nil {
			return nil, fmt.Errorf("wait for table %s: %w", table, stopped)
		} else if !ok {
			return nil, fmt.Errorf("table %s was not ready after %s; DynamoDB goes on by itself: apply again to wait for it", table, a.Patience)
		}
	}
}

// pauses makes a function that pauses, longer from time to time up to Poll, and says
// false once Patience is used up.
func (a *applier) pauses() func(context.Context) (bool, error) {
	next, slept := a.Poll/32, time.Duration(0)
	return func(ctx context.Context) (bool, error) {
		if slept >= a.Patience {
			return false, nil
		}
		next = max(min(next, a.Poll), 1)
		if err := a.Sleep(ctx, next); err != nil {
			return false, err
		}
		slept += next
		next *= 2
		return true, nil
	}
}
