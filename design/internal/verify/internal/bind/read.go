package bind

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A ReadRequest is a read filled with arguments: a Get, several, or a Query.
type ReadRequest struct {
	Get   *call.Get
	Gets  *call.Gets
	Query *call.Query
	Empty bool // a list of values is empty: no request is sent, and nothing is found
}

// ReadPattern returns the description of a read for package access.
func ReadPattern(c *program.Call, units float64) *access.Pattern {
	path := c.Read.Entry.Path
	p := &access.Pattern{Name: c.Pattern.Name, Table: path.Table.Name, Units: units, Keys: c.Read.Keys, Sort: c.Read.Sort}
	if path.Index != nil {
		p.Index = path.Index.Name
	}
	return p
}

// ReadCall fills a read with arguments as generated code would.
func ReadCall(c *program.Call, p *access.Pattern, a *Arguments) (ReadRequest, error) {
	r, s := c.Read, c.Read.Statement
	names := map[string]string{}
	for _, n := range s.Names {
		names[n.Placeholder] = n.Attribute
	}
	projection := projectionOf(r, names)
	if len(names) == 0 {
		names = nil
	}
	if r.Operation == resolve.GetItem {
		key, err := a.getKey(c, nil)
		if err != nil {
			return ReadRequest{}, err
		}
		return ReadRequest{Get: &call.Get{Pattern: p, Key: key, Projection: projection, Names: names, Consistent: s.Consistent}}, nil
	}
	if r.Operation == resolve.BatchGetItem {
		g := &call.Gets{Pattern: p, Projection: projection, Names: names, Consistent: s.Consistent}
		choices, err := a.combinations(c)
		if err != nil {
			return ReadRequest{}, err
		}
		for _, chosen := range choices {
			key, err := a.getKey(c, chosen)
			if err != nil {
				return ReadRequest{}, err
			}
			g.Keys = append(g.Keys, key)
		}
		return ReadRequest{Gets: g, Empty: len(g.Keys) == 0}, nil
	}
	q := &call.Query{
		Pattern: p, KeyCondition: s.KeyCondition, Projection: projection, Names: names,
		Descending: s.Descending, Consistent: s.Consistent, AllAttributes: s.All, Limit: int(c.Pattern.Limit), Segments: int(c.Pattern.Segments),
	}
	return a.query(c, q)
}

// getKey returns the key of a Get.
func (a *Arguments) getKey(c *program.Call, chosen choice) (access.Item, error) {
	key := access.Item{}
	for _, k := range c.Read.Statement.Key {
		v, err := KeyValue(c.Read.Entry.Item.Key(k.Name), k.Low, readKeys(c), a.finder(c, chosen))
		if err != nil {
			return nil, err
		}
		key[k.Name] = v
	}
	return key, nil
}

// query fills a Query with the filter and the requests that depend on the arguments.
func (a *Arguments) query(c *program.Call, q *call.Query) (ReadRequest, error) {
	r, s := c.Read, c.Read.Statement
	for _, k := range r.Partition {
		q.Partition = append(q.Partition, placeholderOf(s, k.Low, k.Kind))
	}
	filter, extra, ok := a.filter(c)
	if !ok {
		return ReadRequest{Query: q, Empty: true}, nil
	}
	q.Filter = filter
	for _, k := range r.Read.Sort {
		if k.MayInvert() {
			q.Between = [2]string{placeholderOf(s, k.Low, k.Kind), placeholderOf(s, k.High, k.Kind)}
		}
	}
	choices, err := a.combinations(c)
	if err != nil {
		return ReadRequest{}, err
	}
	for _, chosen := range choices {
		request, err := a.request(c, chosen, extra)
		if err != nil {
			return ReadRequest{}, err
		}
		q.Requests = append(q.Requests, request)
	}
	return ReadRequest{Query: q, Empty: len(q.Requests) == 0}, nil
}

// typeOf returns the attribute that distinguishes the items of a read from others that the
// same request returns; "" if there are no others, or the path does not project it.
func typeOf(r *program.Read) string {
	path := r.Entry.Path
	mixed := len(r.Mixed) > 0 || len(r.Entities) > 1 || r.Pattern.Verb == model.Collect
	for _, e := range r.Entities {
		sharded := slices.ContainsFunc(e.Counters, func(c *model.Counter) bool { return c.Shards > 1 })
		mixed = mixed || sharded && path.IsTable() && !r.ByKey()
	}
	name := path.Table.Type
	marked := len(r.Marks) > 0 && !r.Marks[0].Prefix // the filter of a scan leaves out all others
	if !mixed || marked || name == "" {
		return ""
	}
	if path.Index != nil && path.Index.Project.Kind != model.ProjectAll && !slices.Contains(path.Index.Project.Attributes, name) {
		return ""
	}
	return name
}

// projectionOf returns the projection of a read: the selected attributes, the keys of the path,
// which every page needs, and the type attribute.
func projectionOf(r *program.Read, names map[string]string) string {
	if len(r.Statement.Projection) == 0 {
		return ""
	}
	var all []string
	wanted := slices.Clone(r.Statement.Projection)
	if !r.ByKey() {
		wanted = append(wanted, r.Keys...)
	}
	if name := typeOf(r); name != "" {
		wanted = append(wanted, name)
	}
	for _, attribute := range wanted {
		placeholder := ""
		for have, stands := range names {
			if stands == attribute {
				placeholder = have
			}
		}
		if placeholder == "" {
			placeholder = "#k" + strconv.Itoa(len(names))
			names[placeholder] = attribute
		}
		if !slices.Contains(all, placeholder) {
			all = append(all, placeholder)
		}
	}
	return strings.Join(all, ", ")
}

// placeholderOf returns the placeholder of the value of a key.
func placeholderOf(s *resolve.Statement, t resolve.Text, kind string) string {
	for _, v := range s.Values {
		if v.Operand == nil && v.Kind == kind && slices.EqualFunc(v.Text, t, func(a, b resolve.TextPart) bool { return a.String() == b.String() && a.Up == b.Up }) {
			return v.Placeholder
		}
	}
	return ""
}

// A choice holds one value of each fan.
type choice map[*program.Fan]sample.Value

// combinations returns all choices. The read sends one request for each.
func (a *Arguments) combinations(c *program.Call) ([]choice, error) {
	all := []choice{{}}
	for _, fan := range c.Read.Fans {
		var next []choice
		values, err := a.fanValues(c, fan)
		if err != nil {
			return nil, err
		}
		for _, have := range all {
			for _, v := range values {
				one := choice{fan: v}
				for f, value := range have {
					one[f] = value
				}
				next = append(next, one)
			}
		}
		all = next
	}
	return all, nil
}

// fanValues returns the values of a fan.
func (a *Arguments) fanValues(c *program.Call, fan *program.Fan) ([]sample.Value, error) {
	var all []sample.Value
	switch {
	case fan.Span != nil:
		return a.periods(c, fan.Span)
	case fan.Shards > 0:
		for n := range fan.Shards {
			all = append(all, sample.Value{Kind: sample.Text, Text: strconv.FormatInt(n, 10)})
		}
	case fan.Values != nil:
		for _, operand := range fan.Values {
			if v, ok := a.Operand(c, nil, operand, fan.Attribute, 0); ok {
				all = append(all, v)
			}
		}
	default:
		all = a.Lists[c.Ref(nil, fan.Param, fan.Attribute).Input]
	}
	return all, nil
}

// periods returns the beginnings of the periods that a range spans.
func (a *Arguments) periods(c *program.Call, s *resolve.Span) ([]sample.Value, error) {
	of := s.Range.Attribute
	var ends [2]time.Time
	for i, v := range s.Range.Values {
		value, ok := a.Bound(c, nil, v, of, 0, resolve.RoundsUp(s.Range, i))
		if !ok {
			return nil, fmt.Errorf("%s: no value is given", of.Name)
		}
		ends[i] = state.TimeOf(value)
	}
	list := map[model.FilterName]func(*marshal.KeyText, string, time.Time, time.Time, int) []time.Time{
		model.ByYear: (*marshal.KeyText).Years, model.ByMon: (*marshal.KeyText).Months,
		model.ByDate: (*marshal.KeyText).Days, model.ByHour: (*marshal.KeyText).Hours,
	}[s.Unit]
	var k marshal.KeyText
	var all []sample.Value
	for _, at := range list(k.Of(readKeys(c).Entity), of.Name, ends[0], ends[1], int(s.Most)) {
		all = append(all, state.TimeAs(at, of))
	}
	return all, k.Err()
}

// finder finds the values of the parts of a key.
func (a *Arguments) finder(c *program.Call, chosen choice) lookup {
	return func(part resolve.TextPart) (sample.Value, bool) {
		if fan := fanOf(c, part); fan != nil {
			v, ok := chosen[fan]
			return v, ok
		}
		return a.Bound(c, nil, *part.Value, part.Attribute, 0, part.Up)
	}
}

// fanOf returns the fan that gives a part of a key its value, or nil.
func fanOf(c *program.Call, part resolve.TextPart) *program.Fan {
	if c.Read == nil {
		return nil
	}
	return c.Read.Fan(part)
}

// readKeys returns the entity whose keys a read uses.
func readKeys(c *program.Call) Keyed {
	item := c.Read.Entry.Item
	return Keyed{item.Entity.Name, item.Table}
}

// request returns the values in which the queries of a call differ, for one choice.
func (a *Arguments) request(c *program.Call, chosen choice, extra access.Item) (call.Request, error) {
	r := call.Request{Values: access.Item{}}
	find := a.finder(c, chosen)
	keys := map[string]*model.Key{}
	for _, key := range slices.Concat(c.Read.Entry.PK, c.Read.Entry.SK) {
		keys[key.Name] = key
	}
	for _, v := range c.Read.Statement.Values {
		if v.List {
			continue
		}
		value, err := a.readValue(c, v, keys, find)
		if err != nil {
			return r, err
		}
		if value != nil {
			r.Values[v.Placeholder] = value
		}
	}
	maps.Copy(r.Values, extra)
	if len(c.Read.Lead) > 0 {
		var k marshal.KeyText
		k.Of(readKeys(c).Entity)
		if err := keyText(&k, c.Read.Lead, keys[c.Read.Sort[0]].Template == nil, find); err != nil {
			return r, err
		}
		r.Lead = k.Len()
	}
	return r, nil
}

// readValue returns the value of a placeholder of a read; nil: the filter asks for items
// without the set, and needs no value.
func (a *Arguments) readValue(c *program.Call, v resolve.Value, keys map[string]*model.Key, find lookup) (types.AttributeValue, error) {
	if v.Operand == nil && c.Read.Operation == resolve.Scan {
		return &types.AttributeValueMemberS{Value: v.Text.Exact()}, nil // of a mark
	}
	if v.Operand == nil {
		key := keyOfValue(c.Read, v, keys)
		if key == nil {
			return nil, fmt.Errorf("%s: no key has this value", v.Placeholder)
		}
		return KeyValue(key, v.Text, readKeys(c), find)
	}
	value, ok := a.Bound(c, nil, *v.Operand, v.Attribute, 0, v.Up)
	switch {
	case state.IsEmptySet(value):
		return nil, nil
	case !ok:
		return nil, fmt.Errorf("%s: no value is given", v.Placeholder)
	}
	return state.AttributeValue(value), nil
}

// keyOfValue returns the key attribute that a value of the statement is compared with.
func keyOfValue(r *program.Read, v resolve.Value, keys map[string]*model.Key) *model.Key {
	sameText := func(t resolve.Text) bool {
		return len(t) > 0 && t.String() == v.Text.String()
	}
	for _, c := range slices.Concat(r.Partition, r.Read.Sort) {
		if c.Kind == v.Kind && (sameText(c.Low) || sameText(c.High)) {
			return keys[c.Name]
		}
	}
	return nil
}

// oneOf returns the condition that an attribute is one of several values, and the values by
// placeholder. DynamoDB accepts 100 values in one IN.
func oneOf(name, placeholder string, values []sample.Value) (string, access.Item) {
	const most = 100
	all := access.Item{}
	var conditions []string
	for chunk := range slices.Chunk(values, most) {
		var placeholders []string
		for _, v := range chunk {
			next := placeholder + strconv.Itoa(len(all))
			placeholders, all[next] = append(placeholders, next), state.AttributeValue(v)
		}
		conditions = append(conditions, name+" IN ("+strings.Join(placeholders, ", ")+")")
	}
	return strings.Join(conditions, " OR "), all
}

// filter returns the filter with one placeholder for each value of a list, and their values;
// false: a list is empty, so that nothing can be found.
func (a *Arguments) filter(c *program.Call) (string, access.Item, bool) {
	var all []string
	extra := access.Item{}
	for _, clause := range c.Read.Statement.Filter {
		text := clause.Text
		for _, v := range clause.Values {
			if v.Operand == nil {
				continue // of a mark
			}
			if v.List {
				condition, values := a.anyOf(c, &clause, v)
				if condition == "" {
					return "", nil, false
				}
				maps.Copy(extra, values)
				text = condition
			} else if value, _ := a.Operand(c, nil, *v.Operand, v.Attribute, 0); state.IsEmptySet(value) {
				text = clause.Else.Text
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, " AND "), extra, true
}

// anyOf returns the condition that an attribute is one of the values of a list, and the
// values; "" if the list is empty.
func (a *Arguments) anyOf(c *program.Call, clause *resolve.Clause, v resolve.Value) (string, access.Item) {
	values := a.Lists[c.Ref(nil, v.Operand.Param, v.Attribute).Input]
	if len(values) == 0 {
		return "", nil
	}
	condition, all := oneOf(clause.Names[0].Placeholder, strings.TrimSuffix(v.Placeholder, "…")+"_", values)
	if strings.Contains(condition, " OR ") {
		condition = "(" + condition + ")"
	}
	return condition, all
}
