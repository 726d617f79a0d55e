package iacgen

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A lineKind is a kind of line, with the bracket it opens or closes.
type lineKind struct {
	shape        *regexp.Regexp
	opens, shuts string
}

// lineKinds lists all kinds of lines in the Terraform code.
var lineKinds = []lineKind{
	{regexp.MustCompile(`^(#.*)?$`), "", ""},
	{regexp.MustCompile(`^[a-z_]+( "[a-z0-9_]+"){0,2} \{$`), "{", ""},
	{regexp.MustCompile(`^data "[a-z_]+" "[a-z]+" \{\}$`), "", ""},
	{regexp.MustCompile(`^("[^"]+"|[A-Za-z_][\w-]*) += \{$`), "{", ""},
	{regexp.MustCompile(`^("[^"]+"|[A-Za-z_][\w-]*) += \[$`), "[", ""},
	{regexp.MustCompile(`^("[^"]+"|[A-Za-z_][\w-]*) += jsonencode\(\{$`), "({", ""},
	{regexp.MustCompile(`^\{$`), "{", ""},
	{regexp.MustCompile(`^\},?$`), "", "{"},
	{regexp.MustCompile(`^\],?$`), "", "["},
	{regexp.MustCompile(`^\}\)$`), "", "({"},
	{regexp.MustCompile(`^"([^"\\]|\\.)*",$`), "", ""},
	{regexp.MustCompile(`^("[^"]+"|[A-Za-z_][\w-]*) += ("([^"\\]|\\.)*"|-?[0-9.]+|true|false|[a-z][\w.]*)$`), "", ""},
	{regexp.MustCompile(`^[a-z_]+ += \[("([^"\\]|\\.)*"|[a-z_]+)(, ("([^"\\]|\\.)*"|[a-z_]+))*\]$`), "", ""},
	{regexp.MustCompile(`^("[^"]+"|[A-Za-z_][\w-]*) += \["([^"\\]|\\.)*"(, "([^"\\]|\\.)*")*\]$`), "", ""},
	{regexp.MustCompile(`^(alarm|ok)_actions += var\.alarm_topic_arn == "" \? \[\] : \[var\.alarm_topic_arn\]$`), "", ""},
}

// TestTerraformIsWellFormed checks the code line by line: every line is of a known kind,
// brackets are balanced, no block has an attribute twice, and no two blocks have the same
// address.
func TestTerraformIsWellFormed(t *testing.T) {
	for _, path := range designs(t) {
		in := inputOf(t, path)
		for name, text := range map[string][]byte{
			"tables": write(t, "terraform", in).Files[0].Text, "policies": PolicyModule(in.Layout.Design(), in.Policies, ""),
		} {
			wellFormed(t, path+" "+name, string(text))
		}
	}
}

func wellFormed(t *testing.T, name, text string) {
	t.Helper()
	var open []string
	addresses, names := map[string]bool{}, []map[string]bool{{}}
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		bare := strings.TrimSpace(line)
		i := slices.IndexFunc(lineKinds, func(kind lineKind) bool { return kind.shape.MatchString(bare) })
		if i < 0 {
			t.Fatalf("%s:%d: what is %q?", name, n+1, bare)
		}
		kind := lineKinds[i]
		if len(open) == 0 && kind.opens != "" {
			if addresses[bare] && strings.Contains(bare, `"`) {
				t.Errorf("%s:%d: %s is there twice", name, n+1, bare)
			}
			addresses[bare] = true
		}
		if attribute, _, is := strings.Cut(bare, " = "); is && !strings.HasPrefix(bare, "#") {
			here := names[len(names)-1]
			if attribute = strings.TrimSpace(attribute); here[attribute] {
				t.Errorf("%s:%d: %s is said twice", name, n+1, attribute)
			}
			here[attribute] = true
		}
		if kind.shuts != "" {
			if len(open) == 0 || open[len(open)-1] != kind.shuts {
				t.Fatalf("%s:%d: %q closes nothing", name, n+1, bare)
			}
			open, names = open[:len(open)-1], names[:len(names)-1]
		}
		if kind.opens != "" {
			open, names = append(open, kind.opens), append(names, map[string]bool{})
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: %v is not closed", name, open)
	}
}
