package migrate

import (
	"context"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
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
	return tell(ctx, epochs, m, func(o *Orders) { *o = Orders{Back: true, WriteRate: o.WriteRate, ReadRate: o.ReadRate, Most: o.Most} })
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

// SetMost changes the dollars after which the run pauses.
func SetMost(ctx context.Context, epochs *Epochs, m *Migration, most float64) error {
	return tell(ctx, epochs, m, func(o *Orders) { o.Most = most })
}

// Conflicts returns the items that cannot get their part.
func Conflicts(ctx context.Context, epochs *Epochs, m *Migration) ([]Conflict, error) {
	e, err := newExecution(epochs, m, Options{})
	if err != nil {
		return nil, err
	}
	return e.ledger.conflicts(ctx)
}

// A Report says where a migration is, as the control table has it.
type Report struct {
	Status
	State  access.State
	Orders Orders
	Parts  []PartReport
}

// A PartReport says how far a step is with a part.
type PartReport struct {
	Part     string `json:"part"`
	Segments int    `json:"segments"`
	Done     int    `json:"done"`
	Result
}

// Read returns where a migration is. Rates follow from two reports: see Since.
func Read(ctx context.Context, epochs *Epochs, m *Migration, o Options) (*Report, error) {
	e, err := newExecution(epochs, m, o)
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
	if e.spent.all, err = e.ledger.consumed(ctx); err != nil {
		return nil, err
	}
	watched, err := e.ledger.watchRow(ctx)
	if err != nil {
		return nil, err
	}
	e.note(r.State)
	e.know(ctx, r.State, r.Orders)
	e.count(func(s *Status) { s.Paused, s.Watch = r.Orders.Paused, watched.text })
	p, err := e.ledger.progress(ctx)
	if err != nil {
		return nil, err
	}
	e.count(func(s *Status) { s.Step = p.Step })
	for _, part := range e.parts {
		if !isWork(p.Step) {
			break
		}
		books := e.books(p.Step, part, e.place(p), 0)
		n, err := books.sum(ctx)
		if err != nil {
			return nil, err
		}
		if len(books.rows) == 0 {
			continue
		}
		r.Parts = append(r.Parts, PartReport{Part: part.Name, Segments: len(books.rows), Done: books.doneSoFar(), Result: n.result()})
		books.total = len(books.rows)
		e.starts(books, p.Step, part.Name)
		_ = e.far(books) // stops nothing here
	}
	r.Status = e.measured()
	return r, nil
}

// Note remembers something about a migration until its end, in the control table.
func Note(ctx context.Context, epochs *Epochs, m *Migration, what string) error {
	e, err := newExecution(epochs, m, Options{})
	if err != nil {
		return err
	}
	return e.ledger.put(ctx, runRows, "note#"+what, access.Item{"at": marshal.S(e.now().UTC().Format(time.RFC3339))})
}

// Noted reports whether something was noted.
func Noted(ctx context.Context, epochs *Epochs, m *Migration, what string) (bool, error) {
	e, err := newExecution(epochs, m, Options{})
	if err != nil {
		return false, err
	}
	item, err := e.ledger.item(ctx, runRows, "note#"+what)
	return item != nil, err
}

func tell(ctx context.Context, epochs *Epochs, m *Migration, change func(*Orders)) error {
	e, err := newExecution(epochs, m, Options{})
	if err != nil {
		return err
	}
	return e.ledger.order(ctx, change)
}
