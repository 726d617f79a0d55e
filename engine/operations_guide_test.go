package engine

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// The guide has a row for every operation that says what the engine does.
func TestTheGuideListsEveryOperation(t *testing.T) {
	guide, err := os.ReadFile("../docs/guide/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	var names []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z]\w+) \| (\w+) \|`).FindAllStringSubmatch(string(guide), -1) {
		names = append(names, row[1])
		answers[row[1]] = row[2]
	}
	if !slices.Equal(names, dynamo.OperationNames) {
		t.Errorf("the rows are %v, want %v", names, dynamo.OperationNames)
	}
	api := reflect.TypeFor[dynamo.API]()
	for name, answer := range answers {
		want := []string{"full", "local", "fresh"}
		if _, has := api.MethodByName(name); !has {
			want = []string{"later"}
			if dynamo.Refusal(name).Code == dynamo.Validation {
				want = []string{"refused"}
			}
		}
		if !slices.Contains(want, answer) {
			t.Errorf("%s is called %s, and is one of %v", name, answer, want)
		}
	}
}
