package verify

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// primary are the attributes the primary key of an entity is made of.
func (s *scenario) primary(e *model.Entity) []*model.Attribute {
	return resolve.PrimaryAttributes(s.layout.Home(e))
}

// fresh are the values of a new item: like those of one that is there, with another
// identity, some values of others, and some that may be absent left out.
func (s *arrangement) fresh(e *model.Entity) sample.Values {
	values := s.like(e)
	if !s.gen.renew(values, e.ID) && !s.gen.renew(values, s.primary(e)) {
		s.gen.drawAll(values, e.ID)
	}
	for _, u := range e.Unique {
		s.gen.renew(values, u.Attributes)
	}
	for range 4 {
		r := s.state.row(e, values)
		if s.at(r.table, r.item) == nil {
			break
		}
		for _, a := range append(slices.Clone(e.ID), s.primary(e)...) {
			s.gen.renew(values, []*model.Attribute{a})
		}
	}
	return values
}

// like are the values of some item, mixed with those of others.
func (s *arrangement) like(e *model.Entity) sample.Values {
	base, other := s.anyRow(e), s.anyRow(e)
	if base == nil {
		return s.gen.invented(e)
	}
	values, kept := maps.Clone(base.values), s.kept(e)
	for _, a := range e.Attributes {
		if kept[a] {
			continue
		}
		switch chance := s.gen.rng.IntN(10); {
		case (a.Type.Optional || a.Type.Base == model.SetOf) && chance < 2: // an empty set is not stored
			delete(values, a)
		case chance < 5:
			if v, ok := other.values[a]; ok {
				values[a] = v
			}
		}
	}
	return values
}

// kept are the attributes that only change together with others: what identifies an item,
// and the times in ids.
func (s *arrangement) kept(e *model.Entity) map[*model.Attribute]bool {
	all := map[*model.Attribute]bool{}
	note := func(attributes []*model.Attribute) {
		for _, a := range attributes {
			all[a] = true
		}
	}
	note(e.ID)
	note(s.primary(e))
	for _, u := range e.Unique {
		note(u.Attributes)
		note(u.Per)
	}
	for _, a := range e.Attributes {
		if a.Time != nil {
			note([]*model.Attribute{a, a.Time})
		}
	}
	if e.Version != nil {
		all[e.Version] = true
	}
	return all
}

// renew gives the last of some attributes that can have any value one that nobody has,
// and says whether there is such an attribute.
func (g *generator) renew(values sample.Values, attributes []*model.Attribute) bool {
	for _, a := range slices.Backward(attributes) {
		if a.Type.Base == model.Enum || a.Type.Base == model.Bool {
			continue
		}
		like, had := values[a]
		if !had && a.Type.Optional {
			return true
		}
		if a.Time != nil {
			at := g.moment()
			values[a.Time] = timeAs(at, a.Time)
			values[a] = g.madeAt(a, timeOf(values[a.Time]))
			return true
		}
		values[a] = g.invent(a, like)
		return true
	}
	return false
}

// drawAll gives attributes that can have few values any of those: one of them is all that
// a new item can be.
func (g *generator) drawAll(values sample.Values, attributes []*model.Attribute) {
	for _, a := range attributes {
		values[a] = g.typed(a.Type)
	}
}

// identities is how many items of an entity there can be, at most as many as given.
func identities(e *model.Entity, most int) int {
	n := 1
	for _, a := range e.ID {
		switch a.Type.Base {
		case model.Enum:
			n *= len(a.Type.Values)
		case model.Bool:
			n *= 2
		default:
			return most
		}
		if n >= most {
			return most
		}
	}
	return n
}

// agree makes the times of an item those its ids begin with.
func agree(e *model.Entity, values sample.Values) {
	for _, a := range e.Attributes {
		if a.Time == nil {
			continue
		}
		if at, ok := timeIn(a, values[a]); ok {
			values[a.Time] = timeAs(at, a.Time)
		}
	}
}

// invented are the values of an item when there is none to be like.
func (g *generator) invented(e *model.Entity) sample.Values {
	values := sample.Values{}
	for _, a := range e.Attributes {
		if !a.Type.Optional {
			values[a] = g.invent(a, sample.Value{})
		}
	}
	for _, a := range e.Attributes {
		if a.Lifecycle != nil {
			values[a] = constant(a, firstState(a))
		}
	}
	agree(e, values)
	return values
}

// moment is a time later than those of all items that were loaded.
func (g *generator) moment() time.Time {
	start := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	return start.Add(time.Duration(g.rng.Int64N(90*24*3600*1000)) * time.Millisecond)
}

func timeAs(at time.Time, a *model.Attribute) sample.Value {
	if a.Type.Base == model.Unixtime {
		return sample.Value{Kind: sample.Number, Text: access.FormatUnix(at)}
	}
	return sample.Value{Kind: sample.Text, Text: access.FormatTime(at)}
}

// invent is a value of an attribute's type that hardly anybody has.
func (g *generator) invent(a *model.Attribute, like sample.Value) sample.Value {
	most, bounded := sample.Most(g.layout.Design(), a) // so that it fits into the counter
	if most = min(most, g.most(a)); !bounded {
		most = g.most(a)
	}
	switch a.Type.Base {
	case model.Integer:
		return whole(g.rng.Int64N(most) + 1)
	case model.Numeric, model.Decimal:
		if bounded {
			return sample.Value{Kind: sample.Number, Text: fmt.Sprintf("%d.%d", g.rng.Int64N(min(most, 1000)), 1+g.rng.IntN(9))}
		}
	case model.Geohash:
		text := ""
		for range max(len(like.Text), 7) {
			text += string("0123456789bcdefghjkmnpqrstuvwxyz"[g.rng.IntN(32)])
		}
		return sample.Value{Kind: sample.Text, Text: text}
	case model.ULID, model.UUIDv7, model.UUID:
		return g.madeAt(a, g.moment())
	case model.String:
		return sample.Value{Kind: sample.Text, Text: g.word(like.Text)}
	}
	return g.typed(a.Type)
}

// typed is a value of a type.
func (g *generator) typed(t model.Type) sample.Value {
	at := g.moment()
	switch t.Base {
	case model.Integer:
		return whole(g.rng.Int64N(1000))
	case model.Numeric, model.Decimal:
		return sample.Value{Kind: sample.Number, Text: fmt.Sprintf("%d.%d", g.rng.IntN(1000), 1+g.rng.IntN(9))}
	case model.Timestamp:
		return sample.Value{Kind: sample.Text, Text: access.FormatTime(at)}
	case model.Unixtime:
		return sample.Value{Kind: sample.Number, Text: access.FormatUnix(at)}
	case model.Date:
		return sample.Value{Kind: sample.Text, Text: at.AddDate(g.rng.IntN(40), 0, 0).Format(time.DateOnly)}
	case model.Week:
		year, week := at.ISOWeek()
		return sample.Value{Kind: sample.Text, Text: fmt.Sprintf("%04d-W%02d", year+g.rng.IntN(40), week)}
	case model.Bool:
		return sample.Value{Kind: sample.Truth, Truth: g.rng.IntN(2) == 0}
	case model.Enum:
		return sample.Value{Kind: sample.Text, Text: t.Values[g.rng.IntN(len(t.Values))]}
	case model.Bytes:
		return sample.Value{Kind: sample.Binary, Text: g.word("")}
	case model.JSON:
		return sample.Value{Kind: sample.Text, Text: `{"note":"` + g.word("") + `"}`}
	}
	return g.composed(t)
}

// composed is a value of a type that is made of others, or a text.
func (g *generator) composed(t model.Type) sample.Value {
	switch t.Base {
	case model.ListOf:
		return sample.Value{Kind: sample.List, Elements: []sample.Value{g.typed(*t.Element)}}
	case model.SetOf:
		element := g.typed(*t.Element)
		kind := map[sample.Kind]sample.Kind{sample.Number: sample.Numbers, sample.Binary: sample.Blobs}[element.Kind]
		if kind == "" {
			kind = sample.Texts
		}
		return sample.Value{Kind: kind, Elements: []sample.Value{element}}
	case model.MapOf:
		return sample.Value{Kind: sample.Map, Fields: []sample.Field{{Name: g.word(""), Value: g.typed(*t.Element)}}}
	case model.StructOf:
		value := sample.Value{Kind: sample.Map}
		for _, a := range t.Struct.Attributes {
			if !a.Type.Optional {
				value.Fields = append(value.Fields, sample.Field{Name: a.Stored, Value: g.typed(a.Type)})
			}
		}
		return value
	case model.ULID, model.UUID, model.UUIDv7:
		return g.madeAt(&model.Attribute{Type: t}, g.moment())
	case model.Geohash:
		return sample.Value{Kind: sample.Text, Text: "u6sce7z"}
	}
	return sample.Value{Kind: sample.Text, Text: g.word("")}
}

func whole(n int64) sample.Value {
	return sample.Value{Kind: sample.Number, Text: strconv.FormatInt(n, 10)}
}

// word is a text nobody has. The beginning of the other one stays.
func (g *generator) word(like string) string {
	if n := strings.LastIndex(like, "~"); n >= 0 {
		like = like[:n]
	}
	if len(like) > 40 {
		like = ""
	}
	return like + "~" + strconv.FormatInt(g.rng.Int64N(1<<40), 36)
}

// most is the largest number an attribute can have in the keys that are made of it.
func (g *generator) most(a *model.Attribute) int64 {
	width := 6
	note := func(computed []*model.Computed) {
		for _, c := range computed {
			for _, part := range c.Template.Parts {
				if f, ok := part.Filter(model.Pad); ok && part.Attribute == a {
					width = min(width, f.N)
				}
			}
		}
	}
	for _, t := range g.layout.Design().Tables {
		for _, item := range t.Items {
			note(item.Computed)
		}
		for _, g := range t.Guards {
			note(g.Computed)
		}
	}
	return int64(math.Pow10(width)) - 10
}

// madeAt is an id that begins with a time, or any id.
func (g *generator) madeAt(a *model.Attribute, at time.Time) sample.Value {
	ms := uint64(at.UnixMilli())
	if a.Type.Base == model.ULID {
		var b [26]byte
		for i := 9; i >= 0; i-- {
			b[i] = crockford[ms&31]
			ms >>= 5
		}
		for i := 10; i < len(b); i++ {
			b[i] = crockford[g.rng.IntN(32)]
		}
		return sample.Value{Kind: sample.Text, Text: string(b[:])}
	}
	b, version := make([]byte, 16), byte(4)
	for i := range b {
		b[i] = byte(g.rng.UintN(256))
	}
	if a.Type.Base == model.UUIDv7 {
		version = 7
		for i := 5; i >= 0; i-- {
			b[i] = byte(ms)
			ms >>= 8
		}
	}
	b[6], b[8] = b[6]&0x0f|version<<4, b[8]&0x3f|0x80
	h := hex.EncodeToString(b)
	return sample.Value{Kind: sample.Text, Text: h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]}
}

// timeIn is the time an id begins with.
func timeIn(a *model.Attribute, v sample.Value) (time.Time, bool) {
	digits, alphabet, n := v.Text, crockford, 10
	if a.Type.Base == model.UUIDv7 {
		digits, alphabet, n = strings.ReplaceAll(v.Text, "-", ""), "0123456789abcdef", 12
	}
	if len(digits) < n {
		return time.Time{}, false
	}
	ms := int64(0)
	for _, c := range digits[:n] {
		at := strings.IndexRune(alphabet, c)
		if at < 0 {
			return time.Time{}, false
		}
		ms = ms*int64(len(alphabet)) + int64(at)
	}
	return time.UnixMilli(ms).UTC(), true
}
