package marshal_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

type shade string

const dark shade = "DARK"

// everything has an attribute of each type a design has.
type everything struct {
	Text     string
	Whole    int64
	Fraction float64
	Price    access.Decimal
	Flag     bool
	Blob     []byte
	At       time.Time
	Until    time.Time
	Document json.RawMessage
	Day      access.Date
	Week     access.Week
	Shade    shade
	Texts    []string
	Wholes   []int64
	Floats   []float64
	Prices   []access.Decimal
	Flags    []bool
	Blobs    [][]byte
	Times    []time.Time
	Shades   []shade
	Entries  map[string]string
	TextSet  []string
	IntSet   []int64
	FloatSet []float64
	PriceSet []access.Decimal
	BlobSet  [][]byte
	TimeSet  []time.Time
	ShadeSet []shade
	UnixSet  []time.Time
	Place    place
	Places   []place
	PlaceOf  map[string]place

	OptText  *string
	OptWhole *int64
	OptFloat *float64
	OptPrice *access.Decimal
	OptFlag  *bool
	OptAt    *time.Time
	OptUntil *time.Time
	OptDay   *access.Date
	OptWeek  *access.Week
	OptShade *shade
	OptPlace *place
}

type place struct {
	Zip   string
	Floor int64
}

func (p place) value() types.AttributeValue {
	return marshal.M(access.Item{"zip": marshal.S(p.Zip), "floor": marshal.N(p.Floor)})
}

func readPlace(v types.AttributeValue) (place, error) {
	item, err := marshal.AsMap(v)
	if err != nil {
		return place{}, err
	}
	d := marshal.Decode("place", item)
	p := place{Zip: d.String("zip"), Floor: d.Int("floor")}
	return p, d.Err()
}

func (e *everything) item() access.Item {
	item := access.Item{
		"text": marshal.S(e.Text), "whole": marshal.N(e.Whole), "fraction": marshal.F(e.Fraction), "price": marshal.Dec(e.Price),
		"flag": marshal.Bool(e.Flag), "blob": marshal.B(e.Blob), "at": marshal.Time(e.At), "until": marshal.Unix(e.Until),
		"document": marshal.S(string(e.Document)), "day": marshal.Text(e.Day), "week": marshal.Text(e.Week), "shade": marshal.Text(e.Shade),
		"texts": marshal.TextList(e.Texts), "wholes": marshal.IntList(e.Wholes), "floats": marshal.NumberListOf(e.Floats, marshal.FormatFloat),
		"prices": marshal.NumberListOf(e.Prices, access.Decimal.String), "flags": marshal.ListOf(e.Flags, marshal.Bool),
		"blobs": marshal.ListOf(e.Blobs, marshal.B), "times": marshal.ListOf(e.Times, marshal.Time), "shades": marshal.TextList(e.Shades),
		"entries": marshal.MapOf(e.Entries, marshal.S), "text_set": marshal.Strings(e.TextSet), "int_set": marshal.Ints(e.IntSet),
		"float_set": marshal.Floats(e.FloatSet), "price_set": marshal.Decimals(e.PriceSet), "blob_set": marshal.Blobs(e.BlobSet),
		"time_set": marshal.TextSetOf(e.TimeSet, marshal.FormatTime), "shade_set": marshal.Texts(e.ShadeSet),
		"unix_set": marshal.NumberSetOf(e.UnixSet, marshal.FormatUnix),
		"place":    e.Place.value(), "places": marshal.ListOf(e.Places, place.value), "place_of": marshal.MapOf(e.PlaceOf, place.value),
	}
	putPresent(item, "opt_text", e.OptText, marshal.S)
	putPresent(item, "opt_whole", e.OptWhole, marshal.N)
	putPresent(item, "opt_float", e.OptFloat, marshal.F)
	putPresent(item, "opt_price", e.OptPrice, marshal.Dec)
	putPresent(item, "opt_flag", e.OptFlag, marshal.Bool)
	putPresent(item, "opt_at", e.OptAt, marshal.Time)
	putPresent(item, "opt_until", e.OptUntil, marshal.Unix)
	putPresent(item, "opt_day", e.OptDay, marshal.Text[access.Date])
	putPresent(item, "opt_week", e.OptWeek, marshal.Text[access.Week])
	putPresent(item, "opt_shade", e.OptShade, marshal.Text[shade])
	putPresent(item, "opt_place", e.OptPlace, place.value)
	return item
}

func putPresent[T any](item access.Item, name string, v *T, value func(T) types.AttributeValue) {
	if v != nil {
		item[name] = value(*v)
	}
}

func readEverything(item access.Item) (everything, error) {
	d := marshal.Decode("Everything", item)
	e := everything{
		Text: d.String("text"), Whole: d.Int("whole"), Fraction: d.Float("fraction"), Price: d.Decimal("price"), Flag: d.Bool("flag"),
		Blob: d.Bytes("blob"), At: d.Time("at"), Until: d.Unix("until"), Document: d.JSON("document"), Day: d.Date("day"), Week: d.Week("week"),
		Shade: marshal.DecodeText[shade](&d, "shade"),
		Texts: d.StringList("texts"), Wholes: d.IntList("wholes"), Floats: d.FloatList("floats"), Prices: d.DecimalList("prices"),
		Flags: d.BoolList("flags"), Blobs: d.BytesList("blobs"), Times: d.TimeList("times"), Shades: marshal.DecodeTextList[shade](&d, "shades"),
		Entries: d.StringMap("entries"), TextSet: d.Strings("text_set"), IntSet: d.Ints("int_set"), FloatSet: d.Floats("float_set"),
		PriceSet: d.Decimals("price_set"), BlobSet: d.Blobs("blob_set"), TimeSet: d.Times("time_set"),
		ShadeSet: marshal.DecodeTextSet[shade](&d, "shade_set"), UnixSet: marshal.DecodeNumberSet(&d, "unix_set", marshal.ParseUnix),
		Place: marshal.DecodeOne(&d, "place", readPlace), Places: marshal.DecodeList(&d, "places", readPlace),
		PlaceOf: marshal.DecodeMap(&d, "place_of", readPlace),
		OptText: d.OptString("opt_text"), OptWhole: d.OptInt("opt_whole"), OptFloat: d.OptFloat("opt_float"), OptPrice: d.OptDecimal("opt_price"),
		OptFlag: d.OptBool("opt_flag"), OptAt: d.OptTime("opt_at"), OptUntil: d.OptUnix("opt_until"), OptDay: d.OptDate("opt_day"),
		OptWeek: d.OptWeek("opt_week"), OptShade: marshal.OptText[shade](&d, "opt_shade"), OptPlace: marshal.DecodeOpt(&d, "opt_place", readPlace),
	}
	d.Need("blob", "document", "texts", "wholes", "floats", "prices", "flags", "blobs", "times", "shades", "entries", "places", "place_of")
	return e, d.Err()
}

func someOfEverything() everything {
	at := time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC)
	until := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	e := everything{
		Text: "x", Whole: -7, Fraction: 1.5, Price: "19.99", Flag: true, Blob: []byte{1, 2}, At: at, Until: until, Document: json.RawMessage(`{"a":1}`),
		Day: "2026-02-17", Week: "2026-W07", Shade: dark, Texts: []string{"a", ""}, Wholes: []int64{1, -1}, Floats: []float64{0.5}, Prices: []access.Decimal{"1.5"},
		Flags: []bool{true, false}, Blobs: [][]byte{{1}, {}}, Times: []time.Time{at}, Shades: []shade{dark}, Entries: map[string]string{"k": "v"},
		TextSet: []string{"a"}, IntSet: []int64{1, 2}, FloatSet: []float64{0.25}, PriceSet: []access.Decimal{"2.5"}, BlobSet: [][]byte{{9}},
		TimeSet: []time.Time{at}, ShadeSet: []shade{dark}, UnixSet: []time.Time{until}, Place: place{"0150", 3}, Places: []place{{"1", 1}, {"2", 2}},
		PlaceOf: map[string]place{"home": {"3", 3}},
	}
	e.OptText, e.OptWhole, e.OptFloat, e.OptPrice, e.OptFlag = &e.Text, &e.Whole, &e.Fraction, &e.Price, &e.Flag
	e.OptAt, e.OptUntil, e.OptDay, e.OptWeek, e.OptShade, e.OptPlace = &e.At, &e.Until, &e.Day, &e.Week, &e.Shade, &e.Place
	return e
}

func TestItemsReadAsTheyWereWritten(t *testing.T) {
	want := someOfEverything()
	got, err := readEverything(want.item())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// mayBeMissing reports whether an item is right without an attribute: DynamoDB has no empty sets.
func mayBeMissing(name string) bool {
	return strings.HasPrefix(name, "opt_") || strings.HasSuffix(name, "_set")
}

// Older items lack newer attributes, and other programs write NULL for them.
func TestMissingRequiredAttributesAreErrors(t *testing.T) {
	full := someOfEverything()
	for name := range full.item() {
		for _, missing := range []types.AttributeValue{nil, &types.AttributeValueMemberNULL{Value: true}} {
			item := full.item()
			if item[name] = missing; missing == nil {
				delete(item, name)
			}
			_, err := readEverything(item)
			if mayBeMissing(name) {
				if err != nil {
					t.Errorf("without %s: %v", name, err)
				}
				continue
			}
			var wrong *access.DecodeError
			if !errors.As(err, &wrong) || wrong.Attribute != name || wrong.Reason != "is missing" {
				t.Errorf("without %s: %v", name, err)
			}
		}
	}
}

func TestMissingAttributesAreNotThere(t *testing.T) {
	d := marshal.Decode("E", access.Item{"text": &types.AttributeValueMemberNULL{Value: true}})
	if d.Has("text") || d.Has("other") {
		t.Error("the item has a text")
	}
	if _, ok := d.Sub("place", "place"); ok || d.Err() != nil {
		t.Errorf("there is a place, %v", d.Err())
	}
}

// Required lists and maps that are empty are stored, and are there when read.
func TestEmptyListsAndBytesAreThere(t *testing.T) {
	full := someOfEverything()
	item := full.item()
	maps.Copy(item, access.Item{"texts": marshal.TextList[string](nil), "entries": marshal.MapOf(map[string]string(nil), marshal.S), "blob": marshal.B(nil),
		"blobs": marshal.ListOf([][]byte{nil}, marshal.B), "text": marshal.S(""), "document": marshal.S("")})
	got, err := readEverything(item)
	want := someOfEverything()
	want.Text, want.Texts, want.Entries, want.Blob, want.Blobs, want.Document = "", []string{}, map[string]string{}, []byte{}, [][]byte{{}}, nil
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(everything{}, "OptText", "Document")); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if m, ok := marshal.M(nil).(*types.AttributeValueMemberM); !ok || m.Value == nil {
		t.Error("an empty struct is nothing")
	}
}

func TestAttributesOfAnotherKindAreErrors(t *testing.T) {
	for name, good := range func() access.Item { e := someOfEverything(); return e.item() }() {
		var bad types.AttributeValue = &types.AttributeValueMemberBOOL{Value: true}
		if _, same := good.(*types.AttributeValueMemberBOOL); same {
			bad = &types.AttributeValueMemberL{}
		}
		_, err := readEverything(access.Item{name: bad})
		var wrong *access.DecodeError
		if !errors.As(err, &wrong) || wrong.Attribute != name || wrong.Entity != "Everything" {
			t.Errorf("%s of another kind: %v", name, err)
		}
	}
}

func TestErrorsSayWhereAndWhat(t *testing.T) {
	for _, test := range []struct {
		name string
		v    types.AttributeValue
		want string
	}{
		{"text", marshal.N(1), "text of a stored Everything cannot be read: it holds N, not S"},
		{"text", (*types.AttributeValueMemberS)(nil), "text of a stored Everything cannot be read: it holds nothing"},
		{"text", &types.UnknownUnionMember{}, "text of a stored Everything cannot be read: it holds an unknown kind, not S"},
		{"text", marshal.Strings(nil), "text of a stored Everything cannot be read: it holds SS, not S"},
		{"text", marshal.Ints(nil), "text of a stored Everything cannot be read: it holds NS, not S"},
		{"text", marshal.Blobs(nil), "text of a stored Everything cannot be read: it holds BS, not S"},
		{"whole", marshal.Num("1.5"), "whole of a stored Everything cannot be read: it is not a whole number of 64 bits"},
		{"whole", marshal.Num("9223372036854775808"), "whole of a stored Everything cannot be read: it is not a whole number of 64 bits"},
		{"fraction", marshal.Num("NaN"), "fraction of a stored Everything cannot be read: it is not a number of 64 bits"},
		{"price", marshal.Num("x"), "price of a stored Everything cannot be read: it is not a decimal number of at most 38 digits"},
		{"at", marshal.S("today"), "at of a stored Everything cannot be read: it is not a time of RFC 3339"},
		{"day", marshal.S("2026-02-30"), "day of a stored Everything cannot be read: it is not a date as 2026-02-17"},
		{"week", marshal.S("2026-W60"), "week of a stored Everything cannot be read: it is not a week as 2026-W07"},
		{"int_set", &types.AttributeValueMemberNS{Value: []string{"1", "x"}}, "int_set of a stored Everything cannot be read: it has a member that is not a whole number of 64 bits"},
		{"wholes", marshal.ListOf([]string{"1", "x"}, marshal.Num), "wholes[1] of a stored Everything cannot be read: it is not a whole number of 64 bits"},
		{"texts", marshal.ListOf([]int64{1}, marshal.N), "texts[0] of a stored Everything cannot be read: it holds N, not S"},
		{"texts", &types.AttributeValueMemberL{Value: []types.AttributeValue{nil}}, "texts[0] of a stored Everything cannot be read: it holds nothing, not S"},
		{"entries", marshal.MapOf(map[string]int64{"k": 1}, marshal.N), "entries.k of a stored Everything cannot be read: it holds N, not S"},
		{"place", marshal.M(access.Item{"zip": marshal.N(1)}), "place.zip of a stored Everything cannot be read: it holds N, not S"},
		{"places", marshal.ListOf([]int64{1}, func(int64) types.AttributeValue { return marshal.M(access.Item{"floor": marshal.S("1")}) }),
			"places[0].floor of a stored Everything cannot be read: it holds S, not N"},
		{"opt_place", marshal.S("x"), "opt_place of a stored Everything cannot be read: it holds S, not M"},
	} {
		_, err := readEverything(access.Item{test.name: test.v})
		if err == nil || err.Error() != "access: "+test.want {
			t.Errorf("got  %v\nwant access: %s", err, test.want)
		}
	}
}

// DynamoDB writes numbers without exponents; what stands in for it may not.
func TestWholeNumbersMayHaveExponents(t *testing.T) {
	d := marshal.Decode("E", access.Item{"a": marshal.Num("1E+3"), "b": marshal.Num("5.0"), "c": marshal.Num("0e1")})
	if a, b, c := d.Int("a"), d.Int("b"), d.Unix("c"); a != 1000 || b != 5 || c.Unix() != 0 || d.Err() != nil {
		t.Error(a, b, c, d.Err())
	}
}

// Optional texts are shared with the item, which is nobody else's once it was read.
func TestOptionalTextsTakeNoMemory(t *testing.T) {
	item := access.Item{"a": marshal.S("x")}
	d := marshal.Decode("E", item)
	if n := testing.AllocsPerRun(100, func() { d.OptString("a") }); n != 0 || *d.OptString("a") != "x" {
		t.Errorf("an optional text takes %v allocations", n)
	}
}

func TestSubReadsAStruct(t *testing.T) {
	d := marshal.Decode("E", access.Item{"place": place{"0150", 3}.value(), "no": marshal.S("x")})
	sub, ok := d.Sub("place", "place")
	if !ok || sub.String("zip") != "0150" || sub.Int("floor") != 3 || sub.Err() != nil {
		t.Error(ok, sub.Err())
	}
	if _, ok := d.Sub("no", "place"); ok || d.Err() == nil {
		t.Error("a text was read as a struct")
	}
}
