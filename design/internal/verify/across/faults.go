package across

import (
	"context"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// withoutFaults returns evidence without what goes wrong in a version alone, which is a fault of its design: code
// of a version on its own items.
func withoutFaults(ctx context.Context, all []*Evidence, before, after *model.Design, api API, o Options) ([]*Evidence, error) {
	if len(all) == 0 {
		return nil, nil
	}
	faults := map[string]bool{}
	fault := func(e *Evidence) string { return e.Pattern.Name + " " + e.Kind }
	for i, parts := range partsOf(before, after) {
		for j, part := range parts {
			own := o
			own.Prefix, own.Everything = fmt.Sprintf("%salone-%d-%d-", o.Prefix, i, j), true
			l := resolve.New(part)
			found, err := Run(ctx, l, l, withItself(part), api, own)
			if err != nil {
				return nil, err
			}
			for _, e := range found {
				if e.Pattern != nil {
					faults[fault(e)] = true
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(e *Evidence) bool { return e.Pattern != nil && faults[fault(e)] }), nil
}

// withItself pairs a design with itself.
func withItself(d *model.Design) *Pairs {
	same := NewPairs()
	for _, e := range d.Entities {
		same.Entities(e, e)
		for _, a := range e.Attributes {
			same.Attributes(a, a)
		}
	}
	return same
}
