package model

// The rules of a counter, in which an item is counted by a mark.
const (
	MarkIsCondition  Rule = "the mark is a condition of the request that uses it"
	FillIfUnmarked   Rule = "the fill marks an item that is there and has no mark"
	RemovalTakesMark Rule = "going back takes away a mark and its share in one transaction"
	ReadCountsDown   Rule = "in read a delete always counts down"
)

// A family is two items, marks of those that are counted, and the counter.
type family struct {
	There, Mark [2]bool
	Count       int8
}

// counters is a counter that is added.
type counters struct{ off Rule }

// Counters searches the model of a counter.
func Counters(off Rule, bound Bound) Result {
	m := &migration[family]{counters{off}, off, bound}
	return m.search(family{There: [2]bool{true, false}})
}

const (
	countCreate int8 = iota + 1 // A is the item
	countDelete                 // B is its mark as read
	countAdd                    // without the rule OneRequest: the counter follows later; B is what is added
	countFill
	countRemove
)

func (k counters) write(d family, _ phase, send func(request)) {
	for i := range int8(2) {
		if d.There[i] {
			send(request{Kind: countDelete, A: i, B: one(d.Mark[i])})
		} else {
			send(request{Kind: countCreate, A: i})
		}
	}
}

func one(is bool) int8 {
	if is {
		return 1
	}
	return 0
}

func (k counters) job(d family, t task, send func(request)) {
	for i := range int8(2) {
		switch {
		case t == filling && d.There[i] && !d.Mark[i]:
			send(request{Kind: countFill, A: i})
		case t == removing && d.Mark[i]:
			send(request{Kind: countRemove, A: i})
		}
	}
}

func (k counters) serve(d family, r request) (family, request, string) {
	i := r.A
	switch r.Kind {
	case countAdd:
		d.Count += r.B
	case countFill:
		if d.There[i] && !d.Mark[i] || k.off == FillIfUnmarked {
			d.Mark[i] = d.There[i]
			d.Count++
		}
	case countRemove:
		if d.Mark[i] || k.off == RemovalTakesMark {
			d.Mark[i] = false
			d.Count--
		}
	case countCreate:
		if d.There[i] {
			return d, request{}, ""
		}
		d.There[i], d.Mark[i] = true, r.Phase == write || r.Phase == read
		if r.Phase >= write {
			return k.add(d, 1)
		}
	case countDelete:
		return k.remove(d, r)
	}
	return d, request{}, ""
}

func (k counters) remove(d family, r request) (family, request, string) {
	i := r.A
	if !d.There[i] || one(d.Mark[i]) != r.B && k.off != MarkIsCondition {
		return d, request{}, ""
	}
	d.There[i], d.Mark[i] = false, false
	always := r.Phase == after || r.Phase == read && k.off != ReadCountsDown
	marked := r.B == 1 && r.Phase != before && (r.Phase != prepare || k.off != PrepareTakesAway)
	if always || marked {
		return k.add(d, -1)
	}
	return d, request{}, ""
}

// add changes the counter along with the item.
func (k counters) add(d family, by int8) (family, request, string) {
	if k.off == OneRequest {
		return d, request{Kind: countAdd, B: by}, ""
	}
	d.Count += by
	return d, request{}, ""
}

func sum(all [2]bool) int8 { return one(all[0]) + one(all[1]) }

func (counters) none(d family) bool   { return sum(d.Mark) == 0 && d.Count == 0 }
func (counters) right(d family) bool  { return d.Mark == d.There }
func (counters) clean(family) bool    { return true }
func (counters) swap(d family) family { return family{There: d.There} }
func (counters) check(d family, now, first, _ phase, _, new bool) string {
	switch {
	case new && d.Count != sum(d.There):
		return "the counter is wrong"
	case first >= prepare && now < after && !new && d.Count != sum(d.Mark):
		return "the counter is not the sum of the marks"
	}
	return ""
}
