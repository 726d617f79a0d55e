package resolve

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
)

// Random designs, filled with random items: what a plan's request returns must be what
// the pattern asks for, nothing more and nothing less, in the order asked for.

// attributesOfRandom lists the attributes of random entities besides their id.
var attributesOfRandom = []string{
	"ts: timestamp", "day: date", "num: int", "word: string", "name: string", "state: \"enum(on, off, onward)\"", "uid: ulid", "cell: geohash",
}

var holesOfRandom = []string{
	"{ts}", "{day}", "{num|pad 4}", "{num}", "{word}", "{state}", "{uid}", "{id}", "{cell}", "{cell|prefix 4}",
	"{ts|date}", "{name|lower}", "{id|shard 3}", "{ts|month}", "{owner}",
}

func randomTemplate(rnd *rand.Rand, most int) string {
	var b strings.Builder
	if rnd.IntN(3) > 0 {
		b.WriteString([]string{"A#", "B#", "A", "A#B#"}[rnd.IntN(4)])
	}
	for i := range 1 + rnd.IntN(most) {
		if i > 0 {
			b.WriteString([]string{"#", "#", "#", "#X#", "-", ""}[rnd.IntN(6)])
		}
		b.WriteString(holesOfRandom[rnd.IntN(len(holesOfRandom))])
	}
	if rnd.IntN(12) == 0 {
		b.WriteString([]string{"#", "#END"}[rnd.IntN(2)])
	}
	return b.String()
}

func randomKey(rnd *rand.Rand, most int) string {
	template := randomTemplate(rnd, most)
	if rnd.IntN(6) == 0 {
		return fmt.Sprintf("{ value: %q, when: state = on }", template)
	}
	return fmt.Sprintf("%q", template)
}

var conditionsOfRandom = map[string][]string{
	"ts": {"$", "between $x and $y", "lt $", "gte $", "gt $x"}, "day": {"$", "lte $", "between $x and $y"},
	"num": {"$", "gt $", "between $x and $y"}, "word": {"$", "begins_with $", "lt $", "gte $"},
	"name": {"$", "begins_with $", "between $x and $y"}, "state": {"$", "on", "off", "[on, off]"}, "uid": {"$", "gte $"}, "id": {"$"}, "cell": {"$", "begins_with $"}, "owner": {"$", "$", "$"},
}

// randomWhere asks for anything, or follows a key so that it is often served.
func randomWhere(rnd *rand.Rand, keys [][2]string) map[string]string {
	where := map[string]string{}
	form := func(name string, i int) string {
		return strings.NewReplacer("$x", "$"+name+"1", "$y", "$"+name+"2").Replace(conditionsOfRandom[name][i])
	}
	if rnd.IntN(3) == 0 {
		for name, forms := range conditionsOfRandom {
			if rnd.IntN(4) == 0 || name == "owner" && rnd.IntN(3) > 0 {
				where[name] = form(name, rnd.IntN(len(forms)))
			}
		}
		return where
	}
	key := keys[rnd.IntN(len(keys))]
	for _, hole := range holePattern.FindAllStringSubmatch(key[0], -1) {
		where[hole[1]] = form(hole[1], 0)
	}
	if strings.Contains(key[0]+key[1], "when:") {
		where["state"] = "on"
	}
	for _, hole := range holePattern.FindAllStringSubmatch(key[1], -1) {
		if _, known := where[hole[1]]; known {
			continue
		}
		i := rnd.IntN(1 + len(conditionsOfRandom[hole[1]]))
		if i == len(conditionsOfRandom[hole[1]]) {
			break
		}
		where[hole[1]] = form(hole[1], i)
		if i > 0 && rnd.IntN(6) > 0 {
			break
		}
	}
	return where
}

var holePattern = regexp.MustCompile(`\{([a-z]+)`)

func randomPattern(rnd *rand.Rand, entity string, keys [][2]string) string {
	var where []string
	asked := randomWhere(rnd, keys)
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		where = append(where, name+": "+asked[name])
	}
	rest := ""
	if rnd.IntN(2) == 0 {
		rest = fmt.Sprintf(", order: %s %s", []string{"ts", "num", "day", "word", "uid", "name"}[rnd.IntN(6)], []string{"asc", "desc"}[rnd.IntN(2)])
	}
	if len(where) > 0 {
		rest += ", where: { " + strings.Join(where, ", ") + " }"
	}
	return fmt.Sprintf("{ list: %s%s, rate: 1/day }", entity, rest)
}

func randomDesign(rnd *rand.Rand) string {
	var entities, items, patterns strings.Builder
	for e, name := range []string{"Ear", "Fan"} {
		timed := []string{"", ", time: ts"}[rnd.IntN(2)]
		attributes := strings.Replace(strings.Join(attributesOfRandom, ", "), "uid: ulid", "uid: { type: ulid"+timed+" }", 1)
		fmt.Fprintf(&entities, "  %s: { id: id, attributes: { id: int, owner: string, %s } }\n", name, attributes)
		pk := []string{"O#{owner}", "O#{owner}", "{owner}", "ALL", randomTemplate(rnd, 2)}[rnd.IntN(5)]
		sk, p1, s1, k1 := randomTemplate(rnd, 3), randomKey(rnd, 2), randomKey(rnd, 3), randomKey(rnd, 1)
		fmt.Fprintf(&items, "      %s: { PK: %q, SK: %q, P1: %s, S1: %s, K1: %s }\n", name, pk, sk, p1, s1, k1)
		keys := [][2]string{{pk, sk}, {p1, s1}, {"{owner}", k1 + "{num}{ts}"}, {pk, "{day}"}}
		for i := range 8 {
			fmt.Fprintf(&patterns, "  P%d: %s\n", 8*e+i, randomPattern(rnd, name, keys))
		}
	}
	return fmt.Sprintf(`
design: Random
entities:
%stables:
  Tab:
    pk: PK
    sk: SK
    indexes:
      composed: { pk: P1, sk: S1 }
      native: { pk: owner, sk: [K1, num, ts] }
      local: { local: true, sk: day }
    items:
%spatterns:
%s`, &entities, &items, &patterns)
}

func randomItem(rnd *rand.Rand, e *model.Entity, number int) record {
	item := record{entity: e, values: map[string]string{}, number: number}
	for _, a := range e.Attributes {
		item.values[a.Name] = sample(rnd, a.Type)
	}
	item.values["owner"] = []string{"1", "10"}[rnd.IntN(2)]
	item.values["id"] = fmt.Sprint(number / 2)
	return item
}

// ask runs the requests of a plan over all items, as DynamoDB would.
func ask(l *Layout, read *Read, items []record, params map[string]string) [][]record {
	var answers [][]record
	for _, each := range assignments(read) {
		var found []record
		for _, item := range items {
			entry := l.Entry(read.Entry.Path, item.entity)
			if entry != nil && answersTo(item, entry, read, params, each) {
				found = append(found, item)
			}
		}
		slices.SortStableFunc(found, func(a, b record) int {
			n := compareKeys(a, l.Entry(read.Entry.Path, a.entity), b, l.Entry(read.Entry.Path, b.entity))
			if read.Descending {
				return -n
			}
			return n
		})
		answers = append(answers, found)
	}
	return answers
}

// assignments returns the values of the parts that are asked for one by one.
func assignments(read *Read) []map[*model.Attribute]string {
	all := []map[*model.Attribute]string{{}}
	for _, c := range slices.Concat(read.Partition, read.Sort) {
		for _, p := range c.Low {
			if _, known := all[0][p.Attribute]; !p.Each || known {
				continue
			}
			var values []string
			for _, v := range p.Values {
				values = append(values, v.Constant)
			}
			if len(values) == 0 {
				for n := range p.Filters[len(p.Filters)-1].N {
					values = append(values, fmt.Sprint(n))
				}
			}
			var next []map[*model.Attribute]string
			for _, have := range all {
				for _, v := range values {
					one := map[*model.Attribute]string{p.Attribute: v}
					for a, v := range have {
						one[a] = v
					}
					next = append(next, one)
				}
			}
			all = next
		}
	}
	return all
}

func answersTo(item record, entry *Entry, read *Read, params map[string]string, each map[*model.Attribute]string) bool {
	keys := slices.Concat(entry.PK, entry.SK)
	for _, k := range keys {
		if _, ok := item.keyOf(k); !ok {
			return false
		}
	}
	for _, c := range slices.Concat(read.Partition, read.Sort) {
		i := slices.IndexFunc(keys, func(k *model.Key) bool { return k.Name == c.Name })
		if text, _ := item.keyOf(keys[i]); !matches(c, text, params, each) {
			return false
		}
	}
	return true
}

func compareKeys(a record, ea *Entry, b record, eb *Entry) int {
	for i := range ea.SK {
		x, _ := a.keyOf(ea.SK[i])
		y, _ := b.keyOf(eb.SK[i])
		if ea.SK[i].Kind() == "N" {
			if n := order(model.Type{Base: model.Integer}, x, y); n != 0 {
				return n
			}
		} else if n := strings.Compare(x, y); n != 0 {
			return n
		}
	}
	return 0
}

func TestPlansReturnWhatPatternsAskFor(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 2))
	served, found, ordered := 0, 0, 0
	for range 120 {
		text := randomDesign(rnd)
		var report diag.Report
		d := loader.Load([]loader.Source{{Name: "random.design.yaml", Text: []byte(text)}}, &report)
		if report.Failed() {
			t.Fatalf("%+v\n%s", report.Findings(), text)
		}
		l := New(d)
		var items []record
		for number := range 40 {
			items = append(items, randomItem(rnd, d.Entities[number%2], number))
		}
		for _, p := range l.Plans() {
			if !p.Served() {
				continue
			}
			served++
			for range 4 {
				n := checkAnswer(t, rnd, l, p, items, text)
				found += n
				if p.Read.Ordered != nil && n > 1 {
					ordered++
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d plans, %d items found, %d answers of several in order", served, found, ordered)
	if served < 200 || found < 200 || ordered < 10 {
		t.Errorf("the random designs are too poor: %d plans served, %d items found, %d ordered", served, found, ordered)
	}
}

// checkAnswer asks one question with random values and compares with trying all items.
func checkAnswer(t *testing.T, rnd *rand.Rand, l *Layout, p *Plan, items []record, design string) int {
	t.Helper()
	params := map[string]string{}
	for _, c := range p.Pattern.Where {
		for _, v := range c.Values {
			if v.Param != "" {
				params[v.Param] = sample(rnd, c.Attribute.Type)
			}
		}
		if c.Op == model.BeginsWith {
			params[c.Attribute.Name] = string([]rune(params[c.Attribute.Name])[:1])
		}
	}
	for _, name := range []string{"owner", "id"} {
		if _, asked := params[name]; asked {
			params[name] = items[rnd.IntN(len(items))].values[name]
		}
	}
	answers := ask(l, p.Read, items, params)
	got, after := slices.Concat(answers...), slices.Concat(p.Read.Checks, p.Read.Filter)
	for _, item := range items {
		want := item.entity == p.Pattern.Entity
		for _, c := range p.Pattern.Where {
			if slices.Contains(after, c) { // compared letter by letter
				want = want && item.holds(c, params)
			} else {
				want = want && spelled(item, c, params)
			}
		}
		has := slices.ContainsFunc(got, func(r record) bool { return r.number == item.number })
		for _, c := range after {
			has = has && item.holds(c, params)
		}
		if has != want {
			t.Errorf("%s %s, parameters %q: %s %v found %v, want %v\n%s", p.Pattern.Name, p.Read, params, item.entity.Name, item.values, has, want, design)
			return 0
		}
	}
	for _, answer := range answers {
		if !inOrder(p, answer) {
			t.Errorf("%s %s is out of order: %v\n%s", p.Pattern.Name, p.Read, answer, design)
			return 0
		}
	}
	return len(got)
}

// inOrder reports whether an answer comes in the order asked for, as the key spells it.
// The random ids are not made from their times.
func inOrder(p *Plan, answer []record) bool {
	o, part := p.Pattern.Order, p.Read.Ordered
	if o == nil || part == nil || part.Attribute != o.Attribute {
		return true
	}
	return slices.IsSortedFunc(answer, func(a, b record) int {
		n := order(o.Attribute.Type, text(*part, a.values[o.Attribute.Name]), text(*part, b.values[o.Attribute.Name]))
		if o.Descending {
			return -n
		}
		return n
	})
}

// spelled is like holds, but ignores the case of a name.
func spelled(item record, c *model.Condition, params map[string]string) bool {
	if c.Attribute.Name != "name" {
		return item.holds(c, params)
	}
	folded := map[string]string{}
	for name, v := range params {
		folded[name] = strings.ToLower(v)
	}
	return record{values: map[string]string{"name": strings.ToLower(item.values["name"])}}.holds(c, folded)
}
