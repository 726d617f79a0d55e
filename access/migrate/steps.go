package migrate

import (
	"context"
	"fmt"

	"sortkey.dev/access"
)

// A Result sums up a step.
type Result struct {
	Seen, Changed, Differing, Conflicting int64
}

// step goes through all items of a part. The same step in the same epoch goes on where it stopped.
func (r *run) step(ctx context.Context, name string, p *part, at place, total int) (Result, error) {
	is := itemPass{r, p}
	each := map[string]func(context.Context, access.Item) (outcome, error){
		stepFill:   is.fill,
		stepVerify: is.check,
		stepRepair: is.repair,
		stepRemove: func(ctx context.Context, item access.Item) (outcome, error) {
			return is.remove(ctx, item, p.Added())
		},
		stepClean: func(ctx context.Context, item access.Item) (outcome, error) { return is.remove(ctx, item, p.Remove) },
	}[name]
	work := &pass{itemPass: is, step: name, each: each, books: r.books(name, p, at, total)}
	n, err := work.do(ctx)
	return n.result(), err
}

// books returns the rows of a step of a part.
func (r *run) books(step string, p *part, at place, total int) *segments {
	return newSegments(r, at.control, at.owner, at.prefix+"#fill", fmt.Sprintf("%d#%d#%s#%s", at.epoch, at.attempt, step, p.Name), total)
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
