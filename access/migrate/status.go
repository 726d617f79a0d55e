package migrate

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"sortkey.dev/access"
)

// A Status says how far a run is. Progress of Options gets it from the runner, and Read returns it to anybody.
type Status struct {
	Migration string       `json:"migration"`
	Phase     access.Phase `json:"-"`
	Epoch     int64        `json:"epoch"`
	Settled   bool         `json:"settled"`        // false: the run waits for requests of the epoch before
	Step      string       `json:"step,omitempty"` // expand, fill, verify, verified, repair, remove, contract, clean, cleaned
	Part      string       `json:"part,omitempty"`
	Segments  int          `json:"segments,omitempty"`
	Done      int          `json:"done,omitempty"`  // segments
	Seen      int64        `json:"seen,omitempty"`  // items of the part
	Items     int64        `json:"items,omitempty"` // that the plan expects; 0: it is not known
	Changed   int64        `json:"changed,omitempty"`
	Differing int64        `json:"differing,omitempty"`
	Conflicts int64        `json:"conflicts"`
	Back      bool         `json:"rollback,omitempty"`
	Paused    string       `json:"paused,omitempty"`
	Hold      string       `json:"hold,omitempty"`  // the next step that the run waits before
	Watch     string       `json:"watch,omitempty"` // on, or off and why
	Lag       string       `json:"lag,omitempty"`   // of the repair from the stream, where it is much

	Reads  float64 `json:"readUnits"` // consumed by the whole migration
	Writes float64 `json:"writeUnits"`
	Spent  float64 `json:"spent,omitempty"` // dollars
	Price  float64 `json:"price,omitempty"` // dollars that the plan expects
	Most   float64 `json:"most,omitempty"`  // dollars after which the run pauses

	ReadRate  float64       `json:"readRate,omitempty"` // limits, units a second
	WriteRate float64       `json:"writeRate,omitempty"`
	ReadsNow  float64       `json:"readsNow,omitempty"` // units a second
	WritesNow float64       `json:"writesNow,omitempty"`
	Left      time.Duration `json:"-"` // of the step; 0: it is not known
}

// Prices says what a unit costs, in dollars.
type Prices struct{ Read, Write float64 }

func (p Prices) of(reads, writes float64) float64 { return reads*p.Read + writes*p.Write }

// share returns how much of the step is done, from 0 to 1.
func (s Status) share() float64 {
	switch {
	case s.Segments > 0 && s.Done == s.Segments:
		return 1
	case s.Items > 0 && s.Seen <= s.Items:
		return float64(s.Seen) / float64(s.Items)
	case s.Segments > 0:
		return float64(s.Done) / float64(s.Segments)
	}
	return 0
}

// Since returns the status with the rates and the time left that follow from an earlier one.
func (s Status) Since(earlier Status, passed time.Duration) Status {
	seconds := passed.Seconds()
	if seconds <= 0 {
		return s
	}
	s.ReadsNow, s.WritesNow = max(0, s.Reads-earlier.Reads)/seconds, max(0, s.Writes-earlier.Writes)/seconds
	if s.Step != earlier.Step || s.Part != earlier.Part {
		return s
	}
	if done := s.share() - earlier.share(); done > 0 && s.share() < 1 {
		s.Left = time.Duration((1 - s.share()) / done * float64(passed))
	}
	return s
}

// String returns the status as one line:
// fill Task.GSI2  61 %  1.46M of 2.40M  980 WRU/s of 1,000  $1.87 of $3.07  left 31m  conflicts 0  hold before read.
func (s Status) String() string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch {
	case !s.Settled && s.Epoch > 0:
		add("phase %s: waits until no request of epoch %d is under way", s.Phase, s.Epoch-1)
	case s.Part == "" || s.Segments == 0 && s.Step != stepCopy:
		add("%s", strings.TrimSuffix("phase "+s.Phase.String()+" "+s.Step, " "))
	default:
		s.work(add)
	}
	switch {
	case s.Paused != "":
		add("paused: %s", s.Paused)
	case s.Back:
		add("on the way back")
	case s.Hold != "":
		add("hold before %s", s.Hold)
	}
	if s.Lag != "" {
		add("the stream lags by %s", s.Lag)
	}
	if strings.HasPrefix(s.Watch, "off") {
		add("watch %s", s.Watch)
	}
	return strings.Join(all, "  ")
}

// work adds what a step that goes through items has to say.
func (s Status) work(add func(string, ...any)) {
	add("%s %s", s.Step, s.Part)
	add("%.0f %%", 100*s.share())
	if s.Items > 0 {
		add("%s of %s", short(float64(s.Seen)), short(float64(s.Items)))
	} else {
		add("%s items", short(float64(s.Seen)))
	}
	unit, now, limit := "RRU/s", s.ReadsNow, s.ReadRate
	if s.Step != stepVerify {
		unit, now, limit = "WRU/s", s.WritesNow, s.WriteRate
	}
	rate := fmt.Sprintf("%s %s", short(now), unit)
	if limit > 0 {
		rate += " of " + short(limit)
	}
	add("%s", rate)
	if s.Spent > 0 || s.Price > 0 {
		price := dollars(s.Spent)
		if expected := cmp.Or(s.Price, s.Most); expected > 0 {
			price += " of " + dollars(expected)
		}
		add("%s", price)
	}
	if s.Left > 0 {
		add("left %s", minutes(s.Left))
	}
	if s.Differing > 0 {
		add("%s differ", short(float64(s.Differing)))
	}
	add("conflicts %d", s.Conflicts)
}

// short returns a number as people read it: 980, 1,000, 12.3k, 1.46M.
func short(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.2fM", n/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.1fk", n/1e3)
	case n >= 999.5:
		return fmt.Sprintf("%d,%03d", int(n+0.5)/1000, int(n+0.5)%1000)
	}
	return fmt.Sprintf("%.0f", n)
}

func dollars(amount float64) string {
	if amount > 0 && amount < 0.01 {
		return "<$0.01"
	}
	return fmt.Sprintf("$%.2f", amount)
}

// minutes returns a duration in its largest unit, or two.
func minutes(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds())+1)
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
}

// A moment is a status at a time, for the rates.
type moment struct {
	at     time.Time
	status Status
}

// rateSpan is the time over which rates are measured.
const rateSpan = 30 * time.Second

// count changes the status and reports it.
func (r *run) count(change func(*Status)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.status)
}

// report tells the caller how far the step is.
func (r *run) report() {
	if r.options.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.options.Progress(r.measured())
}

// measured returns the status with the rates of the last seconds. The caller holds the lock.
func (r *run) measured() Status {
	s, now := r.status, r.now()
	s.Migration = r.migration.ID
	s.Reads, s.Writes = r.spent.total()
	s.Spent = r.options.Prices.of(s.Reads, s.Writes)
	for len(r.past) > 1 && now.Sub(r.past[0].at) > rateSpan {
		r.past = r.past[1:]
	}
	if len(r.past) > 0 {
		s = s.Since(r.past[0].status, now.Sub(r.past[0].at))
	}
	if n := len(r.past); n == 0 || now.Sub(r.past[n-1].at) >= time.Second {
		r.past = append(r.past, moment{now, s})
	}
	return s
}

// starts shows the step that begins.
func (r *run) starts(books *segments, step, part string) {
	e := r.migration.estimate(step, part)
	r.count(func(s *Status) {
		if s.Step != step || s.Part != part {
			r.past = nil
		}
		s.Step, s.Part, s.Segments, s.Items = step, part, books.total, e.Items
		s.Done, s.Seen, s.Changed, s.Differing, s.Conflicts = 0, 0, 0, 0, 0
	})
}

// far shows how far a step is, and stops the run at too many conflicts: each is listed, and a list of thousands is of no use.
func (r *run) far(books *segments) error {
	n, done := books.sumSoFar(), books.doneSoFar()
	r.count(func(s *Status) {
		s.Done, s.Seen, s.Changed, s.Differing, s.Conflicts = done, n.seen, n.changed, n.differing, n.conflicts
	})
	r.report()
	if most := r.migration.Conflicts + mostListed; n.conflicts > most {
		return &tooManyConflicts{n.conflicts}
	}
	return nil
}

// mostListed limits the conflicts that are listed beyond those that the migration allows, before the run stops in the middle of a step.
const mostListed = 1000

// tooManyConflicts stops a step.
type tooManyConflicts struct{ n int64 }

func (e *tooManyConflicts) Error() string { return fmt.Sprintf("%d conflicts", e.n) }

// An Estimate says what a step takes, as planned.
type Estimate struct {
	Step, Part    string
	Items         int64
	Reads, Writes float64 // units
	Price         float64 // dollars
}

// estimate returns what a step of a part takes; what is not planned looks at the same items as the fill.
func (m *Migration) estimate(step, part string) Estimate {
	var fill Estimate
	for _, e := range m.Estimates {
		if e.Part == part && e.Step == step {
			return e
		}
		if e.Part == part && e.Step == stepFill {
			fill = e
		}
	}
	return fill
}

// price returns what the migration costs, as planned.
func (m *Migration) price() float64 {
	total := 0.0
	for _, e := range m.Estimates {
		total += e.Price
	}
	return total
}

// hold returns the step that the run waits before next, "" if it does not wait.
func (m *Migration) hold(s access.State, orders Orders) string {
	var next []string
	switch {
	case orders.Back, s.Migration == "" && s.Version == m.To:
		return ""
	case s.Migration == "":
		next = []string{"deploy", "read", "after"}
	case s.Phase < access.PhaseRead:
		next = []string{"read", "after"}
	case s.Phase == access.PhaseRead:
		next = []string{"after"}
	}
	for _, step := range next {
		if m.waits(orders, step) {
			return step
		}
	}
	return ""
}

// waits reports whether the run waits before a step.
func (m *Migration) waits(orders Orders, step string) bool {
	hold, set := m.Holds[step]
	return (hold || !set || step == "read" && m.Strategy == Tail) && !orders.Resumed[step] // writes have to be denied by people
}

// know shows what the state row and the orders say.
func (e *execution) know(ctx context.Context, s access.State, orders Orders) {
	e.count(func(st *Status) {
		st.Back, st.Hold, st.Price = orders.Back, e.migration.hold(s, orders), e.migration.price()
		st.Most = cmp.Or(orders.Most, e.options.Most)
		st.ReadRate, st.WriteRate = cmp.Or(orders.ReadRate, e.options.ReadRate), cmp.Or(orders.WriteRate, e.options.WriteRate)
	})
}
