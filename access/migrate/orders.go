package migrate

import (
	"context"

	"sortkey.dev/access"
)

// Pause stops all runners of a migration at their next page, until Resume.
func Pause(ctx context.Context, epochs *Epochs, m *Migration, why string) error {
	return tell(ctx, epochs, m, func(o *Orders) { o.Paused = why })
}

// Resume ends a pause, and lets the run pass the holds before steps. Step deploy begins a migration again that went back.
func Resume(ctx context.Context, epochs *Epochs, m *Migration, steps ...string) error {
	return tell(ctx, epochs, m, func(o *Orders) {
		o.Paused = ""
		for _, step := range steps {
			o.Resumed[step] = true
			o.Back = o.Back && step != "deploy"
		}
	})
}

// Back makes the run go back to before the migration. From phase after there is no way back.
func Back(ctx context.Context, epochs *Epochs, m *Migration) error {
	return tell(ctx, epochs, m, func(o *Orders) { *o = Orders{Back: true, WriteRate: o.WriteRate, ReadRate: o.ReadRate} })
}

// SetRate changes the units a second of all runners. A rate of 0 is left as it is.
func SetRate(ctx context.Context, epochs *Epochs, m *Migration, write, read float64) error {
	return tell(ctx, epochs, m, func(o *Orders) {
		if write > 0 {
			o.WriteRate = write
		}
		if read > 0 {
			o.ReadRate = read
		}
	})
}

// Conflicts returns the items that cannot get their part.
func Conflicts(ctx context.Context, epochs *Epochs, m *Migration) ([]Conflict, error) {
	e, err := newExecution(epochs, m, Options{})
	if err != nil {
		return nil, err
	}
	return e.ledger.conflicts(ctx)
}

// A Report says where a migration is.
type Report struct {
	State  access.State
	Step   string // of the phase: fill, verify, verified, repair, remove, clean, cleaned; "" before the first
	Orders Orders
	Parts  []PartReport
}

// A PartReport says how far a step is with a part.
type PartReport struct {
	Part           string
	Segments, Done int
	Result
}

// Read returns where a migration is.
func Read(ctx context.Context, epochs *Epochs, m *Migration) (*Report, error) {
	e, err := newExecution(epochs, m, Options{})
	if err != nil {
		return nil, err
	}
	r := &Report{}
	if r.State, err = epochs.Read(ctx); err != nil {
		return nil, err
	}
	if r.Orders, err = e.ledger.orders(ctx); err != nil {
		return nil, err
	}
	p, err := e.ledger.progress(ctx)
	if err != nil || !isWork(p.Step) {
		r.Step = p.Step
		return r, err
	}
	r.Step = p.Step
	for _, part := range e.parts {
		books := e.books(p.Step, part, e.place(p), 0)
		n, err := books.sum(ctx)
		if err != nil {
			return nil, err
		}
		r.Parts = append(r.Parts, PartReport{Part: part.Name, Segments: len(books.rows), Done: books.doneSoFar(), Result: n.result()})
	}
	return r, nil
}

func tell(ctx context.Context, epochs *Epochs, m *Migration, change func(*Orders)) error {
	e, err := newExecution(epochs, m, Options{})
	if err != nil {
		return err
	}
	return e.ledger.order(ctx, change)
}
