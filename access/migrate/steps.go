package migrate

import (
	"context"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
)

// A Result sums up a step.
type Result struct {
	Seen        int64 `json:"seen"`
	Changed     int64 `json:"changed"`
	Differing   int64 `json:"differing"`
	Conflicting int64 `json:"conflicts"`
}

// step goes through all items of a part. The same step in the same epoch goes on where it stopped.
func (r *run) step(ctx context.Context, name string, p *part, at place, total int) (Result, error) {
	work := &pass{run: r, part: p, step: name, tables: []string{p.Table}, of: p.of}
	switch {
	case p.Unique != nil:
		r.guards(work)
	case p.To != "":
		r.elsewhere(work, at)
	case p.Count != nil:
		r.counters(work)
	default:
		work.each = r.inItem(name, p)
	}
	if len(work.tables) == 0 {
		return Result{}, nil
	}
	work.books = r.books(name, p, at, total*len(work.tables))
	n, err := work.do(ctx)
	if name == stepClean && p.In.New == nil && code.Of(err) == "ResourceNotFoundException" {
		return Result{}, nil // the originals were deleted with their table
	}
	return n.result(), err
}

// inItem returns what a step does with an item that holds its part.
func (r *run) inItem(step string, p *part) func(context.Context, access.Item) (outcome, error) {
	is := itemPass{r, p}
	switch step {
	case stepFill:
		return is.fill
	case stepVerify:
		return is.check
	case stepRepair, stepRestore:
		return is.repair
	}
	names := p.Remove
	if step == stepRemove {
		names = p.Added()
	}
	return func(ctx context.Context, item access.Item) (outcome, error) { return is.remove(ctx, item, names) }
}

// elsewhere sets what a step does with the items of a part that is a copy.
func (r *run) elsewhere(work *pass, at place) {
	p := work.part
	is := copyPass{r, p}
	work.of = p.isOriginal
	switch work.step {
	case stepFill:
		work.each = is.fill
	case stepRemove:
		work.tables, work.each = []string{p.To}, is.remove
		work.of = func(item access.Item) (bool, error) { return p.isCopy(item), nil }
	case stepClean:
		work.each = is.clean
	default: // verify and repair compare sums first
		if p.To != p.Table {
			work.tables = append(work.tables, p.To)
		}
		work.sums = r.sums(work.step, p, at)
	}
}

// books returns the rows of a step of a part.
func (r *run) books(step string, p *part, at place, total int) *segments {
	return newSegments(r, at.control, at.owner, at.prefix+"#fill", at.step(step, p), total)
}

func (c counts) result() Result {
	return Result{Seen: c.seen, Changed: c.changed, Differing: c.differing, Conflicting: c.conflicts}
}

// The steps that go through the items of a part.
const (
	stepFill   = "fill"
	stepVerify = "verify"
	stepRepair = "repair"
	stepRemove = "remove"
	stepClean  = "clean"
)

// A place says where a step keeps its rows.
type place struct {
	control string // the control table
	prefix  string // what the keys of its rows begin with
	owner   string // this process
	epoch   int64  // in which the step began
	attempt int64  // rises when the step is repeated in its epoch
}

// step returns what the keys of the rows of a step of a part begin with.
func (at place) step(step string, p *part) string {
	return fmt.Sprintf("%d#%d#%s#%s", at.epoch, at.attempt, step, p.Name)
}
