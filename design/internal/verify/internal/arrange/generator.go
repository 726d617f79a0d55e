package arrange

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A generator invents values of attributes.
type generator struct {
	layout *resolve.Layout
	rng    *rand.Rand
	free   map[string]bool // see freeNames; nil until first needed
}

// emptied returns an empty set.
func (g *generator) emptied(a *model.Attribute) sample.Value {
	set := g.typed(a.Type)
	set.Elements = nil
	return set
}

// unlike returns a value of an attribute that no item has. Of a text only the last character
// differs from the given one.
func (g *generator) unlike(a *model.Attribute, like sample.Value) sample.Value {
	serial := strconv.Itoa(100 + g.rng.IntN(900))
	switch a.Type.Base {
	case model.Integer, model.Unixtime:
		return sample.Value{Kind: sample.Number, Text: ("77" + serial)[:g.digits(a)]}
	case model.Numeric, model.Decimal:
		return sample.Value{Kind: sample.Number, Text: "77" + serial + ".5"}
	case model.Bool:
		return sample.Value{Kind: sample.Truth, Truth: !like.Truth}
	case model.Enum:
		return state.Constant(a, a.Type.Values[g.rng.IntN(len(a.Type.Values))])
	case model.Timestamp:
		return sample.Value{Kind: sample.Text, Text: fmt.Sprintf("2031-01-01T00:00:00.%sZ", serial)}
	case model.Date:
		return sample.Value{Kind: sample.Text, Text: "2031-01-01"}
	case model.Week:
		return sample.Value{Kind: sample.Text, Text: "2031-W01"}
	case model.Bytes:
		return sample.Value{Kind: sample.Binary, Text: "nobody" + serial}
	case model.Geohash:
		return sample.Value{Kind: sample.Text, Text: strings.Repeat("z", max(len(like.Text), 1))}
	case model.JSON, model.ListOf, model.SetOf, model.MapOf, model.StructOf:
		return g.typed(a.Type)
	}
	if last, n := utf8.DecodeLastRuneInString(like.Text); len(like.Text) > n {
		other := "Z"
		if last == 'Z' {
			other = "Y"
		}
		return sample.Value{Kind: sample.Text, Text: like.Text[:len(like.Text)-n] + other}
	}
	if a.Type.Base == model.ULID || a.Type.Base == model.UUIDv7 { // a key may hold the time in it
		return g.typed(a.Type)
	}
	return sample.Value{Kind: sample.Text, Text: "nobody" + serial}
}

// digits returns how many digits a number may have in the keys that pad it, at most five.
func (g *generator) digits(a *model.Attribute) int {
	most := 5
	for _, e := range g.layout.Design().Entities {
		for _, entry := range g.layout.Entries(e) {
			for _, key := range slices.Concat(entry.PK, entry.SK) {
				most = min(most, padding(key.Parts(), a, most))
			}
		}
	}
	return most
}

// padding returns the smallest width to which parts of a key pad an attribute, at most the
// given one.
func padding(parts []model.Part, a *model.Attribute, most int) int {
	for _, part := range parts {
		if f, ok := part.Filter(model.Pad); ok && part.Attribute == a {
			most = min(most, f.N)
		}
	}
	return most
}

// stepBy returns the value just after or before another.
func stepBy(value sample.Value, a *model.Attribute, by int64) sample.Value {
	switch a.Type.Base {
	case model.Timestamp:
		t := state.TimeOf(value).Add(time.Duration(by) * time.Millisecond)
		return sample.Value{Kind: sample.Text, Text: marshal.FormatTime(t)}
	case model.Integer, model.Unixtime:
		n, err := strconv.ParseInt(value.Text, 10, 64)
		if err != nil || n+by < 0 {
			return value
		}
		return sample.Value{Kind: sample.Number, Text: strconv.FormatInt(n+by, 10)}
	case model.Date:
		if t, err := time.Parse(time.DateOnly, value.Text); err == nil {
			return sample.Value{Kind: sample.Text, Text: t.AddDate(0, 0, int(by)).Format(time.DateOnly)}
		}
	}
	return value
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// moment returns a random time after those of all loaded items.
func (g *generator) moment() time.Time {
	start := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	return start.Add(time.Duration(g.rng.Int64N(90*24*3600*1000)) * time.Millisecond)
}

// invent returns a value of an attribute that most likely no item has.
func (g *generator) invent(a *model.Attribute, like sample.Value) sample.Value {
	most, bounded := sample.Most(g.layout.Design(), a) // so that it fits into the counter
	if most = min(most, g.most(a)); !bounded {
		most = g.most(a)
	}
	most = max(most, 1)
	switch a.Type.Base {
	case model.Integer:
		return state.Int(g.rng.Int64N(most) + 1)
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
		word := g.word(like.Text)
		if g.freeNames()[a.Name] {
			word += hostileEnd(word, g.delimiters())
		}
		return sample.Value{Kind: sample.Text, Text: word}
	}
	return g.typed(a.Type)
}

// typed returns a random value of a type.
func (g *generator) typed(t model.Type) sample.Value {
	at := g.moment()
	switch t.Base {
	case model.Integer:
		return state.Int(g.rng.Int64N(1000))
	case model.Numeric, model.Decimal:
		return sample.Value{Kind: sample.Number, Text: fmt.Sprintf("%d.%d", g.rng.IntN(1000), 1+g.rng.IntN(9))}
	case model.Timestamp:
		return sample.Value{Kind: sample.Text, Text: marshal.FormatTime(at)}
	case model.Unixtime:
		return sample.Value{Kind: sample.Number, Text: marshal.FormatUnix(at)}
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

// composed returns a random value of a composite type, of an id type, or a text.
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

// word returns a new text that begins like the given one.
func (g *generator) word(like string) string {
	if n := strings.LastIndex(like, "~"); n >= 0 {
		like = like[:n]
	}
	if len(like) > 40 {
		like = ""
	}
	return like + "~" + strconv.FormatInt(g.rng.Int64N(1<<40), 36)
}

// most returns the largest number that fits into the keys that pad an attribute.
func (g *generator) most(a *model.Attribute) int64 {
	width := 6
	note := func(computed []*model.Computed) {
		for _, c := range computed {
			width = padding(c.Template.Parts, a, width)
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

// madeAt returns a random id; one that contains a time begins with the given time.
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

// timeIn returns the time that an id begins with.
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

// nextTo returns the value just after or before another, also of decimals.
func nextTo(v sample.Value, a *model.Attribute, by int64) sample.Value {
	if a.Type.Base == model.Numeric || a.Type.Base == model.Decimal {
		return state.Plus(v, exact.Int(by))
	}
	return stepBy(v, a, by)
}
