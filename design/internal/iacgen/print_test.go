package iacgen

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// Texts round-trip through YAML.
func TestYAMLTexts(t *testing.T) {
	for _, text := range []string{
		"", "plain", "two words", "N", "no", "Yes", "true", "null", "~", "42", "4e2", "0x1f", "1:30", "2010-09-09", "2012-10-17",
		"it's", `"quoted"`, "a: b", "a:", ":a", "a #b", "#a", "- a", "-", "[a]", "{a}", "*a", "&a", "!a", "%a", "@a", "`a", "|", ">", "a\nb", "a\tb",
		" lead", "trail ", "ü", "日本", "\x01", "\u2028", "${aws:PrincipalTag/sub}", `back\slash`, "dynamodb:GetItem", "AWS::DynamoDB::Table", "=", "<<",
	} {
		written := yamlText(object{{"key", text}, {"list", list{text, object{{"a", text}}}}})
		var read struct {
			Key  string
			List []any
		}
		if err := yaml.Unmarshal([]byte(written), &read); err != nil {
			t.Errorf("%q is written as %s: %v", text, written, err)
			continue
		}
		want := []any{text, map[string]any{"a": text}}
		if diff := cmp.Diff(want, read.List); read.Key != text || diff != "" {
			t.Errorf("%q is written as %s and read as %q, %s", text, written, read.Key, diff)
		}
	}
}

func TestYAMLShapes(t *testing.T) {
	got := yamlText(object{
		{"Left", nil}, {"Empty", list{}}, {"Out", object{}},
		{"Map", object{{"A", 1}, {"B", true}, {"C", number("2.5")}}},
		{"List", list{"a", list{"b", "c"}, object{{"D", "d"}, {"E", list{"e"}}}, ref("F")}},
		{"If", tagged{"!If", list{"G", list{ref("H")}, ref("AWS::NoValue")}}},
	})
	want := `Map:
  A: 1
  B: true
  C: 2.5
List:
  - a
  - - b
    - c
  - D: d
    E:
      - e
  - !Ref F
If: !If
  - G
  - - !Ref H
  - !Ref AWS::NoValue
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The format is that of terraform fmt: values of adjacent lines are aligned, except on lines
// that open a bracket.
func TestHCLShapes(t *testing.T) {
	got := hclText([]any{
		comment("says"),
		block{`resource "a" "b"`, []any{
			attr{"name", "x"}, attr{"longer_name", raw("var.y")},
			attr{"tags", object{{"a", "1"}, {"b-c", "2"}, {"d e", "3"}}},
			attr{"z", list{"p", "q"}},
			blank{},
			block{"empty", nil},
			attr{"policy", call{"jsonencode", object{{"S", list{object{{"A", list{"x"}}}}}}}},
		}},
	})
	want := `# says
resource "a" "b" {
  name        = "x"
  longer_name = var.y
  tags = {
    a     = "1"
    b-c   = "2"
    "d e" = "3"
  }
  z = ["p", "q"]

  empty {}
  policy = jsonencode({
    S = [
      {
        A = ["x"]
      },
    ]
  })
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHCLTexts(t *testing.T) {
	for text, want := range map[string]string{
		"plain": `"plain"`, `a"b\c`: `"a\"b\\c"`, "a\nb": `"a\nb"`, "${x} %{y} $z": `"$${x} %%{y} $z"`, "\x01": `"\u0001"`,
	} {
		if got := hclString(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	for _, test := range []struct{ name, logical, snake string }{
		{"orders", "OrdersTable", "orders"},
		{"aah-questions", "AahQuestionsTable", "aah_questions"},
		{"ExamBuddyTable", "ExamBuddyTable", "exambuddytable"},
		{"2nd.table", "2ndTable", "t_2nd_table"},
	} {
		if got := tableID(test.name); got != test.logical {
			t.Errorf("%s is %s, want %s", test.name, got, test.logical)
		}
		if got := snake(test.name); got != test.snake {
			t.Errorf("%s is %s, want %s", test.name, got, test.snake)
		}
	}
	n := newNames()
	if a, b, c := n.once("A", ""), n.once("A", ""), n.once("A", "_"); a != "A" || b != "A2" || c != "A_2" {
		t.Errorf("three times A is %s, %s, %s", a, b, c)
	}
}

// Requests for CreateTable are JSON with AWS's names only.
func TestCreateTableIsJSON(t *testing.T) {
	allowed := strings.Fields(`TableName AttributeDefinitions KeySchema GlobalSecondaryIndexes LocalSecondaryIndexes BillingMode
		ProvisionedThroughput TableClass StreamSpecification SSESpecification DeletionProtectionEnabled Tags`)
	for _, path := range designs(t) {
		for _, file := range write(t, "createtable", inputOf(t, path)).Files {
			var request map[string]any
			if err := json.Unmarshal(file.Text, &request); err != nil {
				t.Fatalf("%s: %v", file.Name, err)
			}
			for name := range request {
				if !strings.Contains(" "+strings.Join(allowed, " ")+" ", " "+name+" ") {
					t.Errorf("%s: CreateTable knows no %s", file.Name, name)
				}
			}
		}
	}
}
