package iamgen

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// me has every property that roles bind.
func me(role *model.Role, id string) caller {
	who := caller{}
	for _, b := range role.Bind {
		who[strings.TrimSuffix(strings.TrimPrefix(Variable(b.Caller), "${"), "}")] = id
	}
	return who
}

// TestRolesMayDoWhatTheirPatternsNeedAndNothingElse asks for every pattern of every design
// in every role's name, about the caller's own items and about somebody else's. What must
// be allowed is read from the plans one by one, without merging anything.
func TestRolesMayDoWhatTheirPatternsNeedAndNothingElse(t *testing.T) {
	for _, path := range append(apps(t), "testdata/odd.design.yaml") {
		l := load(t, path)
		for i, p := range Of(l, anywhere.Longest()) {
			role := l.Design().Roles[i]
			t.Run(filepath.Base(path)+"/"+p.Role, func(t *testing.T) { proveRole(t, l, role, documentsOf(t, p)) })
		}
	}
}

func proveRole(t *testing.T, l *resolve.Layout, role *model.Role, documents []policyJSON) {
	who := me(role, "me-1")
	denied, foreign := 0, 0
	for _, plan := range l.Plans() {
		for _, id := range []string{"me-1", "you-2"} {
			for _, r := range requestsOf(role, plan, id) {
				want := needed(l, role, r)
				got := allows(documents, r, who)
				if got != want {
					t.Errorf("%s of %s: %+v is allowed: %v, must be: %v", plan.Pattern.Name, id, r, got, want)
				}
				if id == "me-1" && slices.Contains(role.Patterns, plan.Pattern) && plan.Served() && !got {
					t.Errorf("%s: its own request is denied: %+v", plan.Pattern.Name, r)
				}
				if !got {
					denied++
				}
				if !got && id == "you-2" && slices.Contains(role.Patterns, plan.Pattern) {
					foreign++
				}
				for _, elsewhere := range []request{{action: "Scan", resource: r.resource}, {action: "DeleteTable", resource: r.resource}} {
					if allows(documents, elsewhere, who) {
						t.Errorf("%s on %s is allowed", elsewhere.action, elsewhere.resource)
					}
				}
			}
		}
	}
	if len(role.Patterns) < len(l.Design().Patterns) && denied == 0 {
		t.Error("the role is denied nothing, though it has not all patterns")
	}
	if len(role.Bind) > 0 && foreign == 0 && holdsBound(l, role) {
		t.Error("the role reaches what belongs to others")
	}
}

// holdsBound reports whether any partition of the role's patterns holds a bound attribute
// where IAM can see it: in a key that is one text.
func holdsBound(l *resolve.Layout, role *model.Role) bool {
	sees := func(keys []resolve.KeyCondition) bool {
		return len(keys) == 1 && keys[0].Kind == "S" && strings.Contains(sampleText(role, keys[0].Low, "me-1"), "me-1")
	}
	for _, p := range role.Patterns {
		plan := l.Plan(p)
		if plan.Read != nil && sees(plan.Read.Partition) {
			return true
		}
		for _, w := range plan.Writes {
			if sees(w.Key[:1]) {
				return true
			}
		}
	}
	return false
}

// requestsOf are the requests generated code sends for a pattern, with the id for every
// bound attribute.
func requestsOf(role *model.Role, plan *resolve.Plan, id string) []request {
	if !plan.Served() {
		return nil
	}
	if r := plan.Read; r != nil {
		return readRequests(role, r, id)
	}
	var all []request
	for _, w := range plan.Writes {
		one := request{action: map[resolve.Operation]string{
			resolve.PutItem: "PutItem", resolve.UpdateItem: "UpdateItem", resolve.DeleteItem: "DeleteItem", resolve.ConditionCheck: "ConditionCheckItem",
		}[w.Operation], resource: arnOf(w.Item.Table, nil)}
		for _, key := range w.Key {
			if key.Name == w.Item.Table.PK.Name {
				one.leading = []string{sampleText(role, key.Low, id)}
			}
		}
		all = append(all, one)
		verb := plan.Pattern.Verb
		if (verb == model.Put || verb == model.Delete) && len(plan.Writes) == 1 && !strings.Contains(conditionOf(w), "#") {
			one.action = "BatchWriteItem"
			all = append(all, one)
		}
	}
	return all
}

func conditionOf(w *resolve.Write) string {
	text, _ := member(w.Request(), "ConditionExpression").(string)
	return text
}

func readRequests(role *model.Role, r *resolve.Read, id string) []request {
	one := request{action: "Query", resource: arnOf(r.Entry.Path.Table, r.Entry.Path.Index), selects: "ALL_ATTRIBUTES"}
	if len(r.Pattern.Select) > 0 {
		one.attributes, one.selects = readAttributes(r), "SPECIFIC_ATTRIBUTES"
	}
	for _, key := range r.Partition {
		one.leading = append(one.leading, sampleText(role, key.Low, id))
	}
	if r.Operation == resolve.GetItem && r.Pattern.Verb == model.Get {
		one.action = "GetItem"
		batch := one
		batch.action = "BatchGetItem"
		if len(r.Pattern.Select) > 0 || len(r.Checks) > 0 {
			return []request{one}
		}
		return []request{one, batch}
	}
	counting := one
	counting.selects, counting.attributes = "COUNT", nil
	return []request{one, counting}
}

func arnOf(t *model.Table, x *model.Index) string {
	if x == nil {
		return "arn:aws:dynamodb:*:*:table/" + t.Name
	}
	return "arn:aws:dynamodb:*:*:table/" + t.Name + "/index/" + x.Name
}

// sampleText is a key with values in it: the id for what is bound, something odd for the rest.
func sampleText(role *model.Role, text resolve.Text, id string) string {
	var b strings.Builder
	for _, part := range text {
		switch {
		case part.Value == nil:
			b.WriteString(part.Literal)
		case part.Each && len(part.Values) > 0 && part.Values[0].IsConstant():
			b.WriteString(part.Values[0].Constant)
		case part.Attribute != nil && bindsAttribute(role, part.Attribute.Name) && len(part.Filters) == 0:
			b.WriteString(id)
		default:
			b.WriteString("v*?$ 7")
		}
	}
	return b.String()
}

func bindsAttribute(role *model.Role, name string) bool {
	return slices.ContainsFunc(role.Bind, func(b model.Binding) bool { return b.Attribute == name })
}

// needed reports whether one of the role's patterns needs the request: the same operation
// on the same path, a partition its key can be, and no more attributes than it names.
func needed(l *resolve.Layout, role *model.Role, r request) bool {
	for _, p := range role.Patterns {
		plan := l.Plan(p)
		if !plan.Served() {
			continue
		}
		for _, own := range requestsOf(role, plan, "me-1") {
			if own.selects == "COUNT" && r.selects != "COUNT" || own.action != r.action || own.resource != r.resource || !fits(role, plan, r) {
				continue
			}
			if own.attributes != nil && (r.selects == "ALL_ATTRIBUTES" || slices.ContainsFunc(r.attributes, func(name string) bool { return !slices.Contains(own.attributes, name) })) {
				continue
			}
			return true
		}
	}
	return false
}

// fits reports whether the partition of a request is one that the plan's requests of that
// action can have.
func fits(role *model.Role, plan *resolve.Plan, r request) bool {
	var keys []resolve.KeyCondition
	if plan.Read != nil {
		keys = plan.Read.Partition
		return len(keys) != 1 || keys[0].Kind != "S" || keyPattern(role, keys[0].Low).MatchString(r.leading[0])
	}
	for _, w := range plan.Writes {
		if arnOf(w.Item.Table, nil) != r.resource || writeActions[w.Operation] != r.action && r.action != "BatchWriteItem" {
			continue
		}
		for _, key := range w.Key {
			if key.Name == w.Item.Table.PK.Name && (key.Kind != "S" || keyPattern(role, key.Low).MatchString(r.leading[0])) {
				return true
			}
		}
	}
	return false
}

func keyPattern(role *model.Role, text resolve.Text) *regexp.Regexp {
	var b strings.Builder
	for _, part := range text {
		switch {
		case part.Value == nil:
			b.WriteString(regexp.QuoteMeta(part.Literal))
		case part.Attribute != nil && bindsAttribute(role, part.Attribute.Name) && len(part.Filters) == 0:
			b.WriteString("me-1")
		case part.Each && len(part.Values) > 0 && part.Values[0].IsConstant():
			var values []string
			for _, v := range part.Values {
				values = append(values, regexp.QuoteMeta(v.Constant))
			}
			b.WriteString("(" + strings.Join(values, "|") + ")")
		default:
			b.WriteString(".*")
		}
	}
	return regexp.MustCompile("^(?s:" + b.String() + ")$")
}
