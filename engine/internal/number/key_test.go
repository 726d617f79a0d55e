package number_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/number"
)

// goldenKeys lists keys in ascending order. These bytes are on disk: they must never change.
var goldenKeys = []struct{ canonical, key string }{
	{"-" + nines(38) + zeros(88), "7f00" + strings.Repeat("38", 18) + "39"},
	{"-1" + zeros(125), "7f00eb"},
	{"-122.0841", "7f7be6d656eb"},
	{"-42", "7f7cab"},
	{"-1", "7f7deb"},
	{"-0." + zeros(129) + "1", "7fffeb"},
	{"0", "80"},
	{"0." + zeros(129) + "1", "810014"},
	{"0.05", "818064"},
	{"0.5", "818164"},
	{"1", "818214"},
	{"42", "818354"},
	{"50", "818364"},
	{"100", "818414"},
	{"100.5", "8184150a"},
	{"123", "8184193c"},
	{"1699999999999", "818e21c7c7c7c7c7b4"},
	{"1" + zeros(125), "81ff14"},
	{nines(38) + zeros(88), "81ff" + strings.Repeat("c7", 18) + "c6"},
}

func TestKeyBytes(t *testing.T) {
	for _, g := range goldenKeys {
		key := number.AppendKey([]byte("x"), []byte(g.canonical))
		if got := hex.EncodeToString(key[1:]); key[0] != 'x' || got != g.key {
			t.Errorf("key of %s is %s after %q, want %s after x", g.canonical, got, key[0], g.key)
		}
		// The encoding is self-terminating.
		for _, tail := range []string{"", "\x00", "\x80", "\xff\xff"} {
			canonical, rest, err := number.DecodeKey([]byte("x"), append(key[1:len(key):len(key)], tail...))
			if err != nil || string(canonical) != "x"+g.canonical || string(rest) != tail {
				t.Errorf("decoding %s and %q gave %s, rest %q, error %v", g.key, tail, canonical, rest, err)
			}
		}
	}
	if !slices.IsSortedFunc(goldenKeys, func(a, b struct{ canonical, key string }) int { return strings.Compare(a.key, b.key) }) {
		t.Error("keys do not sort like their numbers")
	}
}

func TestMalformedKeys(t *testing.T) {
	for name, key := range map[string]string{
		"Empty":                "",
		"UnknownMarker":        "8214",
		"MarkerOnly":           "81",
		"NegativeMarkerOnly":   "7f",
		"NoDigits":             "8182",
		"NoLastPair":           "818215",
		"NegativeNoLastPair":   "7f7dea",
		"PairAbove99":          "8182c8",
		"PairAbove99NotLast":   "8182ff14",
		"LeadingZeroDigit":     "818202",
		"LeadingZeroPair":      "81820114",
		"TrailingZeroPair":     "81821500",
		"OnlyZeroPair":         "818200",
		"NegativeOnlyZeroPair": "7f7dff",
		"MoreThan38Digits":     "8182" + strings.Repeat("15", 19) + "14",
		"EndlessDigits":        "8182" + strings.Repeat("15", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			src, err := hex.DecodeString(key)
			if err != nil {
				t.Fatal(err)
			}
			canonical, rest, err := number.DecodeKey([]byte("x"), src)
			if err == nil || string(canonical) != "x" || !bytes.Equal(rest, src) {
				t.Errorf("got %q, rest %x, error %v; want an error and nothing consumed", canonical, rest, err)
			}
		})
	}
}
