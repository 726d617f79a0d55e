package sample

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/design/internal/model"
)

// typed returns a value of a type. The attribute's name says what it should look like.
func (g *generator) typed(d *draft, a *model.Attribute, t model.Type, attempt int) Value {
	switch t.Base {
	case model.Timestamp, model.Unixtime:
		return timeValue(g.spread(d, a, g.moment(d, a), attempt), t.Base)
	case model.Date:
		return text(d.at.AddDate(0, 0, attempt).Format(time.DateOnly))
	case model.Week:
		year, week := d.at.AddDate(0, 0, 7*(d.serial+attempt)).ISOWeek()
		return text(fmt.Sprintf("%04d-W%02d", year, week))
	case model.UUID:
		return text(g.uuid())
	case model.UUIDv7:
		return text(g.uuidv7(g.madeAt(d, a)))
	case model.ULID:
		return text(g.ulid(g.madeAt(d, a)))
	case model.Geohash:
		return text(g.cell(d, attempt))
	case model.Enum:
		return text(g.turn(d, a, t, attempt))
	case model.Bool:
		return truth(g.flag(d, a, attempt))
	case model.Integer:
		return number(g.amount(d, a, attempt))
	case model.Numeric, model.Decimal:
		return digits(fmt.Sprintf("%d.%d", g.amount(d, a, attempt), 1+g.rng.IntN(9)))
	case model.Bytes:
		return Value{Kind: Binary, Text: string(g.bytes(6))}
	case model.JSON:
		return text(`{"note":"` + pick(phrases, d.serial) + `"}`)
	}
	return g.composed(d, a, t, attempt)
}

// composed returns a value of a type made of others, or a plain text.
func (g *generator) composed(d *draft, a *model.Attribute, t model.Type, attempt int) Value {
	switch t.Base {
	case model.ListOf:
		return Value{Kind: List, Elements: g.elements(d, a, *t.Element, attempt)}
	case model.SetOf:
		return setOf(g.elements(d, a, *t.Element, attempt))
	case model.MapOf:
		var fields []Field
		for i, e := range g.elements(d, a, *t.Element, attempt) {
			fields = append(fields, Field{Name: pick(words, d.serial+i), Value: e})
		}
		return Value{Kind: Map, Fields: fields}
	case model.StructOf:
		return g.structure(d, t.Struct, attempt)
	}
	return text(g.words(d, a, attempt))
}

func (g *generator) elements(d *draft, a *model.Attribute, t model.Type, attempt int) []Value {
	var all []Value
	seen := map[string]bool{}
	for i := range 2 {
		each := &draft{entity: d.entity, values: d.values, at: d.at, serial: 2*d.serial + i}
		v := g.typed(each, a, t, attempt)
		if !seen[v.String()] {
			seen[v.String()] = true
			all = append(all, v)
		}
	}
	return all
}

// setOf returns a set of values, sorted: a set has no order, so equal ones are spelt alike.
func setOf(elements []Value) Value {
	slices.SortFunc(elements, Value.Compare)
	kind := Texts
	if len(elements) > 0 {
		switch elements[0].Kind {
		case Number:
			kind = Numbers
		case Binary:
			kind = Blobs
		}
	}
	return Value{Kind: kind, Elements: elements}
}

// structure fills a struct. Circles of types are refused when a design is read.
func (g *generator) structure(d *draft, s *model.Struct, attempt int) Value {
	v := Value{Kind: Map}
	for i, a := range s.Attributes {
		if a.Type.Optional && (d.serial+i)%len(s.Attributes) != 0 {
			continue
		}
		v.Fields = append(v.Fields, Field{Name: a.Stored, Value: g.typed(d, a, a.Type, attempt)})
	}
	return v
}

// moment returns a time of the item's life, by what its attribute is called.
func (g *generator) moment(d *draft, a *model.Attribute) time.Time {
	name := strings.ToLower(a.Name)
	switch {
	case a == d.entity.TTL:
		keep := time.Duration(d.entity.Volume.Keep)
		if keep == 0 {
			keep = 30 * 24 * time.Hour
		}
		return d.at.Add(keep).Truncate(time.Second)
	case a == d.entity.Deadline, hasAny(name, "expire", "until", "deadline", "due", "end"):
		return d.at.Add(24*time.Hour + time.Duration(g.rng.IntN(90))*time.Minute).Truncate(time.Minute)
	case hasAny(name, "updat", "last", "complet", "finish", "clos", "process", "changed"):
		return d.at.Add(time.Duration(1+g.rng.IntN(55)) * time.Minute)
	}
	return d.at
}

// cell returns a geohash in the middle of Stockholm; neighbours share all but the end.
func (g *generator) cell(d *draft, attempt int) string {
	const alphabet = "0123456789bcdefghjkmnpqrstuvwxyz"
	return "u6sce" + string(alphabet[(3*d.serial+attempt)%len(alphabet)]) + string(alphabet[g.rng.IntN(len(alphabet))])
}

// turn cycles through an enum. Values that a key asks for come first, so that sparse
// indexes are not empty.
func (g *generator) turn(d *draft, a *model.Attribute, t model.Type, attempt int) string {
	if len(t.Values) == 0 {
		return "none"
	}
	values := g.wanted(d.entity, a, t.Values)
	return values[(d.serial+attempt)%len(values)]
}

func (g *generator) wanted(e *model.Entity, a *model.Attribute, all []string) []string {
	asked := map[string]bool{}
	for _, entry := range g.layout.Entries(e) {
		for _, c := range entry.When() {
			for _, v := range c.Values {
				if c.Attribute == a && (c.Op == model.Eq || c.Op == model.In) {
					asked[v.Constant] = true
				}
			}
		}
	}
	var first, rest []string
	for _, v := range all {
		if asked[v] {
			first = append(first, v)
		} else {
			rest = append(rest, v)
		}
	}
	if len(first) > 0 && len(rest) > 0 { // one that is there, one that is not, and so on
		rest = append([]string{first[0], rest[0]}, append(first[1:], rest[1:]...)...)
		return rest
	}
	return append(first, rest...)
}

func (g *generator) flag(d *draft, a *model.Attribute, attempt int) bool {
	if hasAny(strings.ToLower(a.Name), "active", "verified", "enabled", "accepted") {
		return (d.serial+attempt)%4 != 3
	}
	return (d.serial+attempt)%2 == 0
}

// amount returns a whole number that leaves room for others in a counter that sums it.
func (g *generator) amount(d *draft, a *model.Attribute, attempt int) int64 {
	n := g.whole(d, a, attempt)
	if most, bounded := Most(g.layout.Design(), a); bounded && n > most {
		return 1 + n%most
	}
	return n
}

// whole returns a whole number of the size its name suggests.
func (g *generator) whole(d *draft, a *model.Attribute, attempt int) int64 {
	name := strings.ToLower(a.Name)
	n := int64(d.serial + attempt)
	switch {
	case a == d.entity.Version:
		return 1 + n%3
	case isID(a.Name):
		return 1001 + 7*n
	case slices.Contains(d.entity.ID, a):
		return 1 + n // many of them: they tell the items of one parent apart
	case hasAny(name, "position", "order", "page", "chunk", "index", "seq", "number"):
		return 1 + n
	case hasAny(name, "percent", "score", "mark", "rating"):
		return 55 + 13*n%45
	case hasAny(name, "second", "ms", "minutes", "duration"):
		return 30 + 15*(n%6)
	case hasAny(name, "bytes", "size"):
		return 120_000 + 41_337*n
	case hasAny(name, "price", "amount", "bid", "total", "sum", "points"):
		return 20 + 35*n
	}
	return 1 + (3*n+2)%9
}
