package partiql

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// The plans of SELECT statements.
func TestSelectPlans(t *testing.T) {
	const scan = "scan"
	for _, c := range []struct{ where, want string }{
		{"", scan},
		{"sk = '1'", scan},
		{"pk > 'a'", scan},
		{"NOT pk = 'a'", scan},
		{"pk = x", scan},
		{"pk = 'a' OR x = '1'", scan},
		{"m.pk = 'a'", scan},
		{"pk = 'a'", "a"},
		{"'a' = pk AND x = '1'", "a filtered"},
		{"(pk = 'a' AND (x = '1' AND sk > '1'))", "a sorted filtered"},
		{"pk = 'a' AND '1' < sk", "a sorted"},
		{"pk = 'a' AND sk <> '1'", "a filtered"},
		{"pk = 'a' AND sk IN ['1', '2']", "a filtered"},
		{"pk = 'a' AND (sk = '1' OR sk = '2')", "a filtered"},
		{"pk = 'a' AND pk = 'b'", "a filtered"},
		{"pk IN ['b', 'a', 'b']", "b, a, up to 10"},
		{"pk = 'a' AND pk IN ['b', 'c']", "a filtered"},
		{"pk = 'b' OR pk = 'a' AND sk = '1'", "b, a sorted"},
		{"(pk = 'a' OR pk = 'b') AND sk = '1'", "a sorted, b sorted"},
		{"pk = 'b' OR pk = 'a' ORDER BY pk", "a backward, b backward"},
		{"pk = 'a' AND sk = '3' OR pk = 'a' AND sk = '1' ORDER BY pk, sk", "a sorted, a sorted"},
		{"pk = 'a' ORDER BY sk DESC", "a backward"},
		{"pk = 'a' AND sk <> '1' OR pk = 'a' AND sk = '2'", "a filtered"},
	} {
		text := "SELECT * FROM t"
		if c.where != "" {
			text += " WHERE " + c.where
		}
		st, err := Parse(text, dynamo.RawParameters{})
		if err != nil {
			t.Errorf("%s: %v", c.where, err)
			continue
		}
		read, err := st.Select(table(), false)
		if err != nil {
			t.Errorf("%s: %v", c.where, err)
			continue
		}
		if got := describe(t, read); got != c.want {
			t.Errorf("%s: got %s, want %s", c.where, got, c.want)
		}
	}
}

func describe(t *testing.T, read *Read) string {
	t.Helper()
	if read.Scan != nil {
		return "scan"
	}
	var queries []string
	for _, q := range read.Queries {
		keys, err := q.KeyCondition.Bind(table().Key)
		if err != nil {
			t.Fatal(err)
		}
		text := string(keys.Partition[0].Bytes())
		if keys.Op != expression.NoOp || len(keys.Sort) > 0 {
			text += " sorted"
		}
		if q.Filter != nil {
			text += " filtered"
		}
		if q.Backward {
			text += " backward"
		}
		queries = append(queries, text)
	}
	if read.MaxItems > 0 {
		queries = append(queries, fmt.Sprintf("up to %d", read.MaxItems))
	}
	return strings.Join(queries, ", ")
}

// TestEveryItemIsFoundOnce plans random conditions. Every matching item is found by
// exactly one of the queries.
func TestEveryItemIsFoundOnce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := rand.New(rand.NewPCG(seed, 2))
	var items []dynamo.Item
	for i := range 2 * 5 * 2 {
		items = append(items, keyItem(string("ab"[i%2]), fmt.Sprint(i/2%5), fmt.Sprint(i/10)))
	}
	queries, merged, refused := 0, 0, 0
	for range 20000 {
		text := "SELECT * FROM t WHERE " + randomWhere(g, 3)
		st, err := Parse(text, dynamo.RawParameters{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		p := selectPlan{Statement: st, key: table().Key}
		if err := p.chooseBranches(); err != nil {
			refused++
			continue
		}
		if p.branches == nil {
			continue
		}
		queries++
		if p.fromOr && len(p.branches) == 1 {
			merged++
		}
		whole := expression.NewCondition(st.where.term)
		for _, item := range items {
			want, _ := whole.Matches(item)
			if found := timesFound(&p, item); found > 1 || (found == 1) != want {
				t.Fatalf("%s: %v was found %d times, want it: %v", text, item, found, want)
			}
		}
	}
	if queries == 0 || merged == 0 || refused == 0 {
		t.Errorf("%d queries, %d merged, %d rejected: the test proves too little", queries, merged, refused)
	}
}

// timesFound counts the queries that find an item.
func timesFound(p *selectPlan, item dynamo.Item) (n int) {
	for _, b := range p.branches {
		all := b.rest
		if b.sort != nil {
			all = append(all[:len(all):len(all)], b.sort)
		}
		found := string(item.Get("pk")) == string(b.value)
		for _, c := range all {
			ok, _ := expression.NewCondition(c.term).Matches(item)
			found = found && ok
		}
		if found {
			n++
		}
	}
	return n
}

func randomWhere(g *rand.Rand, depth int) string {
	if depth > 0 && g.IntN(4) > 0 {
		if g.IntN(8) == 0 {
			return "NOT (" + randomWhere(g, depth-1) + ")"
		}
		return "(" + randomWhere(g, depth-1) + []string{" AND ", " OR "}[g.IntN(2)] + randomWhere(g, depth-1) + ")"
	}
	value := func() string { return fmt.Sprintf("'%d'", g.IntN(5)) }
	switch g.IntN(10) {
	case 0, 1, 2, 3:
		return "pk = '" + string("ab"[g.IntN(2)]) + "'"
	case 4:
		return "pk IN ['a', 'b']"
	case 5:
		return "begins_with(sk, " + value() + ")"
	case 6:
		low := g.IntN(5)
		return fmt.Sprintf("sk BETWEEN '%d' AND '%d'", low, low+g.IntN(5-low))
	case 7:
		return fmt.Sprintf("x = '%d'", g.IntN(2))
	default:
		return "sk " + []string{"=", "<>", "<", "<=", ">", ">="}[g.IntN(6)] + " " + value()
	}
}

func keyItem(pk, sk, x string) dynamo.Item {
	var e dynamo.Encoder
	e.OpenItem()
	for name, v := range map[string]string{"pk": pk, "sk": sk, "x": x} {
		e.Name(name)
		e.String(v)
	}
	item, _ := e.CloseItem()
	return item
}
