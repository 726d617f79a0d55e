package model

// The rules of a part in the item.
const (
	PrepareTakesAway Rule = "in prepare, writers take the new part away where they change its source"
	FillAsRead       Rule = "the fill writes if the source is as read and the part is absent"
	FillIfThere      Rule = "fill, removal and clean ask that the item is there"
)

const none int8 = -1

// An item has a source, and an old and a new part made of it. Was is what writers have made of it.
type item struct {
	Source, Old, New int8 // none or a value
	There            bool
	Was              int8 // none: deleted
}

// inItem is a part in the item: attributes or index keys.
type inItem struct{ off Rule }

// InItem searches the model of a part in the item.
func InItem(off Rule, bound Bound) Result {
	m := &migration[item]{inItem{off}, off, bound}
	return m.search(item{There: true, New: none})
}

const (
	itemPut int8 = iota + 1
	itemUpdate
	itemDelete
	itemNew // without the rule OneRequest: the second half of an update
	itemFill
	itemRemove
	itemClean
)

func (k inItem) write(_ item, _ phase, send func(request)) {
	for v := range int8(2) {
		send(request{Kind: itemPut, A: v})
		send(request{Kind: itemUpdate, A: v})
	}
	send(request{Kind: itemDelete})
}

func (k inItem) job(d item, t task, send func(request)) {
	switch {
	case !d.There:
	case t == filling && d.New == none:
		send(request{Kind: itemFill, A: d.Source})
	case t == removing && d.New != none:
		send(request{Kind: itemRemove})
	case t == cleaning && d.Old != none:
		send(request{Kind: itemClean})
	}
}

func (k inItem) serve(d item, r request) (item, request, string) {
	switch r.Kind {
	case itemDelete:
		return item{Source: none, Old: none, New: none, Was: none}, request{}, ""
	case itemPut:
		d = item{Source: none, Old: none, New: none, There: true}
		return k.set(d, r)
	case itemUpdate:
		if !d.There {
			return d, request{}, ""
		}
		return k.set(d, r)
	}
	if !d.There && (k.off != FillIfThere) {
		return d, request{}, ""
	}
	switch r.Kind {
	case itemNew:
		d.New = r.A
	case itemFill:
		if d.There && k.off != FillAsRead && (d.Source != r.A || d.New != none) {
			return d, request{}, ""
		}
		d.There, d.New = true, r.A
	case itemRemove: // an update that removes nothing makes an item, too
		d.There, d.New = true, none
	case itemClean:
		d.There, d.Old = true, none
	}
	return d, request{}, ""
}

// set writes the source and the parts of a phase.
func (k inItem) set(d item, r request) (item, request, string) {
	d.Source, d.Was = r.A, r.A
	if r.Phase != after {
		d.Old = r.A
	}
	switch {
	case r.Phase == prepare && k.off != PrepareTakesAway:
		d.New = none
	case r.Phase >= write && k.off == OneRequest:
		return d, request{Kind: itemNew, A: r.A}, ""
	case r.Phase >= write:
		d.New = r.A
	}
	return d, request{}, ""
}

func (inItem) none(d item) bool  { return d.New == none }
func (inItem) right(d item) bool { return !d.There || d.New == d.Source }
func (inItem) clean(d item) bool { return d.Old == none }

func (inItem) swap(d item) item {
	d.Old, d.New = d.New, d.Old
	return d
}

func (inItem) check(d item, now, first, _ phase, old, new bool) string {
	switch {
	case d.There && d.Was == none:
		return "a deleted item comes back"
	case d.There && d.Source != d.Was, !d.There && d.Was != none:
		return "a write is lost"
	case !d.There:
		return ""
	case old && d.Old != d.Source:
		return "a reader of the old part finds it wrong"
	case new && d.New != d.Source:
		return "a reader of the new part finds it wrong"
	case first >= prepare && now < after && d.New != none && d.New != d.Source:
		return "the new part is stale"
	}
	return ""
}
