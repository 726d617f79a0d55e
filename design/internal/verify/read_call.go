package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// A readRequest is a read with its arguments filled in: a Get or a Query.
type readRequest struct {
	get   *access.Get
	query *access.Query
	none  bool // a list of values is empty, so nothing is asked and nothing found
}

// pattern is what access knows of a read.
func readPattern(c *program.Call, units float64) *access.Pattern {
	path := c.Read.Entry.Path
	p := &access.Pattern{Name: c.Pattern.Name, Table: path.Table.Name, Units: units, Keys: c.Read.Keys, Sort: c.Read.Sort}
	if path.Index != nil {
		p.Index = path.Index.Name
	}
	return p
}

// readCall fills a read with arguments as generated code would.
func readCall(c *program.Call, p *access.Pattern, a *arguments) (readRequest, error) {
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
		key := access.Item{}
		for _, k := range s.Key {
			v, _, err := keyValue(r.Entry.Item.Key(k.Name), k.Low, r.Entry.Item.Entity.Name, a.finder(c, nil))
			if err != nil {
				return readRequest{}, err
			}
			key[k.Name] = v
		}
		return readRequest{get: &access.Get{Pattern: p, Key: key, Projection: projection, Names: names, Consistent: s.Consistent}}, nil
	}
	q := &access.Query{
		Pattern: p, KeyCondition: s.KeyCondition, Projection: projection, Names: names,
		Descending: s.Descending, Consistent: s.Consistent, AllAttributes: s.All, Limit: int(c.Pattern.Limit),
	}
	for _, k := range r.Partition {
		q.Partition = append(q.Partition, placeholderOf(s, k))
	}
	filter, extra, ok := a.filter(c)
	if !ok {
		return readRequest{query: q, none: true}, nil
	}
	q.Filter = filter
	for _, chosen := range a.combinations(c) {
		request, err := a.request(c, chosen, extra)
		if err != nil {
			return readRequest{}, err
		}
		q.Requests = append(q.Requests, request)
	}
	return readRequest{query: q, none: len(q.Requests) == 0}, nil
}

// projectionOf names what is selected and the keys of the path, which every page needs.
func projectionOf(r *program.Read, names map[string]string) string {
	if len(r.Statement.Projection) == 0 {
		return ""
	}
	var all []string
	for _, attribute := range append(slices.Clone(r.Statement.Projection), r.Keys...) {
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

// placeholderOf is the placeholder of a partition key's value.
func placeholderOf(s *resolve.Statement, k resolve.KeyCondition) string {
	for _, v := range s.Values {
		if v.Operand == nil && v.Kind == k.Kind && slices.EqualFunc(v.Text, k.Low, func(a, b resolve.TextPart) bool { return a.String() == b.String() }) {
			return v.Placeholder
		}
	}
	return ""
}

// A choice is one value of each fan.
type choice map[*program.Fan]sample.Value

// combinations are all choices: one request each.
func (a *arguments) combinations(c *program.Call) []choice {
	all := []choice{{}}
	for _, fan := range c.Read.Fans {
		var next []choice
		for _, have := range all {
			for _, v := range a.fanValues(c, fan) {
				one := choice{fan: v}
				for f, value := range have {
					one[f] = value
				}
				next = append(next, one)
			}
		}
		all = next
	}
	return all
}

// fanValues are the values there is one request for each of.
func (a *arguments) fanValues(c *program.Call, fan *program.Fan) []sample.Value {
	var all []sample.Value
	switch {
	case fan.Shards > 0:
		for n := range fan.Shards {
			all = append(all, sample.Value{Kind: sample.Text, Text: strconv.FormatInt(n, 10)})
		}
	case fan.Values != nil:
		for _, operand := range fan.Values {
			if v, ok := a.operand(c, nil, operand, fan.Attribute, 0); ok {
				all = append(all, v)
			}
		}
	default:
		all = a.lists[c.Ref(nil, fan.Param, fan.Attribute).Input]
	}
	return all
}

// finder finds the values of the parts of a key.
func (a *arguments) finder(c *program.Call, chosen choice) lookup {
	return func(part resolve.TextPart) (sample.Value, bool) {
		if fan := fanOf(c, part); fan != nil {
			v, ok := chosen[fan]
			return v, ok
		}
		return a.operand(c, nil, *part.Value, part.Attribute, 0)
	}
}

func fanOf(c *program.Call, part resolve.TextPart) *program.Fan {
	if c.Read == nil {
		return nil
	}
	return c.Read.Fan(part)
}

// request fills in what differs between the queries of a call.
func (a *arguments) request(c *program.Call, chosen choice, extra access.Item) (access.Request, error) {
	r := access.Request{Values: access.Item{}}
	entity, find := c.Read.Entry.Item.Entity.Name, a.finder(c, chosen)
	keys := map[string]*model.Key{}
	for _, key := range slices.Concat(c.Read.Entry.PK, c.Read.Entry.SK) {
		keys[key.Name] = key
	}
	for _, v := range c.Read.Statement.Values {
		switch {
		case v.List:
			continue
		case v.Operand == nil:
			key := keyOfValue(c.Read, v, keys)
			if key == nil {
				return r, fmt.Errorf("%s: no key has this value", v.Placeholder)
			}
			value, _, err := keyValue(key, v.Text, entity, find)
			if err != nil {
				return r, err
			}
			r.Values[v.Placeholder] = value
		default:
			value, ok := a.operand(c, nil, *v.Operand, v.Attribute, 0)
			if !ok {
				return r, fmt.Errorf("%s: nobody gives its value", v.Placeholder)
			}
			r.Values[v.Placeholder] = attributeValue(value)
		}
	}
	for name, v := range extra {
		r.Values[name] = v
	}
	if len(c.Read.Lead) > 0 {
		var k access.KeyText
		k.Of(entity)
		if err := keyText(&k, c.Read.Lead, find); err != nil {
			return r, err
		}
		r.Lead = k.Len()
	}
	return r, nil
}

// keyOfValue is the key attribute a value of the statement is compared with.
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

// filter is the filter with one placeholder for each value of a list, and their values.
// With an empty list nothing can be found.
func (a *arguments) filter(c *program.Call) (string, access.Item, bool) {
	var all []string
	extra := access.Item{}
	for _, clause := range c.Read.Statement.Filter {
		text := clause.Text
		for _, v := range clause.Values {
			if !v.List {
				continue
			}
			values := a.lists[c.Ref(nil, v.Operand.Param, v.Attribute).Input]
			if len(values) == 0 {
				return "", nil, false
			}
			var names []string
			for i, value := range values {
				name := strings.TrimSuffix(v.Placeholder, "…") + "_" + strconv.Itoa(i)
				names = append(names, name)
				extra[name] = attributeValue(value)
			}
			text = strings.ReplaceAll(text, v.Placeholder, strings.Join(names, ", "))
		}
		all = append(all, text)
	}
	return strings.Join(all, " AND "), extra, true
}
