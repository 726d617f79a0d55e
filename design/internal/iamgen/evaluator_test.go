package iamgen

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A request holds the properties of a request that IAM evaluates.
type request struct {
	action, resource string
	leading          []string
	further          []string // the second to fourth attribute of the partition key; "": not a string
	visible          bool     // whether dynamodb:LeadingKeys applies: the key is a string
	returns          string   // "", NONE, ALL_OLD or ALL_NEW
	attributes       []string // named in its expressions
	selects          string   // "", ALL_ATTRIBUTES, SPECIFIC_ATTRIBUTES or COUNT
}

// A caller maps policy variables to the caller's properties.
type caller map[string]string

// documentsOf returns the documents of a policy, decoded from JSON.
func documentsOf(t *testing.T, p Policy) []policyJSON {
	t.Helper()
	var all []policyJSON
	for _, document := range p.Documents {
		text, err := document.JSON(anywhere.Of)
		if err != nil {
			t.Fatal(err)
		}
		var parsed policyJSON
		if err := json.Unmarshal(text, &parsed); err != nil {
			t.Fatal(err)
		}
		all = append(all, parsed)
	}
	return all
}

// allows evaluates the documents as IAM would: everything not allowed is denied.
func allows(documents []policyJSON, r request, who caller) bool {
	for _, d := range documents {
		for _, s := range d.Statement {
			if s.Effect == "Allow" && slices.Contains(s.Action, "dynamodb:"+r.action) &&
				slices.Contains(s.Resource, r.resource) && holds(s.Condition, r, who) {
				return true
			}
		}
	}
	return false
}

func holds(conditions map[string]map[string][]string, r request, who caller) bool {
	for operator, keys := range conditions {
		for key, patterns := range keys {
			if !holdsOne(operator, patterns, valuesOf(key, r), who) {
				return false
			}
		}
	}
	return true
}

func valuesOf(key string, r request) []string {
	switch key {
	case "dynamodb:LeadingKeys":
		return r.leading
	case "dynamodb:SecondPartitionKeyValues":
		return r.further[:1]
	case "dynamodb:ThirdPartitionKeyValues":
		return r.further[1:2]
	case "dynamodb:FourthPartitionKeyValues":
		return r.further[2:3]
	case "dynamodb:ReturnValues":
		if r.returns != "" {
			return []string{r.returns}
		}
	case "dynamodb:Attributes":
		return r.attributes
	case "dynamodb:Select":
		if r.selects != "" {
			return []string{r.selects}
		}
	}
	return nil
}

func holdsOne(operator string, patterns, values []string, who caller) bool {
	switch operator {
	case "ForAllValues:StringEquals", "StringEqualsIfExists":
		return !slices.ContainsFunc(values, func(v string) bool { return !matchesAny(patterns, v, who, false) })
	case "ForAllValues:StringLike":
		return !slices.ContainsFunc(values, func(v string) bool { return !matchesAny(patterns, v, who, true) })
	}
	return false // an operator the policies must not have
}

var policyVariable = regexp.MustCompile(`\$\{([^}]*)\}`)

// matchesAny compares a value with patterns that contain policy variables. A variable that
// the caller does not have matches nothing.
func matchesAny(patterns []string, value string, who caller, like bool) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		missing := false
		var expression strings.Builder
		expression.WriteString("(?s)^")
		at := 0
		for _, place := range append(policyVariable.FindAllStringSubmatchIndex(pattern, -1), []int{len(pattern), len(pattern), 0, 0}) {
			plain := regexp.QuoteMeta(pattern[at:place[0]])
			if like {
				plain = strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(plain)
			}
			expression.WriteString(plain)
			at = place[1]
			switch name := pattern[place[2]:place[3]]; name {
			case "":
			case "*", "?", "$":
				expression.WriteString(regexp.QuoteMeta(name))
			default:
				property, ok := who[name]
				missing = missing || !ok
				expression.WriteString(regexp.QuoteMeta(property))
			}
		}
		return !missing && regexp.MustCompile(expression.String()+"$").MatchString(value)
	})
}

func TestEvaluatorIsAsStrictAsIAM(t *testing.T) {
	document := func(condition map[string]map[string][]string) []policyJSON {
		return []policyJSON{{Statement: []statementJSON{{Effect: "Allow", Action: []string{"dynamodb:Query"}, Resource: []string{"t"}, Condition: condition}}}}
	}
	leading := func(operator string, patterns ...string) []policyJSON {
		return document(map[string]map[string][]string{operator: {"dynamodb:LeadingKeys": patterns}})
	}
	me := caller{"aws:PrincipalTag/id": "me"}
	for _, test := range []struct {
		name      string
		documents []policyJSON
		request   request
		want      bool
	}{
		{"another action", document(nil), request{action: "GetItem", resource: "t"}, false},
		{"another resource", document(nil), request{action: "Query", resource: "u"}, false},
		{"no condition", document(nil), request{action: "Query", resource: "t"}, true},
		{"equal", leading("ForAllValues:StringEquals", "A#${aws:PrincipalTag/id}"), request{action: "Query", resource: "t", leading: []string{"A#me"}}, true},
		{"equal, other", leading("ForAllValues:StringEquals", "A#${aws:PrincipalTag/id}"), request{action: "Query", resource: "t", leading: []string{"A#you"}}, false},
		{"a star is a star", leading("ForAllValues:StringEquals", "A#*"), request{action: "Query", resource: "t", leading: []string{"A#you"}}, false},
		{"like", leading("ForAllValues:StringLike", "A#*"), request{action: "Query", resource: "t", leading: []string{"A#you"}}, true},
		{"like, all of them", leading("ForAllValues:StringLike", "A#*"), request{action: "Query", resource: "t", leading: []string{"A#you", "B#you"}}, false},
		{"escaped", leading("ForAllValues:StringLike", "A#${*}"), request{action: "Query", resource: "t", leading: []string{"A#you"}}, false},
		{"nobody", leading("ForAllValues:StringLike", "A#${aws:PrincipalTag/none}*"), request{action: "Query", resource: "t", leading: []string{"A#you"}}, false},
		{"unknown operator", leading("StringFoo", "A"), request{action: "Query", resource: "t", leading: []string{"A"}}, false},
	} {
		if got := allows(test.documents, test.request, me); got != test.want {
			t.Errorf("%s: allowed is %v", test.name, got)
		}
	}
}
