package migrate

import (
	"context"

	"sortkey.dev/access"
)

// duplicate lists an item whose value another item has, too, and has the row of.
func (p *guardPass) duplicate(ctx context.Context, item, other access.Item) error {
	return p.list(ctx, Conflict{
		Part: p.part.Name, Table: p.part.Table, Key: p.key(item), Other: other,
		Reason: "another item has the same " + p.rows.Rule,
	})
}

// recheck looks at the listed conflicts of a part that keeps a value unique: programs may have changed one of two items with the same
// value meanwhile. It returns how many are left, and how many rows are not right. The other items are not looked at again.
func (e *execution) recheck(ctx context.Context, step string, p *part) (Result, error) {
	work := &pass{run: e.run, part: p, step: step}
	e.guards(work)
	listed, err := e.ledger.conflicts(ctx)
	if err != nil || work.each == nil {
		return Result{}, err
	}
	var n counts
	for _, c := range listed {
		if c.Part != p.Name {
			continue
		}
		o, err := e.lookAgain(ctx, work, c)
		if err != nil {
			return Result{}, err
		}
		if n.note(o); o != conflict {
			if err := e.ledger.forgetConflict(ctx, c); err != nil {
				return Result{}, err
			}
		}
	}
	return n.result(), nil
}

// lookAgain does the work of a pass on the item of a conflict.
func (e *execution) lookAgain(ctx context.Context, work *pass, c Conflict) (outcome, error) {
	item, err := e.get(ctx, c.Table, c.Key)
	if item == nil || err != nil {
		return passed, err
	}
	is, err := work.of(item)
	switch {
	case err != nil:
		return conflict, nil
	case !is:
		return passed, nil
	}
	return work.each(ctx, item)
}
