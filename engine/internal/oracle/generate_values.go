package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Values come from small pools. They include prefixes of each other, bytes that
// encodings often treat specially, and equal numbers in different spellings.
var (
	stringPool = []string{"a", "ab", "b", "a\x00", "a\x00\x01", "\u00e9", "\U0001f600", "~"}
	binaryPool = []string{"\x00", "\x00\x00", "\x00\xff", "\x01", "\xff", "\xff\xff"}
	numberPool = []string{"-10.5", "-0.001", "0", "1", "3", "12", "1000", "99999999999999999999999999999999999999",
		"1e-130", "-1e-130", "-9.9999999999999999999999999999999999999e125", "1e125"}
	spellings  = map[string][]string{"0": {"-0", "0.00"}, "1": {"1.0", "1e0", "01"}, "1000": {"1E3", "1000.0"}, "-10.5": {"-1.05E1"}}
	oddNumbers = []string{"1e37", "0.1", "-1e125", "9.9999999999999999999999999999999999999e125", "1e-130", "-3.14159", "0.00000000000000000000000000000000000001"}
)

// keyValue returns a value of a key type from a pool of up to n.
func (g *generator) keyValue(kind string, n int) types.AttributeValue {
	switch kind {
	case "N":
		number := numberPool[g.IntN(min(n, len(numberPool)))]
		if others := spellings[number]; others != nil && g.oneIn(3) {
			number = pick(g, others...)
		}
		return N(number)
	case "B":
		return B(binaryPool[g.IntN(min(n, len(binaryPool)))])
	}
	return S(stringPool[g.IntN(min(n, len(stringPool)))])
}

// key returns a key of a table, mostly an existing one.
func (g *generator) key(t *table) Item {
	if len(t.items) > 0 && g.oneIn(2) {
		return only(g.item(t), t.key()...)
	}
	if t.sort == "" {
		return Item{t.hash: g.keyValue(t.types[t.hash], 8)}
	}
	return Item{t.hash: g.keyValue(t.types[t.hash], 3), t.sort: g.keyValue(t.types[t.sort], 12)}
}

// item returns an existing item; nil if there is none.
func (g *generator) item(t *table) Item {
	if len(t.items) == 0 {
		return nil
	}
	return t.items[pick(g, slices.Sorted(maps.Keys(t.items))...)]
}

// badKey returns a key, mostly a valid one.
func (g *generator) badKey(t *table) Item {
	key := g.key(t)
	if !g.oneIn(40) {
		return key
	}
	key = maps.Clone(key)
	switch g.IntN(4) {
	case 0:
		delete(key, pick(g, t.key()...))
	case 1:
		key["extra"] = S("a")
	case 2:
		name := pick(g, t.key()...)
		key[name] = g.keyValue(pick(g, slices.DeleteFunc([]string{"S", "N", "B"}, func(k string) bool { return k == t.types[name] })...), 4)
	default:
		if name := pick(g, t.key()...); t.types[name] == "S" {
			key[name] = S("")
		} else if t.types[name] == "B" {
			key[name] = B("")
		}
	}
	return key
}

// wholeItem returns a whole item for a key.
func (g *generator) wholeItem(key Item) Item {
	it := maps.Clone(key)
	for _, name := range keyAttributes {
		if g.IntN(5) < 3 {
			it[name] = g.indexValue(name)
		}
	}
	for _, name := range []string{"l", "m", "n", "t", "u", "v", "w", "z", "value", "x.y"} {
		if g.oneIn(3) {
			it[name] = g.attribute(name)
		}
	}
	if g.oneIn(25) {
		it["z"] = S(strings.Repeat("x", pick(g, 900, 1010, 1100, 4000, 5000)))
	}
	if g.oneIn(g.rarelyLarge) {
		it["large"] = S(strings.Repeat("x", pick(g, 100<<10, 300<<10, 300<<10, 390<<10, 390<<10, 410<<10)))
	}
	return it
}

// indexValue returns a value of an attribute that may be the key of an index, mostly a valid one.
func (g *generator) indexValue(name string) types.AttributeValue {
	switch {
	case g.careful:
	case g.oneIn(120):
		return g.document(1)
	case g.oneIn(150) && keyTypes[name] == "S":
		return S("")
	case g.oneIn(150) && keyTypes[name] == "B":
		return B("")
	case g.oneIn(200) && keyTypes[name] == "S":
		return S(strings.Repeat("x", pick(g, 1024, 1025, 2048, 2049)))
	}
	return g.keyValue(keyTypes[name], 5)
}

// attribute returns a value for an attribute that is never a key.
func (g *generator) attribute(name string) types.AttributeValue {
	switch name {
	case "l":
		return g.list(2)
	case "m":
		return g.mapping(2)
	case "n":
		return g.number()
	case "t":
		return g.moment()
	case "u":
		return g.set("SS")
	case "v":
		return g.set("NS")
	case "w":
		return g.set("BS")
	}
	return g.document(2)
}

func (g *generator) number() types.AttributeValue {
	if g.oneIn(8) {
		return N(pick(g, oddNumbers...))
	}
	return g.keyValue("N", 7)
}

// moment returns the expiry time of an item: soon, later, long ago, or never.
func (g *generator) moment() types.AttributeValue {
	now := g.model.now.Unix()
	switch g.IntN(8) {
	case 0:
		return S("never")
	case 1:
		return N(fmt.Sprint(now - int64(pick(g, 0, 1, 5, 6*365*24*60*60))))
	case 2:
		return N(fmt.Sprintf("%d.5", now+int64(g.IntN(100))))
	}
	return N(fmt.Sprint(now + int64(g.IntN(4000))))
}

// set returns a set of one to three members.
func (g *generator) set(kind string) types.AttributeValue {
	seen := map[string]bool{}
	var all []types.AttributeValue
	for range 1 + g.IntN(3) {
		m := g.keyValue(kind[:1], 7)
		if id := Literal(canonical(m)); !seen[id] {
			seen[id] = true
			all = append(all, m)
		}
	}
	return setOf(kind, all)
}

// document returns any value, nested to some depth.
func (g *generator) document(depth int) types.AttributeValue {
	n := 9
	if depth <= 0 {
		n = 7
	}
	switch g.IntN(n) {
	case 0:
		return S(pick(g, "", "a", "ab", "abc", "b"))
	case 1, 2:
		return g.number()
	case 3:
		return B(pick(g, "", "\x00", "ab"))
	case 4:
		return Bool(g.oneIn(2))
	case 5:
		return Null()
	case 6:
		return g.set(pick(g, "SS", "NS", "BS"))
	case 7:
		return g.list(depth)
	}
	return g.mapping(depth)
}

func (g *generator) list(depth int) types.AttributeValue {
	all := []types.AttributeValue{}
	for range g.IntN(4) {
		all = append(all, g.document(depth-1))
	}
	return L(all...)
}

func (g *generator) mapping(depth int) types.AttributeValue {
	all := Item{}
	for _, name := range []string{"k", "j", "value"} {
		if g.oneIn(2) {
			all[name] = g.document(depth - 1)
		}
	}
	return M(all)
}
