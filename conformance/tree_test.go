package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// An answer is compared as the tree encoding/json makes of it: objects, lists,
// strings, bools and json.Numbers. All doors end in this form.

// parseObject reads text as exactly one JSON object.
func parseObject(text string) (map[string]any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at := min(int(syntax.Offset), len(text))
			return nil, fmt.Errorf("%w after %q", err, text[max(0, at-40):at])
		}
		return nil, err
	}
	rest := text[decoder.InputOffset():]
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("text after the object: %q", shorten(strings.TrimSpace(rest), 80))
	}
	if object == nil {
		return nil, errors.New("null is not an object")
	}
	return object, nil
}

// anything is the wanted value that matches all there is, and absent the one
// of members that must not be there.
const (
	anything = "*"
	absent   = "(absent)"
)

// A comparison collects how an answer differs from what was wanted.
type comparison struct {
	operation   string
	members     bool // objects may have more members than wanted
	differences []string
}

// compare returns the differences between an answer and what was wanted, one line each.
func compare(operation string, got, want any, members bool) []string {
	c := &comparison{operation: operation, members: members}
	c.value(nil, got, want)
	return c.differences
}

func (c *comparison) differ(path []string, format string, args ...any) {
	where := "the answer"
	if len(path) > 0 {
		where = strings.Join(path, ".")
	}
	c.differences = append(c.differences, where+": "+fmt.Sprintf(format, args...))
}

func (c *comparison) value(path []string, got, want any) {
	if want == anything {
		return
	}
	switch want := want.(type) {
	case map[string]any:
		if got, ok := got.(map[string]any); ok {
			c.object(path, got, want)
			return
		}
	case []any:
		if got, ok := got.([]any); ok {
			c.list(path, got, want)
			return
		}
	default:
		if sameScalar(got, want) {
			return
		}
	}
	c.differ(path, "got %s, want %s", inJSON(got), inJSON(want))
}

func (c *comparison) object(path []string, got, want map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		member, there := got[name]
		switch {
		case there && want[name] == absent:
			c.differ(append(path, name), "not wanted, got %s", inJSON(member))
		case there:
			c.value(append(path, name), member, want[name])
		case want[name] != absent:
			c.differ(append(path, name), "missing, want %s", inJSON(want[name]))
		}
	}
	if c.members {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			c.differ(append(path, name), "not wanted, got %s", inJSON(got[name]))
		}
	}
}

func (c *comparison) list(path []string, got, want []any) {
	if len(got) != len(want) {
		c.differ(path, "got %d elements, want %d: got %s, want %s", len(got), len(want), inJSON(got), inJSON(want))
		return
	}
	if c.unordered(path) {
		c.set(path, got, want)
		return
	}
	for i := range want {
		c.value(append(path, fmt.Sprint(i)), got[i], want[i])
	}
}

// set compares lists without order: each wanted element takes the first answer
// that fits.
func (c *comparison) set(path []string, got, want []any) {
	left := slices.Clone(got)
	for _, element := range want {
		i := slices.IndexFunc(left, func(candidate any) bool {
			trial := &comparison{operation: c.operation, members: c.members}
			trial.value(slices.Clone(path), candidate, element)
			return len(trial.differences) == 0
		})
		if i < 0 {
			c.differ(path, "no element is %s in %s", inJSON(element), inJSON(got))
			return
		}
		left = slices.Delete(left, i, i+1)
	}
}

// unorderedMembers are the lists whose order DynamoDB does not promise.
var unorderedMembers = []string{
	"Tags", "ConsumedCapacity", "Streams",
}

func (c *comparison) unordered(path []string) bool {
	if len(path) == 0 {
		return false
	}
	switch path[0] {
	case "Responses", "UnprocessedItems", "UnprocessedKeys", "ItemCollectionMetrics":
		if len(path) == 2 && path[1] != "SizeEstimateRangeGB" || path[len(path)-1] == "Keys" {
			return true
		}
	case "Items":
		if c.operation == "Scan" && len(path) == 1 {
			return true
		}
	}
	return slices.Contains(unorderedMembers, path[len(path)-1])
}

// sameScalar compares what is neither object nor list; numbers by value.
func sameScalar(got, want any) bool {
	if got, ok := got.(json.Number); ok {
		if want, ok := want.(json.Number); ok {
			a, okA := new(big.Rat).SetString(string(got))
			b, okB := new(big.Rat).SetString(string(want))
			return okA && okB && a.Cmp(b) == 0
		}
		return false
	}
	switch got.(type) {
	case map[string]any, []any:
		return false
	}
	return got == want
}

// inJSON shows a value in a difference.
func inJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return shorten(string(text), 400)
}

// shorten cuts the middle out of a long text.
func shorten(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return fmt.Sprintf("%s ... (%d bytes) ... %s", text[:size/2], len(text), text[len(text)-size/4:])
}
