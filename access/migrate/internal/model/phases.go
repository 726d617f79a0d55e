package model

// The rules that all kinds of changes share.
const (
	Prepare          Rule = "writers pass through prepare"
	SettledPhases    Rule = "a phase begins when the one before it is settled"
	JobsUnderLease   Rule = "fill, repair, removal and clean end with an epoch that is settled"
	VerifySettled    Rule = "a verification begins after the fill has settled"
	VerifyThisTime   Rule = "a verification counts since write was entered from prepare"
	ScanBeforeBefore Rule = "before is entered when a scan finds no new part"
	PathEndsFirst    Rule = "a path ends one settled epoch before its part stops being kept"
	CleanSettled     Rule = "the next migration begins after the clean step has settled"
	OneRequest       Rule = "both parts are written in one request"
)

// A phase is a phase of a migration.
type phase int8

const (
	before phase = iota + 1
	prepare
	write
	read
	after
)

func (p phase) String() string {
	return [...]string{"", "before", "prepare", "write", "read", "after"}[p]
}

// A view is what a process has read: the phase, and the paths that cursors may still use besides that of the phase.
type view struct {
	Phase    phase
	Old, New bool // the path of the old part, of the new part
}

// A task is what runners do in a phase, for every item.
type task int8

const (
	filling task = iota + 1
	repairing
	removing
	cleaning
)

// A request is on its way, or its sender has read what it needs and will send it.
type request struct {
	Kind    int8 // 0: none
	Phase   phase
	Old     bool // of an earlier epoch: refused when the present one is settled
	A, B, C int8 // what it carries
}

// A state is a state of a migration with the items D.
type state[D comparable] struct {
	Now, Prev view // Prev counts while the epoch is not settled
	Settled   bool
	Task      task
	Verified  bool
	Tries     int8 // how often before may still be left
	Writers   [2]request
	Jobs      [2]request
	Data      D
}

// A kind is a kind of change: what writers and runners do to its items.
type kind[D comparable] interface {
	// write gives the requests that a writer may send in a phase.
	write(d D, p phase, send func(request))
	// job gives the requests that a runner may send in a task.
	job(d D, t task, send func(request))
	// serve carries a request out. It may return another one that follows from it, and a fault.
	serve(d D, r request) (after D, next request, fault string)
	// none reports whether there is no new part, right whether every item has its new part, clean whether no old part is left.
	none(d D) bool
	right(d D) bool
	clean(d D) bool
	// swap returns the items for the next migration, whose new part lies where the old one was.
	swap(d D) D
	// check returns what is wrong with the items: now is the phase, first and last those of live processes, old and new say which
	// part is read.
	check(d D, now, first, last phase, old, new bool) string
}

// A Bound limits a search of a kind of change.
type Bound struct {
	Tries   int // how often before may be left
	Writers int
	Fillers int
	States  int
}

// migration is the model of a kind of change.
type migration[D comparable] struct {
	kind  kind[D]
	off   Rule
	bound Bound
}

func (m *migration[D]) search(items D) Result {
	start := state[D]{Now: view{Phase: before}, Settled: true, Tries: int8(m.bound.Tries), Data: items}
	start.Prev = start.Now
	return search(start, m.steps, m.bound.States)
}

func (m *migration[D]) steps(s state[D], to emit[state[D]]) {
	for i := range m.bound.Writers {
		m.writer(s, i, to)
	}
	for i := range m.bound.Fillers {
		m.filler(s, i, to)
	}
	m.runner(s, to)
}

// writer sends a request in one of the phases that processes may have, or lets it arrive, or loses it.
func (m *migration[D]) writer(s state[D], i int, to emit[state[D]]) {
	w := &s.Writers[i]
	if w.Kind != 0 {
		m.arrive(s, w, "a request of a writer arrives", to)
		return
	}
	begin := func(p phase, old bool) {
		m.kind.write(s.Data, p, func(r request) {
			r.Phase, r.Old = p, old
			next := s
			next.Writers[i] = r
			to("a writer reads in "+p.String(), next, "")
		})
	}
	begin(s.Now.Phase, false)
	if !s.Settled && s.Prev.Phase != s.Now.Phase {
		begin(s.Prev.Phase, true)
	}
}

// filler does the same for the task of the runner.
func (m *migration[D]) filler(s state[D], i int, to emit[state[D]]) {
	j := &s.Jobs[i]
	if j.Kind != 0 {
		m.arrive(s, j, "a request of a filler arrives", to)
		return
	}
	if s.Task == 0 || !s.Settled {
		return
	}
	m.kind.job(s.Data, s.Task, func(r request) {
		r.Phase = s.Now.Phase
		next := s
		next.Jobs[i] = r
		to("a filler reads", next, "")
	})
}

// arrive carries out a request of the state, to which r points.
func (m *migration[D]) arrive(s state[D], r *request, step string, to emit[state[D]]) {
	was := *r
	*r = request{}
	data, next, fault := m.kind.serve(s.Data, was)
	if s.Data = data; next.Kind != 0 {
		next.Phase, next.Old = was.Phase, was.Old
		*r = next
	}
	m.take(step+", sent in "+was.Phase.String(), s, fault, to)
}

// take takes a step and checks the items.
func (m *migration[D]) take(step string, s state[D], fault string, to emit[state[D]]) {
	if fault == "" {
		first, last := s.Now.Phase, s.Now.Phase
		old, new := s.Now.Old || s.Now.Phase <= write, s.Now.New || s.Now.Phase >= read
		if !s.Settled {
			first, last = min(first, s.Prev.Phase), max(last, s.Prev.Phase)
			old, new = old || s.Prev.Old || first <= write, new || s.Prev.New || last >= read
		}
		fault = m.kind.check(s.Data, s.Now.Phase, first, last, old, new)
	}
	to(step, s, fault)
}

// runner settles an epoch, or raises one.
func (m *migration[D]) runner(s state[D], to emit[state[D]]) {
	if !s.Settled {
		m.take("the epoch is settled", m.settle(s), "", to)
		if m.off != SettledPhases {
			return
		}
	}
	if s.Task != 0 {
		m.endTask(s, to)
		return
	}
	switch s.Now.Phase {
	case before:
		if s.Tries > 0 {
			s.Tries--
			if m.off == Prepare {
				m.enter(s, write, to)
			} else {
				m.enter(s, prepare, to)
			}
		}
	case prepare:
		m.inPrepare(s, to)
	case write:
		m.inWrite(s, to)
	case read:
		m.inRead(s, to)
	case after:
		if !m.kind.clean(s.Data) {
			m.beginTask(s, cleaning, to)
		} else if s.Tries > 0 && s.Settled {
			s.Now = view{Phase: before}
			s.Prev, s.Verified, s.Data = s.Now, false, m.kind.swap(s.Data)
			for i := range s.Writers {
				s.Writers[i].Phase = before // what is written in after is what is written before the next one
			}
			m.take("the next migration begins", s, "", to)
		}
	}
}

func (m *migration[D]) inPrepare(s state[D], to emit[state[D]]) {
	m.enter(s, write, to)
	if !m.kind.none(s.Data) {
		m.beginTask(s, removing, to)
	}
	if m.kind.none(s.Data) || m.off == ScanBeforeBefore {
		m.enter(s, before, to)
	}
}

func (m *migration[D]) inWrite(s state[D], to emit[state[D]]) {
	m.beginTask(s, filling, to)
	m.beginTask(s, repairing, to)
	if m.kind.right(s.Data) && !s.Verified {
		verified := s
		verified.Verified = true
		m.take("the items are verified", verified, "", to)
	}
	if s.Verified {
		m.enter(s, read, to)
	}
	switch {
	case s.Now.New && m.off != PathEndsFirst:
		s.Now.New = false
		m.raise(s, view{write, s.Now.Old, true}, "the new path ends", to)
	case m.off == Prepare:
		m.enter(s, before, to)
	default:
		m.enter(s, prepare, to)
	}
}

func (m *migration[D]) inRead(s state[D], to emit[state[D]]) {
	m.enter(s, write, to)
	if s.Now.Old && m.off != PathEndsFirst {
		s.Now.Old = false
		m.raise(s, view{read, true, s.Now.New}, "the old path ends", to)
		return
	}
	m.enter(s, after, to)
}

// enter raises the epoch to another phase.
func (m *migration[D]) enter(s state[D], p phase, to emit[state[D]]) {
	was := s.Now
	s.Now = view{Phase: p}
	switch {
	case p == read:
		s.Now.Old, s.Now.New = true, true
	case p == write && was.Phase == read:
		s.Now.New = true
	case p == write && was.Phase != read && m.off != VerifyThisTime:
		s.Verified = false
	}
	m.raise(s, was, "the epoch is raised to "+p.String(), to)
}

// raise makes the requests under way those of an earlier epoch.
func (m *migration[D]) raise(s state[D], was view, step string, to emit[state[D]]) {
	s.Prev, s.Settled = was, false
	for _, requests := range []*[2]request{&s.Writers, &s.Jobs} {
		for i := range requests {
			if requests[i].Kind != 0 {
				requests[i].Old = true
			}
		}
	}
	m.take(step, s, "", to)
}

// settle refuses the requests of earlier epochs.
func (m *migration[D]) settle(s state[D]) state[D] {
	s.Prev, s.Settled = s.Now, true
	for i := range s.Writers {
		if s.Writers[i].Old {
			s.Writers[i] = request{}
		}
	}
	for i := range s.Jobs {
		if s.Jobs[i].Old && m.off != JobsUnderLease {
			s.Jobs[i] = request{}
		}
	}
	return s
}

// beginTask begins a task. The epoch is that of the phase, or of the task before: nothing else is under way in it.
func (m *migration[D]) beginTask(s state[D], t task, to emit[state[D]]) {
	if s.Settled {
		s.Task = t
		to("a task begins in "+s.Now.Phase.String(), s, "")
	}
}

func (m *migration[D]) endTask(s state[D], to emit[state[D]]) {
	if m.off == CleanSettled && s.Task == cleaning || m.off == VerifySettled && s.Task == filling {
		s.Task = 0
		to("a task ends, and nothing waits for it", s, "")
		return
	}
	s.Task = 0
	m.raise(s, s.Now, "the epoch is raised at the end of a task", to)
}
