package wire

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// randomValue returns an AttributeValue as encoding/json would marshal it, in
// the form of a response: canonical numbers, sorted sets.
func randomValue(r *rand.Rand, levels int) map[string]any {
	kinds := 10
	if levels == 0 {
		kinds = 8
	}
	switch r.IntN(kinds) {
	case 0, 1:
		return map[string]any{"S": randomText(r)}
	case 2:
		return map[string]any{"N": strconv.Itoa(r.IntN(2_000_000) - 1_000_000)}
	case 3:
		return map[string]any{"B": base64.StdEncoding.EncodeToString([]byte(randomText(r)))}
	case 4:
		return map[string]any{"BOOL": r.IntN(2) == 0}
	case 5:
		return map[string]any{"NULL": true}
	case 6:
		set := []any{}
		for i := range 1 + r.IntN(4) {
			set = append(set, fmt.Sprintf("%d%s", i, randomText(r)))
		}
		return map[string]any{"SS": set}
	case 7:
		return map[string]any{"NS": []any{"-2", "1", "3.5", "25"}}
	case 8:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, randomValue(r, levels-1))
		}
		return map[string]any{"L": list}
	default:
		return map[string]any{"M": randomItem(r, levels-1)}
	}
}

func randomItem(r *rand.Rand, levels int) map[string]any {
	item := map[string]any{}
	for range r.IntN(6) {
		item[randomText(r)] = randomValue(r, levels)
	}
	return item
}

// randomText returns a text of characters that JSON treats in different ways.
func randomText(r *rand.Rand) string {
	alphabet := []rune("abcdefghijABCDEFGHIJ \"\\/\b\f\n\r\t\x00\x1f\x7fäß€漢\u2028\ufffd😀𝄞")
	text := make([]rune, r.IntN(20))
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(text)
}

func TestRandomItemsComeBack(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		want := randomItem(r, 5)
		var text []byte
		if r.IntN(2) == 0 {
			text, _ = json.Marshal(want)
		} else {
			text, _ = json.MarshalIndent(want, " ", "\t")
		}
		got := decoded(t, string(appendItem(nil, readItem(t, string(text)))))
		if diff := cmp.Diff(any(want), got); diff != "" {
			t.Fatalf("seed %d, %s (-want +got):\n%s", seed, text, diff)
		}
	}
}
