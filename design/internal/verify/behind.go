package verify

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// An entry is an item as a path holds it.
type entry struct{ item, entry access.Item }

// behind are the entries a query reads: those whose keys fulfil its key condition, in the
// order of the sort key. It includes rows the pattern does not ask for, if they lie there.
func (v *verifier) behind(c *program.Call, path resolve.Path, request access.Request) []entry {
	var all []entry
	holds := keyTest(c.Read, request.Values)
	for _, r := range v.state.rows {
		if r.table != path.Table {
			continue
		}
		if onPath(path, r.item) && holds(r.item) {
			all = append(all, entry{r.item, entryOf(path, r.item)})
		}
	}
	_, sort := pathKeys(path)
	slices.SortFunc(all, func(a, b entry) int {
		n := 0
		for _, name := range slices.Concat(sort, keyNames(path.Table)) {
			if n = compareKeys(a.entry[name], b.entry[name]); n != 0 {
				break
			}
		}
		if c.Read.Descending {
			return -n
		}
		return n
	})
	return all
}

// A keyRange is what a query asks of one key attribute.
type keyRange struct {
	name      string
	op        model.Op
	low, high sample.Value
}

// keyTest evaluates the key condition of a query.
func keyTest(r *program.Read, values access.Item) func(access.Item) bool {
	valueOf := func(t resolve.Text, kind string) sample.Value {
		for _, v := range r.Statement.Values {
			if v.Operand == nil && v.Kind == kind && v.Text.String() == t.String() {
				return keyOrder(values[v.Placeholder])
			}
		}
		return sample.Value{}
	}
	var ranges []keyRange
	for _, k := range slices.Concat(r.Partition, r.Read.Sort) {
		ranges = append(ranges, keyRange{k.Name, k.Op, valueOf(k.Low, k.Kind), valueOf(k.High, k.Kind)})
	}
	return func(entry access.Item) bool {
		return !slices.ContainsFunc(ranges, func(k keyRange) bool { return !k.holds(keyOrder(entry[k.name])) })
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

// compareKeys compares two keys of one kind as DynamoDB does.
func compareKeys(a, b types.AttributeValue) int { return keyOrder(a).Compare(keyOrder(b)) }

func keyOrder(v types.AttributeValue) sample.Value {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return sample.Value{Kind: sample.Text, Text: v.Value}
	case *types.AttributeValueMemberN:
		return sample.Value{Kind: sample.Number, Text: v.Value}
	case *types.AttributeValueMemberB:
		return sample.Value{Kind: sample.Binary, Text: string(v.Value)}
	}
	return sample.Value{}
}

// pathKeys are the names of the partition and sort key attributes of a path.
func pathKeys(path resolve.Path) (partition, sort []string) {
	if path.Index == nil {
		names := keyNames(path.Table)
		return names[:1], names[1:]
	}
	if path.Index.Local {
		partition = []string{path.Table.PK.Name}
	}
	for _, k := range path.Index.PK {
		partition = append(partition, k.Name)
	}
	for _, k := range path.Index.SK {
		sort = append(sort, k.Name)
	}
	return slices.Compact(partition), sort
}

// A filtered is one query of a read with a filter, as it goes on.
type filtered struct {
	request access.Request
	behind  []entry // what it has not read yet
	ready   []entry // what it has read, the filter lets through, and nobody took
	ended   bool
	full    int // how many entries the last answer let through
	asked   int // of the last answer
	wanted  int // when it was asked for
	kept    int // of the last answer
}

// filteredUnits is what a read with a filter and a limit takes. Its requests ask for as
// many entries as access.List.PageSize says, and go on until enough are found.
func (v *verifier) filteredUnits(c *program.Call, partition []string, requests []access.Request, a *arguments, limit int) float64 {
	slices.SortStableFunc(requests, func(a, b access.Request) int { // as access.NewList does
		for _, name := range partition {
			if n := compareKeys(a.Values[name], b.Values[name]); n != 0 {
				return n
			}
		}
		return 0
	})
	var all []*filtered
	for _, one := range requests {
		all = append(all, &filtered{request: one, behind: v.behind(c, c.Read.Entry.Path, one)})
	}
	units := 0.0
	for left := limit; left > 0; {
		if slices.ContainsFunc(all, (*filtered).dry) {
			for _, q := range all {
				together := c.Pattern.Verb != model.Get && !q.ended && len(q.ready) <= q.full/4
				if q.dry() || len(all) > 1 && together {
					units += v.ask(c, q, a, left)
				}
			}
		}
		q := first(c, all)
		if q == nil {
			return units
		}
		if v.passes(c, a, q.ready[0].item) {
			q.kept++
			left--
		}
		q.ready = q.ready[1:]
	}
	return units
}

// dry reports whether a query has to be asked before anything can be taken.
func (q *filtered) dry() bool { return len(q.ready) == 0 && !q.ended }

// ask asks a query until there is something to take, and returns the units.
func (v *verifier) ask(c *program.Call, q *filtered, a *arguments, wanted int) float64 {
	units := 0.0
	for {
		n := max(10*wanted, 100)
		if q.asked > 0 && q.kept+len(q.ready) < q.wanted {
			n = max(n, 2*q.asked)
		}
		q.asked, q.wanted, q.kept, q.full = n, wanted, 0, 0
		page := pageOf(q.behind, n)
		units += pageUnits(c, page)
		q.behind = q.behind[len(page):]
		q.ended = len(q.behind) == 0 && len(page) < n
		for _, one := range page {
			if r := v.state.at(c.Read.Entry.Path.Table, one.item); r != nil && r.values.Holds(v.bound(c, a, r.entity, c.Read.Filter)) {
				q.ready = append(q.ready, one)
				q.full++
			}
		}
		if !q.dry() {
			return units
		}
	}
}

// first is the query whose next entry comes first in the order of the sort key.
func first(c *program.Call, all []*filtered) *filtered {
	var best *filtered
	for _, q := range all {
		switch {
		case len(q.ready) == 0:
		case best == nil:
			best = q
		default:
			if n := compareEntries(c, q, best); c.Read.Descending && n > 0 || !c.Read.Descending && n < 0 {
				best = q
			}
		}
	}
	return best
}

// compareEntries compares the next entries of two queries by what follows the lead of each.
func compareEntries(c *program.Call, a, b *filtered) int {
	for i, name := range c.Read.Sort {
		x, y := keyOrder(a.ready[0].entry[name]), keyOrder(b.ready[0].entry[name])
		if i == 0 && x.Kind != sample.Number {
			x.Text, y.Text = x.Text[min(a.request.Lead, len(x.Text)):], y.Text[min(b.request.Lead, len(y.Text)):]
		}
		if n := x.Compare(y); n != 0 {
			return n
		}
	}
	return 0
}
