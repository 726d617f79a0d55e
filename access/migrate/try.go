package migrate

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"sortkey.dev/access"
)

// A Trial holds what one step of a part did.
type Trial struct {
	Result
	Reads, Writes float64 // units consumed
	Conflicts     []Conflict
}

// Try carries out a step of a part at once: fill, verify, repair, remove or clean, without phases, leases and a state row. It is for tables
// that nothing else uses, such as copies of items in memory. The control table must exist.
func Try(ctx context.Context, api access.API, control string, m *Migration, step, part string, o Options) (*Trial, error) {
	i := slices.IndexFunc(m.Parts, func(p Part) bool { return p.Name == part })
	if i < 0 {
		return nil, fmt.Errorf("migration %s has no part %s", m.ID, part)
	}
	if !isWork(step) {
		return nil, fmt.Errorf("step %s goes through no items", step)
	}
	p, err := m.compile(&m.Parts[i], orNone(o.Convert))
	if err != nil {
		return nil, fmt.Errorf("migration %s: part %s: %w", m.ID, part, err)
	}
	t := &Trial{}
	var mu sync.Mutex
	r := newRun(api, nil, m, o)
	r.listed = func(_ context.Context, c Conflict) error {
		mu.Lock()
		defer mu.Unlock()
		t.Conflicts = append(t.Conflicts, c)
		return nil
	}
	t.Result, err = r.step(ctx, step, p, place{control: control, prefix: m.Design + "#" + m.ID + "#try", owner: "try"}, 1)
	t.Reads, t.Writes = r.spent.total()
	return t, err
}
