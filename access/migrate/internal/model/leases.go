package model

import "cmp"

// The rules of who may send.
const (
	LeaseFromSend     Rule = "the lease counts from before the read was sent"
	LowerEpochIgnored Rule = "a lower epoch never replaces a higher one"
	EveryAttempt      Rule = "the lease is compared before every attempt"
	AfterSigning      Rule = "the lease is compared after signing"
	EpochOfCall       Rule = "attempts need the lease of the epoch in which the call began"
	NoRowNoRequest    Rule = "without a row nothing is sent"
	MonotonicClock    Rule = "a lease is over when the monotonic clock says so"
	WallClock         Rule = "a lease is over when the wall clock says so"
	ClockAhead        Rule = "a process whose clock is ahead gets no lease"
	LongestLease      Rule = "a runner waits for the longest lease that any row gave"
	SettleRequests    Rule = "a runner waits as long as a signed request can arrive"
	WaitAnew          Rule = "a runner that finds an epoch that is not settled waits anew"
	SettledFirst      Rule = "no phase changes from an epoch that is not settled"
	RaiseOnCondition  Rule = "an epoch is raised on condition of the old one"
	SettleOnCondition Rule = "an epoch is settled on condition that it is the one that was waited for"
	OneTransaction    Rule = "the state row and its copy in the control table are raised in one transaction"
	RestoreUnsettled  Rule = "a row that is restored is not settled"
	RestoreLongest    Rule = "a row that is restored keeps the longest lease"
)

const (
	peaceLease     = 2 // ticks
	migrationLease = 1
	lateness       = 1 // how many ticks after signing a request is carried out at most
)

// A row is the state row; the zero row is none.
type row struct {
	Epoch, Settled, Phase int8
	Lease, Longest        int8
}

// A reading is a read of the state row on its way.
type reading struct {
	Stage      int8 // 0: none; else as below
	Mono, Wall int8 // ticks since it was sent
	// What it read.
	Epoch, Phase, Lease int8
}

const (
	asked int8 = iota + 1
	answered
)

// A call is a call of a process: first its phase is taken, then each attempt is signed, compared with the lease and sent.
type call struct {
	Stage        int8 // 0: none; else as below
	Epoch, Phase int8
	Age          int8 // ticks since it was signed
}

const (
	taken   int8 = iota + 1
	checked      // only without the rule AfterSigning: compared, not yet signed
	signed
	waiting // for the answer
)

// A sender is a process.
type sender struct {
	Epoch, Phase int8
	Mono, Wall   int8 // what is left of the lease, by each clock
	Call         call
	Reads        [2]reading
}

// A decider is a runner that raises epochs. One that does nothing may as well be dead.
type decider struct {
	Stage        int8 // 0: idle; else as below
	Epoch, Phase int8 // that it raises to
	Timer        int8
}

const (
	planned  int8 = iota + 1
	copied        // only without the rule OneTransaction: the control row is written, the state row is not
	outlive       // waits for leases
	settling      // waits for requests
)

type leaseState struct {
	Row, Control row
	Settled      int8 // the greatest epoch that was waited for
	Runners      [2]decider
	Process      sender
	Flight       call // a request on its way; Stage is 0 or waiting
	Deletions    int8 // how often the row may still be deleted
	ClockFaults  int8 // how often a clock may still be wrong
	Ahead        int8 // by how much the clock of the process is ahead of the server's
}

// A LeaseBound limits a search of the model of who may send.
type LeaseBound struct {
	Runners     int // 1 or 2
	Epochs      int // up to which runners raise
	Reads       int // that a process has on their way at once, 1 or 2
	Deletions   int // of the row
	ClockFaults int
	States      int
}

// leases is the model of who may send: a process, runners, and the state row.
type leases struct {
	off Rule
	LeaseBound
}

// Leases searches the model of who may send.
func Leases(off Rule, bound LeaseBound) Result {
	m := &leases{off, bound}
	first := row{Epoch: 1, Settled: 1, Phase: 2, Lease: peaceLease, Longest: peaceLease}
	start := leaseState{Row: first, Control: first, Settled: 1, Deletions: int8(bound.Deletions), ClockFaults: int8(bound.ClockFaults)}
	if off == ClockAhead {
		start.Ahead = 1
	}
	return search(start, m.steps, bound.States)
}

func (m *leases) steps(s leaseState, to emit[leaseState]) {
	m.tick(s, to)
	for i := range max(m.Reads, 1) {
		m.read(s, i, to)
	}
	m.call(s, to)
	m.serve(s, to)
	for i := range m.Runners {
		m.decide(s, i, func(step string, next leaseState, fault string) { to(step, inOrder(next), fault) })
	}
	if s.Row != (row{}) && s.Deletions > 0 {
		s.Row = row{}
		s.Deletions--
		to("the row is deleted", s, "")
	}
}

// inOrder exchanges runners, which are alike, so that fewer states differ.
func inOrder(s leaseState) leaseState {
	a, b := &s.Runners[0], &s.Runners[1]
	order := cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Epoch, b.Epoch), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Timer, b.Timer))
	if order < 0 {
		*a, *b = *b, *a
	}
	return s
}

func less(left int8) int8 { return max(left-1, 0) }

// tick lets time pass. The monotonic clock of a frozen process stands still, and a wall clock may be set back.
func (m *leases) tick(s leaseState, to emit[leaseState]) {
	p := &s.Process
	if p.Call.Stage == signed {
		p.Call.Age = min(p.Call.Age+1, lateness+2)
	}
	if s.Flight.Stage != 0 {
		s.Flight.Age = min(s.Flight.Age+1, lateness+2)
	}
	for i := range s.Runners {
		s.Runners[i].Timer = less(s.Runners[i].Timer)
	}
	age := func(s leaseState, mono, wall bool) leaseState {
		p := &s.Process
		if mono {
			p.Mono = less(p.Mono)
		}
		if wall {
			p.Wall = less(p.Wall)
		}
		for i := range p.Reads {
			r := &p.Reads[i]
			if r.Stage != 0 && mono {
				r.Mono = min(r.Mono+1, peaceLease)
			}
			if r.Stage != 0 && wall {
				r.Wall = min(r.Wall+1, peaceLease)
			}
		}
		return s
	}
	to("tick", age(s, true, true), "")
	if s.ClockFaults > 0 {
		s.ClockFaults--
		to("tick, while the machine is frozen", age(s, false, true), "")
		to("tick, and the wall clock is set back by one", age(s, true, false), "")
	}
}

func (m *leases) read(s leaseState, i int, to emit[leaseState]) {
	p := &s.Process
	switch r := &p.Reads[i]; r.Stage {
	case 0:
		*r = reading{Stage: asked}
		to("the process reads the row", s, "")
	case asked:
		r.Stage, r.Epoch, r.Phase, r.Lease = answered, s.Row.Epoch, s.Row.Phase, s.Row.Lease
		to("the read is served", s, "")
	default:
		got := *r
		*r = reading{}
		m.grant(p, got)
		to("the process gets the answer", s, "")
	}
}

func (m *leases) grant(p *sender, got reading) {
	if got.Epoch == 0 {
		p.Mono, p.Wall = 0, 0
		if m.off != NoRowNoRequest {
			return
		}
		got.Phase, got.Lease = 1, peaceLease
	}
	if got.Epoch < p.Epoch && m.off != LowerEpochIgnored && m.off != NoRowNoRequest {
		return
	}
	mono, wall := max(got.Lease-got.Mono, 0), max(got.Lease-got.Wall, 0)
	if m.off == LeaseFromSend {
		mono, wall = got.Lease, got.Lease
	}
	if m.off == LowerEpochIgnored { // the answer that comes last gives the epoch, the later end ends the lease
		mono, wall = max(mono, p.Mono), max(wall, p.Wall)
	}
	p.Epoch, p.Phase, p.Mono, p.Wall = got.Epoch, got.Phase, mono, wall
}

func (m *leases) valid(p *sender) bool {
	switch m.off {
	case MonotonicClock:
		return p.Wall > 0
	case WallClock:
		return p.Mono > 0
	}
	return p.Wall > 0 && p.Mono > 0
}

func (m *leases) call(s leaseState, to emit[leaseState]) {
	p := &s.Process
	c := &p.Call
	ok := m.valid(p) && (p.Epoch == c.Epoch || m.off == EpochOfCall)
	switch c.Stage {
	case 0:
		if m.valid(p) {
			*c = call{Stage: taken, Epoch: p.Epoch, Phase: p.Phase}
			to("a call takes its phase", s, "")
		}
	case taken:
		if m.off == AfterSigning {
			if c.Stage = checked; ok {
				to("the lease is compared", s, "")
			}
			return
		}
		c.Stage = signed
		to("the request is signed", s, "")
	case checked, signed:
		if c.Stage == signed && !ok {
			*c = call{}
			to("the lease is over, nothing is sent", s, "")
			return
		}
		m.send(s, "the request is sent", to)
	case waiting:
		ended := s
		ended.Process.Call = call{}
		to("the call ends", ended, "")
		if m.off == EveryAttempt {
			m.send(s, "the request is sent again", to)
			return
		}
		c.Stage, c.Age = taken, 0
		to("the call tries again", s, "")
	}
}

// send puts the request of the call on its way. One that was on its way is lost.
func (m *leases) send(s leaseState, step string, to emit[leaseState]) {
	c := &s.Process.Call
	s.Flight = call{Stage: waiting, Epoch: c.Epoch, Phase: c.Phase, Age: c.Age}
	c.Stage, c.Age = waiting, 0
	to(step, s, "")
}

// serve lets a request arrive. The server refuses old signatures, by its own clock.
func (m *leases) serve(s leaseState, to emit[leaseState]) {
	f := s.Flight
	if f.Stage == 0 {
		return
	}
	s.Flight = call{}
	if f.Age-s.Ahead > lateness {
		to("the request is refused", s, "")
		return
	}
	fault := ""
	switch {
	case f.Epoch < s.Settled:
		fault = "a request of an epoch that was waited for is carried out"
	case s.Row != (row{}) && (f.Phase-s.Row.Phase > 1 || s.Row.Phase-f.Phase > 1):
		fault = "a request is carried out in a phase that is not next to the row's"
	}
	to("the request is carried out", s, fault)
}

// decide lets a runner do its next step, or die.
func (m *leases) decide(s leaseState, i int, to emit[leaseState]) {
	r := &s.Runners[i]
	if r.Stage != 0 {
		dead := s
		dead.Runners[i] = decider{}
		to("a runner dies", dead, "")
	}
	switch r.Stage {
	case 0:
		m.plan(s, i, to)
	case planned, copied:
		m.raise(s, i, to)
	case outlive:
		if r.Timer > 0 {
			return
		}
		if r.Stage, r.Timer = settling, lateness; m.off == SettleRequests {
			r.Timer = 0
		}
		to("a runner has waited for the leases", s, "")
	case settling:
		if r.Timer == 0 {
			m.settle(s, i, to)
		}
	}
}

// plan reads the row and decides what to do.
func (m *leases) plan(s leaseState, i int, to emit[leaseState]) {
	r := &s.Runners[i]
	switch {
	case s.Row == row{}:
		m.restore(s, to)
		return
	case s.Row.Settled != s.Row.Epoch:
		wait := s
		wait.Runners[i] = decider{Stage: outlive, Epoch: s.Row.Epoch, Timer: m.longest(s.Row)}
		if m.off == WaitAnew {
			wait.Runners[i].Stage, wait.Runners[i].Timer = settling, 0
		}
		to("a runner finds an epoch that is not settled", wait, "")
		if m.off != SettledFirst {
			return
		}
	}
	if int(s.Row.Epoch) >= m.Epochs {
		return
	}
	for _, by := range []int8{-1, 1} {
		*r = decider{Stage: planned, Epoch: s.Row.Epoch + 1, Phase: s.Row.Phase + by}
		if r.Phase >= 1 {
			to("a runner plans "+[]string{"the phase before", "", "the next phase"}[by+1], s, "")
		}
	}
}

func (m *leases) longest(r row) int8 {
	if m.off == LongestLease {
		return r.Lease
	}
	return r.Longest
}

// raise writes the next row, and its copy in the control table, if the row is as it was seen.
func (m *leases) raise(s leaseState, i int, to emit[leaseState]) {
	r := &s.Runners[i]
	next := s.Row
	next.Epoch, next.Phase, next.Lease, next.Longest = r.Epoch, r.Phase, migrationLease, max(s.Row.Longest, migrationLease)
	if m.off == OneTransaction && r.Stage == planned {
		r.Stage, s.Control = copied, next
		to("a runner writes the control row", s, "")
		return
	}
	if s.Row == (row{}) || s.Row.Epoch != r.Epoch-1 && m.off != RaiseOnCondition {
		*r = decider{}
		to("a runner cannot raise the epoch", s, "")
		return
	}
	s.Row = next
	if m.off != OneTransaction {
		s.Control = next
	}
	r.Stage, r.Phase, r.Timer = outlive, 0, m.longest(s.Row)
	to("a runner raises the epoch", s, "")
}

func (m *leases) settle(s leaseState, i int, to emit[leaseState]) {
	epoch := s.Runners[i].Epoch
	s.Runners[i] = decider{}
	if s.Row == (row{}) || s.Row.Epoch != epoch && m.off != SettleOnCondition {
		to("a runner cannot settle", s, "")
		return
	}
	s.Row.Settled, s.Row.Longest = s.Row.Epoch, s.Row.Lease
	s.Settled = max(s.Settled, s.Row.Settled)
	to("a runner settles the epoch", s, "")
}

// restore makes the row from its copy: the same phase, a higher epoch.
func (m *leases) restore(s leaseState, to emit[leaseState]) {
	next := s.Control
	next.Epoch++
	switch m.off {
	case RestoreUnsettled:
		next.Settled = next.Epoch
		s.Settled = next.Epoch
	case RestoreLongest:
		next.Longest = next.Lease
	}
	s.Row, s.Control = next, next
	to("a runner restores the row", s, "")
}
