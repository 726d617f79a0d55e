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
func (j *reading) behind(request access.Request) []entry {
	var all []entry
	path := j.c.Read.Entry.Path
	holds := keyTest(j.c.Read, request.Values)
	for _, r := range j.state.rows {
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
		if j.c.Read.Descending {
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
