package iamgen

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// me returns a caller with every property that the role binds.
func me(role *model.Role, id string) caller {
	who := caller{}
	for _, b := range role.Bind {
		who[strings.TrimSuffix(strings.TrimPrefix(Variable(b.Caller), "${"), "}")] = id
	}
	return who
}

// TestRolesAllowExactlyTheirPatterns evaluates the requests of every call of every design for
// every role: with the caller's value for bound inputs and another value for all others, and
// with another value for bound inputs, too. Exactly the requests that one of the role's own
// calls sends with the caller's value for bound inputs and any value for the others must be
// allowed. The requests come from package program, which package iamgen does not use.
func TestRolesAllowExactlyTheirPatterns(t *testing.T) {
	for _, path := range append(apps(t), "testdata/odd.design.yaml") {
		l := load(t, path)
		p := program.New(l)
		for i, policy := range Of(l, anywhere.Longest()) {
			role := l.Design().Roles[i]
			t.Run(filepath.Base(path)+"/"+role.Name, func(t *testing.T) { proveRole(t, p, role, documentsOf(t, policy)) })
		}
	}
}

func proveRole(t *testing.T, p *program.Program, role *model.Role, documents []policyJSON) {
	who := me(role, "me-1")
	denied := 0
	for _, call := range p.Calls {
		own := slices.Contains(role.Patterns, call.Pattern)
		for _, bound := range []string{"me-1", "you-2"} {
			for _, r := range requestsOf(call, filling{role, bound, "else *?$ 7"}) {
				want, got := needed(p, role, r), allows(documents, r, who)
				if got != want {
					t.Errorf("%s of %s: %+v is allowed: %v, must be: %v", call.Pattern.Name, bound, r, got, want)
				}
				if own && bound == "me-1" && !got {
					t.Errorf("%s: the caller's own request is denied: %+v", call.Pattern.Name, r)
				}
				if !got {
					denied++
				}
				if r.action == "PutItem" || r.action == "DeleteItem" || r.action == "UpdateItem" {
					r.returns = "ALL_OLD"
					if allows(documents, r, who) {
						t.Errorf("%s of %s: %s may return the item it changes", call.Pattern.Name, bound, r.action)
					}
				}
				for _, elsewhere := range []string{"Scan", "DeleteTable"} {
					scan := request{action: elsewhere, resource: r.resource, selects: "COUNT"}
					if !needed(p, role, scan) && allows(documents, request{action: elsewhere, resource: r.resource}, who) {
						t.Errorf("%s on %s is allowed", elsewhere, r.resource)
					}
				}
			}
		}
	}
	if len(role.Patterns) < len(p.Calls) && denied == 0 {
		t.Error("the role is denied nothing, though it has not all patterns")
	}
}

// TestItemsOfOtherCallersAreDenied checks roles with a single pattern: where a key that IAM
// evaluates contains the bound attribute, the same call for another caller is denied.
func TestItemsOfOtherCallersAreDenied(t *testing.T) {
	held := 0
	for _, path := range append(apps(t), "testdata/odd.design.yaml") {
		l := load(t, path)
		p := program.New(l)
		for _, role := range l.Design().Roles {
			for _, call := range p.Calls {
				if len(role.Bind) == 0 || !slices.Contains(role.Patterns, call.Pattern) {
					continue
				}
				alone := &model.Role{Name: role.Name, Bind: role.Bind, Patterns: []*model.Pattern{call.Pattern}}
				held += proveAlone(t, call, alone, documentsOf(t, policyOf(l, alone, nil, anywhere.Longest())))
			}
		}
	}
	if held < 50 {
		t.Errorf("only %d requests hold what is bound", held)
	}
}

func proveAlone(t *testing.T, call *program.Call, role *model.Role, documents []policyJSON) int {
	who := me(role, "me-1")
	mine, others := requestsOf(call, filling{role, "me-1", "else"}), requestsOf(call, filling{role, "you-2", "else"})
	held := 0
	for i, r := range mine {
		if !allows(documents, r, who) {
			t.Errorf("%s of %s: %+v is denied", call.Pattern.Name, role.Name, r)
		}
		if !r.visible && len(r.further) == 0 || slices.Equal(r.leading, others[i].leading) && slices.Equal(r.further, others[i].further) {
			continue
		}
		held++
		// The same call may send it with other values: a requirement about both sides.
		excused := slices.ContainsFunc(mine, func(have request) bool {
			return have.action == r.action && have.resource == r.resource &&
				slices.Equal(have.leading, []string{strings.ReplaceAll(others[i].leading[0], "you-2", "else")})
		})
		if allows(documents, others[i], who) && !excused {
			t.Errorf("%s of %s: %+v belongs to another caller and is allowed", call.Pattern.Name, role.Name, others[i])
		}
	}
	return held
}

// A member who joins a queue is checked against the blocks of the seller, and has no other
// permissions on the seller.
func TestRequirementsAboutOtherCallers(t *testing.T) {
	l := load(t, "../../../apps/ecobid/ecobid.design.yaml")
	i := slices.IndexFunc(l.Design().Roles, func(r *model.Role) bool { return r.Name == "member" })
	documents := documentsOf(t, Of(l, anywhere.Longest())[i])
	who := caller{"aws:PrincipalTag/caller": "me-1"}
	for action, want := range map[string]bool{"ConditionCheckItem": true, "PutItem": false, "GetItem": false, "Query": false, "DeleteItem": false} {
		r := request{action: action, resource: "arn:aws:dynamodb:*:*:table/ecobid", leading: []string{"USER#seller-9"}}
		if got := allows(documents, r, who); got != want {
			t.Errorf("%s on the seller is allowed: %v", action, got)
		}
		r.leading = []string{"USER#me-1"}
		if !allows(documents, r, who) {
			t.Errorf("%s on the caller is denied", action)
		}
	}
}

// A filling assigns values to the inputs of a call: one value to bound inputs, another to all
// others.
type filling struct {
	role         *model.Role
	bound, other string
}

// of returns the value of a reference. An input is bound by its name; for an item passed whole
// or by its key, by the attribute.
func (f filling) of(ref program.Ref) string {
	name := ref.Input.Name
	switch ref.Input.Kind {
	case program.Whole:
		name = ref.Attribute.Name
	case program.Key:
		i := slices.IndexFunc(ref.Input.Members, func(m *program.Input) bool { return m.Attribute == ref.Attribute })
		name = ref.Input.Members[i].Name
	case program.Group:
		name = ref.Member.Name
	}
	if slices.ContainsFunc(f.role.Bind, func(b model.Binding) bool { return b.Attribute == name }) {
		return f.bound
	}
	return f.other
}

// keys returns the texts of a key, one per combination of its values.
func (f filling) keys(call *program.Call, w *program.WriteStep, text resolve.Text) []string {
	keys := []string{""}
	for _, part := range text {
		var ends []string
		switch {
		case part.Value == nil:
			ends = []string{part.Literal}
		case shardsOf(part) > 0:
			for i := range shardsOf(part) {
				ends = append(ends, fmt.Sprint(part.FirstShard+i))
			}
		case len(part.Values) > 0:
			for _, v := range part.Values {
				ends = append(ends, f.operand(call, w, v, part))
			}
		default:
			ends = []string{f.operand(call, w, *part.Value, part)}
		}
		var longer []string
		for _, key := range keys {
			for _, end := range ends {
				longer = append(longer, key+end)
			}
		}
		keys = longer
	}
	return keys
}

// shardsOf returns the number of shards of a part; 0 if it is not a shard or has too many to
// list.
func shardsOf(part resolve.TextPart) int64 {
	for _, f := range part.Filters {
		if f.Name == model.Shard && f.N <= 20 {
			return int64(f.N)
		}
	}
	return min(part.Shards, 20) % 20
}

// operand returns one value in a key. A filtered value is no caller's property.
func (f filling) operand(call *program.Call, w *program.WriteStep, v model.Operand, part resolve.TextPart) string {
	switch {
	case len(part.Filters) > 0:
		return f.other
	case v.IsConstant():
		return v.Constant
	}
	ref := call.Ref(w, v.Param, part.Attribute)
	if ref.IsZero() {
		return f.other
	}
	return f.of(ref)
}

// requestsOf returns the requests generated code sends for a call.
func requestsOf(call *program.Call, f filling) []request {
	if call.Read != nil {
		return readRequests(call, f)
	}
	var all []request
	for _, w := range call.Writes {
		for _, key := range w.Key {
			if key.Name != w.Item.Table.PK.Name {
				continue
			}
			for _, text := range f.keys(call, w, key.Low) {
				one := request{action: map[resolve.Operation]string{
					resolve.PutItem: "PutItem", resolve.UpdateItem: "UpdateItem", resolve.DeleteItem: "DeleteItem", resolve.ConditionCheck: "ConditionCheckItem",
				}[w.Operation], resource: arnOf(w.Item.Table, nil), leading: []string{text}, visible: key.Kind == "S"}
				if one.action == "UpdateItem" && !call.Transaction() {
					one.returns = "ALL_NEW"
				}
				all = append(all, one)
				if verb := call.Pattern.Verb; (verb == model.Put || verb == model.Delete) && !call.Transaction() && len(w.Statement.Condition) == 0 {
					one.action = "BatchWriteItem"
					all = append(all, one)
				}
			}
		}
	}
	return all
}

func readRequests(call *program.Call, f filling) []request {
	r := call.Read.Read
	one := request{action: "Query", resource: arnOf(r.Entry.Path.Table, r.Entry.Path.Index), selects: "ALL_ATTRIBUTES"}
	one.visible = len(r.Partition) > 0 && r.Partition[0].Kind == "S"
	if len(r.Pattern.Select) > 0 {
		one.attributes, one.selects = readAttributes(r), "SPECIFIC_ATTRIBUTES"
	}
	if r.Operation == resolve.Scan {
		one.action = "Scan"
		count := one
		count.selects, count.attributes = "COUNT", nil
		return append([]request{one, count}, summed(call, f)...)
	}
	combinations := [][]string{{}}
	for _, part := range r.Partition {
		texts := f.keys(call, nil, part.Low)
		if part.Kind != "S" {
			texts = []string{""}
		}
		combinations = combined(combinations, texts)
	}
	var all []request
	for _, key := range combinations {
		one, other := one, one
		one.leading, one.further = key[:1], key[1:]
		other.leading, other.further = one.leading, one.further
		switch {
		case !r.ByKey() || r.Pattern.Verb != model.Get:
			other.selects, other.attributes = "COUNT", nil
			all = append(all, one, other)
		case r.Operation == resolve.BatchGetItem:
			one.action = "BatchGetItem"
			all = append(all, one)
		case len(r.Pattern.Select) > 0 || len(r.Checks) > 0 || r.Queries > 1:
			one.action = "GetItem"
			all = append(all, one)
		default:
			one.action, other.action = "GetItem", "BatchGetItem"
			all = append(all, one, other)
		}
	}
	return append(all, summed(call, f)...)
}

// summed returns the requests that read the shards of the counters of a read.
func summed(call *program.Call, f filling) []request {
	r := call.Read.Read
	var all []request
	for _, e := range r.Entities {
		for _, c := range e.Counters {
			selected := slices.ContainsFunc(r.Pattern.Select, func(a *model.Attribute) bool { return a.Name == c.Attribute.Name })
			if c.Shards > 1 && (selected || len(r.Pattern.Select) == 0) {
				all = append(all, sumRequests(call, f, e, c)...)
			}
		}
	}
	return all
}

// sumRequests returns the requests that read the shards of a counter: their keys and number.
// The shards are in the partition that is read, or in one the caller passes.
func sumRequests(call *program.Call, f filling, e *model.Entity, c *model.Counter) []request {
	r := call.Read.Read
	table := r.Entry.Path.Table
	keys := []string{""}
	if r.Entry.Path.IsTable() && r.Operation != resolve.Scan {
		keys = f.keys(call, nil, r.Partition[0].Low)
	} else {
		for _, part := range table.Item(e).Key(table.PK.Name).Parts() {
			switch bound := func(b model.Binding) bool { return b.Attribute == part.Attribute.Name }; {
			case !part.IsHole():
				keys[0] += part.Literal
			case len(part.Filters) == 0 && slices.ContainsFunc(f.role.Bind, bound):
				keys[0] += f.bound
			default:
				keys[0] += f.other
			}
		}
	}
	var all []request
	for _, key := range keys {
		for n := range c.Shards {
			one := request{action: "BatchGetItem", resource: arnOf(table, nil), selects: "SPECIFIC_ATTRIBUTES", visible: true, leading: []string{key}}
			one.attributes = []string{c.Attribute.Stored, table.PK.Name}
			if table.SK.Name != "" {
				one.attributes = append(one.attributes, table.SK.Name)
			} else {
				one.leading = []string{fmt.Sprintf("%s#%s#%d", key, c.Attribute.Name, n)}
			}
			all = append(all, one)
		}
	}
	return all
}

func arnOf(t *model.Table, x *model.Index) string {
	if x == nil {
		return "arn:aws:dynamodb:*:*:table/" + t.Name
	}
	return "arn:aws:dynamodb:*:*:table/" + t.Name + "/index/" + x.Name
}

// anything stands for a value that the caller chooses.
const anything = "\x00"

// possible reports whether a key can have a value.
func possible(key, value string) bool {
	return regexp.MustCompile("(?s)^" + strings.ReplaceAll(regexp.QuoteMeta(key), anything, ".*") + "$").MatchString(value)
}

// needed reports whether one of the role's calls can send the request for the caller: the same
// operation on the same path, a possible partition key, and no further attributes.
func needed(p *program.Program, role *model.Role, r request) bool {
	for _, pattern := range role.Patterns {
		call := p.Call(pattern)
		if call == nil {
			continue
		}
		for _, own := range requestsOf(call, filling{role, "me-1", anything}) {
			switch {
			case own.action != r.action || own.resource != r.resource || own.selects == "COUNT" && r.selects != "COUNT":
				continue
			case own.attributes != nil && r.selects == "ALL_ATTRIBUTES":
				continue
			case own.attributes != nil && slices.ContainsFunc(r.attributes, func(name string) bool { return !slices.Contains(own.attributes, name) }):
				continue
			case own.visible && !possible(own.leading[0], r.leading[0]) || !slices.EqualFunc(own.further, r.further, possible):
				continue
			}
			return true
		}
	}
	return false
}
