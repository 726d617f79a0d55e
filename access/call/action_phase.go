package call

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// WriteInPhase returns the write that a pattern sends in a phase of a migration, given its writes in the old and in
// the new version. It calls only what it needs.
//
//   - PhaseBefore: the old one.
//   - PhasePrepare: the old one, which also removes the attributes that only the new one changes.
//   - PhaseWrite: the old one with what the new one writes besides.
//   - PhaseRead: the new one with what the old one writes besides.
//   - PhaseAfter: the new one.
//
// What both write is written as the first of them says, and so are its conditions and errors. Where the item lies
// elsewhere in the new version, the write becomes a transaction of the same change in both places, of
// which the first is the one that is read; in PhasePrepare it takes the copy away.
func WriteInPhase(phase access.Phase, old, new func() Action) Action {
	switch phase {
	case access.PhaseBefore:
		return old()
	case access.PhaseAfter:
		return new()
	}
	first, second := old(), new()
	return inPhase(phase, &first, &second)
}

// WritesInPhase is WriteInPhase for the writes of a transaction. Both versions have the same writes, in any order.
func WritesInPhase(phase access.Phase, old, new func() []Action) []Action {
	switch phase {
	case access.PhaseBefore:
		return old()
	case access.PhaseAfter:
		return new()
	}
	before, after := old(), new()
	all := make([]Action, len(before))
	for i := range before {
		same := i
		switch {
		case before[i].places != nil:
			same = sameStep(before, i, after)
		case i >= len(after) || !isSameWrite(&before[i], &after[i]):
			same = slices.IndexFunc(after, func(w Action) bool { return isSameWrite(&before[i], &w) })
		}
		if same < 0 {
			all[i] = before[i]
			all[i].Err = cmp.Or(all[i].Err, fmt.Errorf("access: only the old version of the design has this write"))
			continue
		}
		all[i] = inPhase(phase, &before[i], &after[same])
	}
	if len(after) != len(before) && len(all) > 0 {
		all[0].Err = cmp.Or(all[0].Err, fmt.Errorf("access: %d writes in the old version of the design and %d in the new one", len(before), len(after)))
	}
	return all
}

// isSameWrite reports whether two writes are those of one step of a pattern to one item.
func isSameWrite(a, b *Action) bool {
	return a.Kind == b.Kind && a.Name == b.Name && a.Table == b.Table && sameKey(a, b)
}

// sameStep returns the place of the write of the same step as that of the write at i, whose item lies elsewhere: as many
// writes of the same name come before it. It returns -1 if there is none.
func sameStep(before []Action, i int, after []Action) int {
	is := func(w *Action) bool { return w.Kind == before[i].Kind && w.Name == before[i].Name }
	n := 0
	for j := range i {
		if is(&before[j]) {
			n++
		}
	}
	for j := range after {
		if !is(&after[j]) {
			continue
		}
		if n == 0 {
			return j
		}
		n--
	}
	return -1
}

func sameKey(a, b *Action) bool {
	if a.Err != nil || b.Err != nil {
		return true // the key may be what is wrong
	}
	of := func(w *Action) access.Item {
		if w.Kind != Put {
			return w.Key
		}
		key := make(access.Item, len(w.KeyNames))
		for _, name := range w.KeyNames {
			key[name] = w.Item[name]
		}
		return key
	}
	return reflect.DeepEqual(of(a), of(b))
}

// inPhase returns the write of a phase in which both versions count.
func inPhase(phase access.Phase, old, new *Action) Action {
	if !isSameWrite(old, new) {
		if old.places != nil && old.Kind == new.Kind && old.Name == new.Name {
			return moved(phase, old, new)
		}
		w := *old
		w.Err = cmp.Or(w.Err, errors.New("access: the write has another key in the new version of the design"))
		return w
	}
	if phase == access.PhasePrepare {
		return removing(old, new)
	}
	first, second, copies := old, new, old.Renamed // the names of the second by those of the first
	if phase == access.PhaseRead {
		first, second, copies = new, old, swapped(old.Renamed)
	}
	w := *first
	w.Err = cmp.Or(first.Err, second.Err)
	switch {
	case w.Err != nil:
	case w.Kind == Put:
		w.Item = bothItems(first.Item, second.Item, copies)
	case w.Kind == Update:
		u := union{w: &w}
		w.Err = u.add(second, copies)
	}
	return w
}

func swapped(names map[string]string) map[string]string {
	by := make(map[string]string, len(names))
	for old, new := range names {
		by[new] = old
	}
	return by
}

// bothItems returns an item with the attributes of both versions. What only the second has is added, and what has
// another name there is copied.
func bothItems(first, second access.Item, copies map[string]string) access.Item {
	item := make(access.Item, len(first)+2)
	maps.Copy(item, second)
	maps.Copy(item, first)
	for name, other := range copies {
		if v, has := first[name]; has {
			item[other] = v
		}
	}
	return item
}

// removing returns an update of the old version that also removes what only the new one changes. A put of the old
// version replaces the whole item, and needs no more.
func removing(old, new *Action) Action {
	w := *old
	if w.Kind != Update || w.Err != nil {
		return w
	}
	u := union{w: &w}
	have := targets(parseUpdate(old.Update), old.Names)
	var remove []clause
	for _, c := range parseUpdate(new.Update) {
		attribute := rootOf(c.target, new.Names)
		if slices.ContainsFunc(have, func(t string) bool { return t == attribute }) {
			continue
		}
		have = append(have, attribute)
		remove = append(remove, clause{word: "REMOVE", target: u.name(attribute)})
	}
	u.write(remove)
	return w
}

// A union adds clauses to an update. It copies the maps of the update before it changes them: generated code shares them.
type union struct {
	w     *Action
	owned bool
}

func (u *union) own() {
	if u.owned {
		return
	}
	u.owned = true
	names, values := make(map[string]string, len(u.w.Names)+2), make(access.Item, len(u.w.Values)+2)
	maps.Copy(names, u.w.Names)
	maps.Copy(values, u.w.Values)
	u.w.Names, u.w.Values = names, values
}

// name returns a placeholder of an attribute.
func (u *union) name(attribute string) string {
	found := ""
	for placeholder, of := range u.w.Names {
		if of == attribute && (found == "" || placeholder < found) { // the same each time
			found = placeholder
		}
	}
	if found != "" {
		return found
	}
	u.own()
	for n := len(u.w.Names); ; n++ {
		placeholder := fmt.Sprintf("#also%d", n)
		if _, taken := u.w.Names[placeholder]; !taken {
			u.w.Names[placeholder] = attribute
			return placeholder
		}
	}
}

// value returns a placeholder of a value.
func (u *union) value(v types.AttributeValue) string {
	u.own()
	for n := len(u.w.Values); ; n++ {
		placeholder := fmt.Sprintf(":also%d", n)
		if _, taken := u.w.Values[placeholder]; !taken {
			u.w.Values[placeholder] = v
			return placeholder
		}
	}
}

// add adds what the same write of the other version changes besides. An attribute that has another name there becomes
// what this one becomes, also if the item lacks it: it is computed from this one.
func (u *union) add(second *Action, copies map[string]string) error {
	mine := parseUpdate(u.w.Update)
	have := targets(mine, u.w.Names)
	var more []clause
	for _, c := range mine {
		root := rootOf(c.target, u.w.Names)
		other, renamed := copies[root]
		if !renamed {
			continue
		}
		have = append(have, other)
		copied, err := u.copied(c, root, other)
		if err != nil {
			return err
		}
		more = append(more, copied)
	}
	for _, c := range parseUpdate(second.Update) {
		if root := rootOf(c.target, second.Names); !slices.Contains(have, root) {
			more = append(more, u.translated(c, second))
		}
	}
	u.write(more)
	return nil
}

// copied returns the clause that makes an attribute equal to what a clause makes of another one.
func (u *union) copied(c clause, from, to string) (clause, error) {
	if c.isNested() {
		return clause{}, fmt.Errorf("access: %s has another name in the other version of the design, so its entries cannot be changed one by one", from)
	}
	switch c.word {
	case "SET":
		return clause{"SET", u.name(to), c.value}, nil
	case "REMOVE":
		return clause{"REMOVE", u.name(to), ""}, nil
	case "ADD":
		if _, number := u.w.Values[c.value].(*types.AttributeValueMemberN); number {
			zero := u.value(&types.AttributeValueMemberN{Value: "0"})
			return clause{"SET", u.name(to), fmt.Sprintf("if_not_exists(%s, %s) + %s", c.target, zero, c.value)}, nil
		}
	}
	return clause{}, fmt.Errorf("access: %s has another name in the other version of the design, so elements of the set cannot be added or deleted", from)
}

// translated returns a clause of another update with placeholders of this one.
func (u *union) translated(c clause, from *Action) clause {
	known := map[string]string{}
	replace := func(placeholder string) string {
		if mine, ok := known[placeholder]; ok {
			return mine
		}
		mine := ""
		if placeholder[0] == '#' {
			mine = u.name(from.Names[placeholder])
		} else {
			mine = u.value(from.Values[placeholder])
		}
		known[placeholder] = mine
		return mine
	}
	return clause{c.word, replacePlaceholders(c.target, replace), replacePlaceholders(c.value, replace)}
}

// write writes more clauses into the update.
func (u *union) write(more []clause) {
	if len(more) == 0 {
		return
	}
	u.w.Update = formatUpdate(append(parseUpdate(u.w.Update), more...))
}
