package model

// The rules of a row elsewhere.
const (
	FillIfAbsent     Rule = "the fill puts a copy if there is none"
	UpdateIfThere    Rule = "an update changes a copy only if it is there"
	CreateOverOrphan Rule = "a create writes the second place without a condition"
	MakeAsRead       Rule = "a writer makes a missing copy if the original is as read"
	BothOrNeither    Rule = "an update that may make its item finds it in both places or in neither"
)

// partial is a copy that has some attributes only.
const partial int8 = 2

// A pair is an item in its old and its new place. Was is what writers have made of it.
type pair struct{ Old, New, Was int8 }

// elsewhere is a copy of an item in another place.
type elsewhere struct{ off Rule }

// Elsewhere searches the model of a row elsewhere.
func Elsewhere(off Rule, bound Bound) Result {
	m := &migration[pair]{elsewhere{off}, off, bound}
	return m.search(pair{New: none})
}

const (
	copyPut int8 = iota + 1
	copyUpdate
	copyUpsert // an update that may make its item
	copyDelete
	copyMake   // a writer makes a missing copy; A is the original as read
	copySecond // without the rule OneRequest: the second half
	copyFill
	copyRepair
	copyRemove
	copyClean
)

func (k elsewhere) write(d pair, p phase, send func(request)) {
	for v := range int8(2) {
		send(request{Kind: copyPut, A: v})
		if p == write && d.Old != none && d.New == none && k.off != UpdateIfThere {
			send(request{Kind: copyMake, A: d.Old})
		}
		send(request{Kind: copyUpdate, A: v})
		send(request{Kind: copyUpsert, A: v})
		if p == write && d.Old == none && d.New != none {
			send(request{Kind: copyRepair}) // a writer removes what is left over, to make the item
		}
	}
	send(request{Kind: copyDelete, A: none})
}

func (k elsewhere) job(d pair, t task, send func(request)) {
	switch {
	case t == filling && d.Old != none && d.New == none:
		send(request{Kind: copyFill, A: d.Old})
	case t == repairing && d.Old == none && d.New != none:
		send(request{Kind: copyRepair})
	case t == removing && d.New != none:
		send(request{Kind: copyRemove})
	case t == cleaning && d.Old != none:
		send(request{Kind: copyClean})
	}
}

func (k elsewhere) serve(d pair, r request) (pair, request, string) {
	switch r.Kind {
	case copyPut:
		if k.off == CreateOverOrphan && r.Phase == write && d.Old == none && d.New != none {
			return d, request{}, "a create is refused though there is no item"
		}
		return k.both(d, r)
	case copyUpdate, copyDelete:
		there := d.Old != none
		if r.Phase >= read {
			there = d.New != none
		}
		if !there {
			return d, request{}, ""
		}
		if r.Kind == copyUpdate && r.Phase == write && d.New == none {
			if k.off == UpdateIfThere {
				d.Old, d.New, d.Was = r.A, partial, r.A
			}
			return d, request{}, "" // the writer makes the copy and tries again
		}
		return k.both(d, r)
	case copyUpsert:
		if r.Phase == write && (d.Old == none) != (d.New == none) {
			if k.off == BothOrNeither {
				d.Old, d.New, d.Was = r.A, partial, r.A
			}
			return d, request{}, "" // the writer makes or removes the copy and tries again
		}
		return k.both(d, r)
	case copyMake:
		if d.New == none && (d.Old == r.A || k.off == MakeAsRead) {
			d.New = r.A
		}
	case copySecond:
		d.New = r.A
	case copyFill:
		if d.New == none || k.off == FillIfAbsent {
			d.New = r.A
		}
	case copyRepair:
		if d.Old == none {
			d.New = none
		}
	case copyRemove:
		d.New = none
	case copyClean:
		d.Old = none
	}
	return d, request{}, ""
}

// both writes a value, or none, in the places of a phase.
func (k elsewhere) both(d pair, r request) (pair, request, string) {
	d.Was = r.A
	if r.Phase != after {
		d.Old = r.A
	}
	switch {
	case r.Phase == prepare && k.off != PrepareTakesAway:
		d.New = none
	case r.Phase >= write && k.off == OneRequest:
		return d, request{Kind: copySecond, A: r.A}, ""
	case r.Phase >= write:
		d.New = r.A
	}
	return d, request{}, ""
}

func (elsewhere) none(d pair) bool  { return d.New == none }
func (elsewhere) right(d pair) bool { return d.New == d.Old }
func (elsewhere) clean(d pair) bool { return d.Old == none }
func (elsewhere) swap(d pair) pair  { return pair{d.New, d.Old, d.Was} }

func (elsewhere) check(d pair, now, first, _ phase, old, new bool) string {
	switch {
	case old && d.Old == none && d.Was != none, new && d.New == none && d.Was != none:
		return "an item is missing"
	case old && d.Old != none && d.Was == none, new && d.New != none && d.Was == none:
		return "a deleted item comes back"
	case old && d.Old != d.Was, new && d.New != d.Was:
		return "an item is stale"
	case first >= prepare && now < after && d.Was != none && d.New != none && d.New != d.Was:
		return "the copy is stale" // one of a deleted item is an orphan, which nobody reads
	}
	return ""
}
