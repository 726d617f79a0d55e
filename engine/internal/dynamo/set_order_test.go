package dynamo

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// setOf encodes a set.
func setOf(t testing.TB, kind Kind, members ...string) Value {
	t.Helper()
	var e Encoder
	e.OpenSet(kind)
	for _, m := range members {
		if err := e.Member([]byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.CloseSet(); err != nil {
		t.Fatal(err)
	}
	return e.Value(0)
}

func ordered(v Value) (members []string) {
	for m := range v.Ordered() {
		members = append(members, string(m))
	}
	return members
}

func TestSetsAreListedInOrder(t *testing.T) {
	tests := []struct {
		name string
		kind Kind
		sent string
		want string
	}{
		{"integers of one length", KindNumberSet, "30 10 20", "10 20 30"},
		{"integers of several lengths", KindNumberSet, "10 9 2", "2 9 10"},
		{"signs", KindNumberSet, "1 -1 -2 0 -10", "-10 -2 -1 0 1"},
		{"fractions", KindNumberSet, "1.5 1.25 0.5 12", "0.5 1.25 1.5 12"},
		{"integers among fractions of the same length", KindNumberSet, "100 1.5 2.5", "1.5 2.5 100"},
		{"strings by their bytes", KindStringSet, "9 10 b B", "10 9 B b"},
		{"bytes", KindBinarySet, "9 10 -1", "-1 10 9"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(ordered(setOf(t, test.kind, strings.Fields(test.sent)...)), " ")
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestRandomNumberSetsAreListedByValue(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		numbers := map[string]bool{}
		for range 1 + random.IntN(2*smallSet) {
			text := strconv.Itoa(random.IntN(1 << (1 + random.IntN(20))))
			if random.IntN(3) == 0 {
				text += "." + strconv.Itoa(1+random.IntN(9))
			}
			if text != "0" && random.IntN(3) == 0 {
				text = "-" + text
			}
			numbers[text] = true
		}
		var sent []string
		for text := range numbers {
			sent = append(sent, text)
		}
		got := ordered(setOf(t, KindNumberSet, sent...))
		value := func(text string) *big.Rat { r, _ := new(big.Rat).SetString(text); return r }
		if len(got) != len(sent) || !slices.IsSortedFunc(got, func(a, b string) int { return value(a).Cmp(value(b)) }) {
			t.Fatalf("got %v", got)
		}
	}
}

func TestOrderingASmallSetAllocatesNothing(t *testing.T) {
	for _, sent := range []string{"1 2 3", "10 9 -2 1.5", "100 20 3"} {
		v := setOf(t, KindNumberSet, strings.Fields(sent)...)
		total := 0
		if n := testing.AllocsPerRun(100, func() {
			for m := range v.Ordered() {
				total += len(m)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", sent, n)
		}
	}
}
