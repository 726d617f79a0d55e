package model

// The rules of a unique value, whose guard row holds the item that it belongs to.
const (
	ValueAsRead    Rule = "a writer changes an item whose value is as read"
	GuardFree      Rule = "a writer needs the new guard row to be absent or its own"
	GuardOwn       Rule = "a writer takes the old guard row away only if it is its own"
	GuardOtherFine Rule = "a missing guard row, or one of another item, does not stop a writer"
	FillSameValue  Rule = "the fill puts a guard row if the item still has the value"
)

// A uniques is two items with a value each, or none, and the guard row of each value: 0 or its owner, counted from 1.
type uniques struct {
	Value [2]int8
	Guard [2]int8
}

// guards is a unique rule that is added.
type guards struct{ off Rule }

// Guards searches the model of a unique rule.
func Guards(off Rule, bound Bound) Result {
	m := &migration[uniques]{guards{off}, off, bound}
	return m.search(uniques{Value: [2]int8{0, none}})
}

const (
	guardSet int8 = iota + 1 // A is the item, B its value as read, C the new value
	guardFill
	guardRemove
	guardTakeAway // without the rule OneRequest: the old guard row is taken away later
)

func (k guards) write(d uniques, _ phase, send func(request)) {
	for i := range int8(2) {
		for v := none; v < 2; v++ {
			if v != d.Value[i] {
				send(request{Kind: guardSet, A: i, B: d.Value[i], C: v})
			}
		}
	}
}

func (k guards) job(d uniques, t task, send func(request)) {
	for i := range int8(2) {
		switch {
		case t == filling && d.Value[i] != none && d.Guard[d.Value[i]] == 0:
			send(request{Kind: guardFill, A: i, B: d.Value[i]})
		case t == removing && d.Guard[i] != 0:
			send(request{Kind: guardRemove, A: d.Guard[i] - 1, B: i})
		}
	}
}

func (k guards) serve(d uniques, r request) (uniques, request, string) {
	own := r.A + 1
	switch r.Kind {
	case guardFill:
		if d.Guard[r.B] == 0 && (d.Value[r.A] == r.B || k.off == FillSameValue) {
			d.Guard[r.B] = own
		}
	case guardRemove, guardTakeAway:
		if d.Guard[r.B] == own {
			d.Guard[r.B] = 0
		}
	case guardSet:
		return k.set(d, r)
	}
	return d, request{}, ""
}

func (k guards) set(d uniques, r request) (uniques, request, string) {
	own := r.A + 1
	if d.Value[r.A] != r.B && k.off != ValueAsRead {
		return d, request{}, ""
	}
	if r.Phase >= write && r.C != none {
		if d.Guard[r.C] != 0 && d.Guard[r.C] != own && k.off != GuardFree {
			return d, request{}, "" // taken
		}
		if k.off == GuardOtherFine && r.B != none && d.Guard[r.B] != own {
			return d, request{}, "a writer is refused though the new value is free"
		}
		d.Guard[r.C] = own
	}
	d.Value[r.A] = r.C
	if r.Phase == before || r.B == none || r.Phase == prepare && k.off == PrepareTakesAway {
		return d, request{}, ""
	}
	if k.off == OneRequest {
		return d, request{Kind: guardTakeAway, A: r.A, B: r.B}, ""
	}
	switch owner := d.Guard[r.B]; {
	case owner == own:
		d.Guard[r.B] = 0
	case owner != 0 && k.off == GuardOwn:
		d.Guard[r.B] = 0
		return d, request{}, "the guard row of another item is taken away"
	}
	return d, request{}, ""
}

func (guards) none(d uniques) bool { return d.Guard == [2]int8{} }

func (guards) right(d uniques) bool {
	for i, v := range d.Value {
		if v != none && d.Guard[v] != int8(i+1) {
			return false
		}
	}
	return true
}

func (guards) clean(uniques) bool     { return true }
func (guards) swap(d uniques) uniques { return uniques{Value: d.Value} }

func (k guards) check(d uniques, now, first, _ phase, _, new bool) string {
	if new && d.Value[0] != none && d.Value[0] == d.Value[1] {
		return "two items have one value"
	}
	if new && !k.right(d) {
		return "an item has no guard row"
	}
	for v, owner := range d.Guard {
		if first >= prepare && owner != 0 && d.Value[owner-1] != int8(v) {
			return "a guard row keeps a value that its item does not have"
		}
	}
	return ""
}
