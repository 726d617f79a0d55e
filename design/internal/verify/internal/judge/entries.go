package judge

import (
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// An entry is an item, and its projection in a table or index.
type entry struct{ item, entry access.Item }

// entries returns the entries that a query reads, in the order of the sort key: those whose
// keys meet its key condition, also of items that the pattern does not ask for.
func (j *Read) entries(request call.Request) []entry {
	var all []entry
	path := j.Call.Read.Entry.Path
	holds := keyTest(j.Call.Read, request.Values)
	for _, r := range j.Tables.Rows {
		if r.Table != path.Table {
			continue
		}
		if state.OnPath(path, r.Item) && holds(r.Item) {
			all = append(all, entry{r.Item, state.EntryOf(path, r.Item)})
		}
	}
	_, sort := state.PathKeys(path)
	slices.SortFunc(all, func(a, b entry) int {
		n := 0
		for _, name := range slices.Concat(sort, state.KeyNames(path.Table)) {
			if n = state.CompareKeys(a.entry[name], b.entry[name]); n != 0 {
				break
			}
		}
		if j.Call.Read.Descending {
			return -n
		}
		return n
	})
	return all
}

// A keyRange is the condition of a query on one key attribute.
type keyRange struct {
	name      string
	op        model.Op
	low, high sample.Value
}

// keyTest returns a function that evaluates the key condition of a query.
func keyTest(r *program.Read, values access.Item) func(access.Item) bool {
	valueOf := func(t resolve.Text, kind string) sample.Value {
		for _, v := range r.Statement.Values {
			if v.Operand == nil && v.Kind == kind && v.Text.String() == t.String() {
				return state.KeyOrder(values[v.Placeholder])
			}
		}
		return sample.Value{}
	}
	var ranges []keyRange
	for _, k := range slices.Concat(r.Partition, r.Read.Sort) {
		ranges = append(ranges, keyRange{k.Name, k.Op, valueOf(k.Low, k.Kind), valueOf(k.High, k.Kind)})
	}
	return func(entry access.Item) bool {
		return !slices.ContainsFunc(ranges, func(k keyRange) bool { return !k.holds(state.KeyOrder(entry[k.name])) })
	}
}

func (k keyRange) holds(have sample.Value) bool {
	order := have.Compare(k.low)
	switch k.op {
	case model.Eq:
		return order == 0
	case model.Lt:
		return order < 0
	case model.Lte:
		return order <= 0
	case model.Gt:
		return order > 0
	case model.Gte:
		return order >= 0
	case model.Between:
		return order >= 0 && have.Compare(k.high) <= 0
	}
	return strings.HasPrefix(have.Text, k.low.Text) // begins_with
}
