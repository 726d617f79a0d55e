package call

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/access"
)

// elsewhere is the second half of a write to an item that lies in two places during a migration. Conditions are asked in the
// first place alone, which is the one that is read.
type elsewhere struct {
	second Action // without a condition
	places placePair
	pinned bool // the condition of an update says whether the item is there
}

// placePair is the two places of an item, that which is read first.
type placePair struct{ first, second *access.Place }

// moved returns the write of a phase in which both places count.
func moved(phase access.Phase, old, new *Action) Action {
	first, second := *old, *new
	if phase == access.PhaseRead {
		first, second = *new, *old
	}
	first.Err = cmp.Or(first.Err, second.Err)
	if first.Err != nil || first.Kind == Check {
		return first
	}
	places := placePair{&old.places.Old, &old.places.New}
	if phase == access.PhaseRead {
		places = placePair{&old.places.New, &old.places.Old}
	}
	also := Action{Kind: first.Kind, Name: first.Name, Table: second.Table, KeyNames: second.KeyNames}
	switch {
	case phase == access.PhasePrepare || first.Kind == Delete:
		also.Kind, also.Key = Delete, keyIn(places.second, &second)
	case first.Kind == Put:
		first.Item, also.Item, first.Err = bothPuts(&first, &second, places)
	default:
		also.Key = second.Key
		bothUpdates(&first, &also, &second, places)
	}
	first.elsewhere = &elsewhere{second: also, places: places, pinned: first.Expects == Present}
	return first
}

// keyIn returns the key of the item of a write in its table.
func keyIn(p *access.Place, w *Action) access.Item {
	if w.Kind != Put {
		return w.Key
	}
	key := access.Item{}
	for _, name := range p.Keys {
		key[name] = w.Item[name]
	}
	return key
}

// bothPuts returns the items of both places. Each has what either write stores; the first says what both store.
func bothPuts(first, second *Action, places placePair) (one, other access.Item, err error) {
	if one, err = places.first.Item(second.Item); err != nil {
		return first.Item, nil, err
	}
	maps.Copy(one, first.Item)
	if other, err = places.second.Item(one); err != nil {
		return first.Item, nil, err
	}
	for _, name := range places.second.Only {
		if v := second.Item[name]; v != nil && other[name] == nil {
			other[name] = v
		}
	}
	return one, other, nil
}

// bothUpdates adds to the first update what only the second changes, and makes of both what changes the other place: the first
// says what becomes of attributes that both change. Keys and what else a place makes on its own stay there.
func bothUpdates(first, also, second *Action, places placePair) {
	mine, theirs := parseUpdate(first.Update), parseUpdate(second.Update)
	have := targets(mine, first.Names)
	to := &union{w: first}
	for _, c := range theirs {
		if name, stored := places.first.Name(rootOf(c.target, second.Names)); stored && !slices.Contains(have, name) {
			mine = append(mine, to.renamed(c, second, places.first.Name))
		}
	}
	first.Update = formatUpdate(mine)
	have = nil
	var all []clause
	from := &union{w: also}
	for _, c := range mine {
		if name, stored := places.second.Name(rootOf(c.target, first.Names)); stored {
			have = append(have, name)
			all = append(all, from.renamed(c, first, places.second.Name))
		}
	}
	for _, c := range theirs {
		if !slices.Contains(have, rootOf(c.target, second.Names)) {
			all = append(all, from.translated(c, second))
		}
	}
	also.Update = formatUpdate(all)
}

// renamed returns a clause of an update of the other place with placeholders of this one. Attributes have other names here.
func (u *union) renamed(c clause, from *Action, name func(string) (string, bool)) clause {
	known := map[string]string{}
	replace := func(text string) string {
		return replaceTokens(text, func(token, before string) string {
			switch {
			case token[0] == ':' && known[token] == "":
				known[token] = u.value(from.Values[token])
				fallthrough
			case token[0] == ':':
				return known[token]
			case strings.HasSuffix(before, "."): // an entry of a map
				return u.name(from.Names[token])
			}
			attribute, _ := name(from.Names[token])
			return u.name(attribute)
		})
	}
	return clause{c.word, replace(c.target), replace(c.value)}
}

// replaceTokens returns a text with other placeholders, which are chosen with the text before them.
func replaceTokens(text string, replace func(token, before string) string) string {
	at := 0
	return replacePlaceholders(text, func(token string) string {
		at += strings.Index(text[at:], token)
		before := text[:at]
		at += len(token)
		return replace(token, before)
	})
}

// exists returns the action under the condition that its item is there, or that there is none.
func exists(w Action, p *access.Place, there bool) Action {
	u := union{w: &w}
	function := "attribute_not_exists("
	if there {
		function = "attribute_exists("
	}
	w.Condition = joined(w.Condition, function+u.name(p.Keys[0])+")")
	return w
}

// asRead returns the action under the condition that its item is as it was read.
func asRead(w Action, p *access.Place, item access.Item) Action {
	if item == nil {
		return exists(w, p, false)
	}
	w = exists(w, p, true)
	u := union{w: &w}
	for _, name := range p.Attributes(item) {
		switch v := item[name]; {
		case slices.Contains(p.Keys, name):
		case v == nil:
			w.Condition = joined(w.Condition, "attribute_not_exists("+u.name(name)+")")
		default:
			w.Condition = joined(w.Condition, u.name(name)+" = "+u.value(v))
		}
	}
	return w
}

func joined(condition, more string) string {
	if condition == "" {
		return more
	}
	if hasOr(condition) {
		condition = "(" + condition + ")"
	}
	return condition + " AND " + more
}
