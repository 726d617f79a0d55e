package dynamo

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSizes compares the size of each kind of value with figures measured on DynamoDB.
func TestSizes(t *testing.T) {
	tests := []struct {
		name string
		tree any
		want int
	}{
		{"string counts UTF-8 bytes", "né€", 6},
		{"empty string", "", 0},
		{"binary", bin("\x00\x01"), 2},
		{"true", true, 1},
		{"null", nil, 1},
		{"zero", num("0"), 1},
		{"two digits", num("42"), 2},
		{"three digits", num("123"), 3},
		{"fraction", num("3.14159"), 5},
		{"negative", num("-42"), 3},
		{"large power of ten", num("1E125"), 2},
		{"string set", set{KindStringSet, []string{"a", "bcd"}}, 4},
		{"number set", set{KindNumberSet, []string{"1", "23"}}, 4},
		{"empty list", []any{}, 3},
		{"list", []any{"ab", true}, 3 + 2 + 2 + 1},
		{"empty map", map[string]any{}, 3},
		{"map", map[string]any{"k": "ab"}, 3 + 1 + 1 + 2},
		{"nested", []any{map[string]any{"k": []any{}}}, 3 + 1 + (3 + 1 + 1 + 3)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var e Encoder
			write(&e, rand.New(rand.NewPCG(1, 2)), test.tree)
			if got := e.Value(0).Size(); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestItemSizeCountsNames(t *testing.T) {
	var e Encoder
	e.OpenItem()
	e.Name("pk")
	e.String("abc")
	e.Name(strings.Repeat("n", 300))
	e.Null()
	item, err := e.CloseItem()
	if err != nil || item.Size() != 2+3+300+1 {
		t.Errorf("got %d, %v; want 306", item.Size(), err)
	}
}
