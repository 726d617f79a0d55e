package iamgen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/loader"
)

// TestOddKeys compares the policies of the odd design with golden files.
func TestOddKeys(t *testing.T) {
	golden(t, "testdata/odd.policies.txt", policiesText(t, Of(load(t, "testdata/odd.design.yaml"), anywhere.Longest())))
}

func TestVariables(t *testing.T) {
	for caller, want := range map[string]string{
		"caller":                             "${aws:PrincipalTag/caller}",
		"aws:username":                       "${aws:username}",
		"cognito-identity.amazonaws.com:sub": "${cognito-identity.amazonaws.com:sub}",
	} {
		if got := Variable(caller); got != want {
			t.Errorf("%s is %s, want %s", caller, got, want)
		}
	}
}

func TestCoversKey(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"", "A#*", true}, {"A#*", "", false}, {"A#*", "A#*", true},
		{"A#*", "A#*#B", true}, {"A#*#B", "A#*", false}, {"A#*#B", "A#x#B", true},
		{"A#*#B#*", "A#1#B#2", true}, {"A#*#B#*", "A#1#C#2", false},
		{"A#${*}", "A#x", false}, {"A#${*}*", "A#${*}x", true}, {"*#A", "B#A", true}, {"A#*A", "A#A", true}, {"AA*AA", "AAA", false},
		{"A#*", "A#${aws:PrincipalTag/id}", true}, {"A#${aws:PrincipalTag/id}", "A#*", false},
	} {
		if got := coversKey(test.a, test.b); got != test.want {
			t.Errorf("%q covers %q: %v", test.a, test.b, got)
		}
	}
}

// A covered grant is dropped, and its pattern is added to the covering one.
func TestMergeDoesNotWidenPermissions(t *testing.T) {
	table := Resource{Table: "t"}
	got := merge([]grant{
		{"GetItem", table, "A#*", nil, []string{"x"}, []string{"P1"}},
		{"GetItem", table, "A#1", nil, nil, []string{"P2"}},
		{"GetItem", table, "A#*", nil, nil, []string{"P3"}},
		{"Query", table, "A#*", nil, nil, []string{"P4"}},
		{"GetItem", table, "B#*", nil, nil, []string{"P5"}},
		{"Query", table, "B#*", nil, nil, []string{"P6"}},
		{"PutItem", table, "B#*", nil, nil, []string{"P7"}},
		{"Query", Resource{Table: "t", Index: "x"}, "", nil, nil, []string{"P8"}},
		{"Query", Resource{Table: "u", Index: "x"}, "", nil, nil, []string{"P9"}},
		{"Query", Resource{Table: "v", Index: "x"}, "C", []string{"1"}, nil, []string{"P10"}},
		{"Query", Resource{Table: "v", Index: "x"}, "D", []string{"2"}, nil, []string{"P11"}},
		{"Query", Resource{Table: "v", Index: "x"}, "E", []string{"2"}, nil, []string{"P12"}},
	})
	want := []Statement{
		{Actions: []string{"GetItem", "Query"}, Resources: []Resource{table}, LeadingKeys: []string{"A#*"}, Patterns: []string{"P1", "P2", "P3", "P4"}},
		{Actions: []string{"Query"}, Resources: []Resource{{Table: "t", Index: "x"}, {Table: "u", Index: "x"}}, Patterns: []string{"P8", "P9"}},
		{Actions: []string{"Query"}, Resources: []Resource{{Table: "v", Index: "x"}}, LeadingKeys: []string{"C"}, Further: [][]string{{"1"}}, Patterns: []string{"P10"}},
		{Actions: []string{"Query"}, Resources: []Resource{{Table: "v", Index: "x"}}, LeadingKeys: []string{"D", "E"}, Further: [][]string{{"2"}}, Patterns: []string{"P11", "P12"}},
		{Actions: []string{"GetItem", "PutItem", "Query"}, Resources: []Resource{table}, LeadingKeys: []string{"B#*"}, Patterns: []string{"P5", "P6", "P7"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
}

// A role with hundreds of partitions needs several documents. Each fits a managed policy, and
// together they contain every key once.
func TestLargePoliciesAreSplit(t *testing.T) {
	source := "design: Large\nentities:\n"
	for i := range 300 {
		source += fmt.Sprintf("  E%d: { id: id, attributes: { id: string }, size: 1KB, count: 10 }\n", i)
	}
	source += "tables:\n  one:\n    pk: PK\n    sk: SK\n    items:\n"
	for i := range 300 {
		source += fmt.Sprintf("      E%d: { PK: \"A-RATHER-LONG-WORD-%d#{id}\", SK: \"X\" }\n", i, i)
	}
	source += "patterns:\n"
	for i := range 300 {
		source += fmt.Sprintf("  Save%d: { put: E%d, rate: 1/day }\n", i, i)
	}
	source += "roles:\n  all-of-them: { patterns: all }\n"
	l := layout(t, []loader.Source{{Name: "large.design.yaml", Text: []byte(source)}})
	policy := Of(l, anywhere.Longest())[0]
	if len(policy.Documents) < 2 {
		t.Fatalf("%d documents", len(policy.Documents))
	}
	var keys, sids []string
	real := ARN{Partition: "aws", Region: "ap-northeast-1", Account: "123456789012"}
	for _, document := range policy.Documents {
		compact, err := document.compact(real.Of)
		if err != nil || len(compact) > MostCharacters {
			t.Errorf("a document of %d characters, %v", len(compact), err)
		}
		for _, s := range document.Statements {
			keys = append(keys, s.LeadingKeys...)
			if slices.Contains(sids, s.Sid) || !isAlphanumeric(s.Sid) {
				t.Errorf("%s is twice there, or no name for a statement", s.Sid)
			}
			sids = append(sids, s.Sid)
		}
	}
	slices.Sort(keys)
	if len(keys) != 300 || len(slices.Compact(keys)) != 300 {
		t.Errorf("%d keys", len(keys))
	}
}

func isAlphanumeric(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
	})
}

// Documents of the apps fit too, and every statement has a unique name.
func TestDocumentsFit(t *testing.T) {
	real := ARN{Partition: "aws", Region: "ap-northeast-1", Account: "123456789012", Prefix: "production-"}
	for _, path := range apps(t) {
		for _, p := range Of(load(t, path), real.Longest()) {
			for _, document := range p.Documents {
				compact, err := document.compact(real.Of)
				if err != nil || len(compact) > MostCharacters {
					t.Errorf("%s of %s: a document of %d characters, %v", p.Role, path, len(compact), err)
				}
				var sids []string
				for _, s := range document.Statements {
					if slices.Contains(sids, s.Sid) || !isAlphanumeric(s.Sid) {
						t.Errorf("%s of %s: %s is twice there, or no name for a statement", p.Role, path, s.Sid)
					}
					sids = append(sids, s.Sid)
				}
			}
		}
	}
}

// Patterns that no key serves have no permissions, and the notes say so.
func TestUnservedPatternsGetNothing(t *testing.T) {
	l := layout(t, []loader.Source{{Name: "x.design.yaml", Text: []byte(`
design: X
entities:
  E: { id: id, attributes: { id: string, other: string }, size: 1KB, count: 10 }
tables:
  one: { pk: id, items: [E] }
patterns:
  Find: { list: E, where: { other: $ }, rate: 1/day }
roles:
  seeker: { patterns: all }
`)}})
	policy := Of(l, anywhere.Longest())[0]
	want := Policy{Role: "seeker", Notes: []string{"Find: no key serves it, so it has no permissions"}}
	if diff := cmp.Diff(want, policy); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Scans are added for the tables a role uses; the documents of its patterns stay unchanged.
func TestScansAreSeparateDocuments(t *testing.T) {
	l := load(t, "testdata/odd.design.yaml")
	plain := Of(l, anywhere.Longest())
	for i, p := range Scans(l, plain) {
		own := plain[i].Documents
		if diff := cmp.Diff(own, p.Documents[:len(own)]); diff != "" || len(p.Documents) != len(own)+1 {
			t.Errorf("%s: %d documents after %d\n%s", p.Role, len(p.Documents), len(own), diff)
			continue
		}
		s := p.Documents[len(own)].Statements[0]
		if !slices.Equal(s.Actions, []string{"Scan"}) || s.Conditions() != nil {
			t.Errorf("%s: %+v", p.Role, s)
		}
		scanned, used := s.Resources, map[Resource]bool{}
		for _, document := range own {
			for _, s := range document.Statements {
				for _, r := range s.Resources {
					used[Resource{Table: r.Table}] = true
				}
			}
		}
		if len(scanned) != len(used) || slices.ContainsFunc(scanned, func(r Resource) bool { return !used[r] }) {
			t.Errorf("%s scans %v and uses %v", p.Role, scanned, used)
		}
	}
}
