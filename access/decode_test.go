package access_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
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
	return access.M(access.Item{"zip": access.S(p.Zip), "floor": access.N(p.Floor)})
}

func readPlace(v types.AttributeValue) (place, error) {
	item, err := access.AsMap(v)
	if err != nil {
		return place{}, err
	}
	d := access.Decode("place", item)
	p := place{Zip: d.String("zip"), Floor: d.Int("floor")}
	return p, d.Err()
}

func (e *everything) item() access.Item {
	item := access.Item{
		"text": access.S(e.Text), "whole": access.N(e.Whole), "fraction": access.F(e.Fraction), "price": access.Dec(e.Price),
		"flag": access.Bool(e.Flag), "blob": access.B(e.Blob), "at": access.Time(e.At), "until": access.Unix(e.Until),
		"document": access.S(string(e.Document)), "day": access.Text(e.Day), "week": access.Text(e.Week), "shade": access.Text(e.Shade),
		"texts": access.TextList(e.Texts), "wholes": access.IntList(e.Wholes), "floats": access.NumberListOf(e.Floats, access.FormatFloat),
		"prices": access.NumberListOf(e.Prices, access.Decimal.String), "flags": access.ListOf(e.Flags, access.Bool),
		"blobs": access.ListOf(e.Blobs, access.B), "times": access.ListOf(e.Times, access.Time), "shades": access.TextList(e.Shades),
		"entries": access.MapOf(e.Entries, access.S), "text_set": access.Strings(e.TextSet), "int_set": access.Ints(e.IntSet),
		"float_set": access.Floats(e.FloatSet), "price_set": access.Decimals(e.PriceSet), "blob_set": access.Blobs(e.BlobSet),
		"time_set": access.TextSetOf(e.TimeSet, access.FormatTime), "shade_set": access.Texts(e.ShadeSet),
		"unix_set": access.NumberSetOf(e.UnixSet, access.FormatUnix),
		"place":    e.Place.value(), "places": access.ListOf(e.Places, place.value), "place_of": access.MapOf(e.PlaceOf, place.value),
	}
	putPresent(item, "opt_text", e.OptText, access.S)
	putPresent(item, "opt_whole", e.OptWhole, access.N)
	putPresent(item, "opt_float", e.OptFloat, access.F)
	putPresent(item, "opt_price", e.OptPrice, access.Dec)
	putPresent(item, "opt_flag", e.OptFlag, access.Bool)
	putPresent(item, "opt_at", e.OptAt, access.Time)
	putPresent(item, "opt_until", e.OptUntil, access.Unix)
	putPresent(item, "opt_day", e.OptDay, access.Text[access.Date])
	putPresent(item, "opt_week", e.OptWeek, access.Text[access.Week])
	putPresent(item, "opt_shade", e.OptShade, access.Text[shade])
	putPresent(item, "opt_place", e.OptPlace, place.value)
	return item
}

func putPresent[T any](item access.Item, name string, v *T, value func(T) types.AttributeValue) {
	if v != nil {
		item[name] = value(*v)
	}
}

func readEverything(item access.Item) (everything, error) {
	d := access.Decode("Everything", item)
	e := everything{
		Text: d.String("text"), Whole: d.Int("whole"), Fraction: d.Float("fraction"), Price: d.Decimal("price"), Flag: d.Bool("flag"),
		Blob: d.Bytes("blob"), At: d.Time("at"), Until: d.Unix("until"), Document: d.JSON("document"), Day: d.Date("day"), Week: d.Week("week"),
		Shade: access.DecodeText[shade](&d, "shade"),
		Texts: d.StringList("texts"), Wholes: d.IntList("wholes"), Floats: d.FloatList("floats"), Prices: d.DecimalList("prices"),
		Flags: d.BoolList("flags"), Blobs: d.BytesList("blobs"), Times: d.TimeList("times"), Shades: access.DecodeTextList[shade](&d, "shades"),
		Entries: d.StringMap("entries"), TextSet: d.Strings("text_set"), IntSet: d.Ints("int_set"), FloatSet: d.Floats("float_set"),
		PriceSet: d.Decimals("price_set"), BlobSet: d.Blobs("blob_set"), TimeSet: d.Times("time_set"),
		ShadeSet: access.DecodeTextSet[shade](&d, "shade_set"), UnixSet: access.DecodeNumberSet(&d, "unix_set", access.ParseUnix),
		Place: access.DecodeOne(&d, "place", readPlace), Places: access.DecodeList(&d, "places", readPlace),
		PlaceOf: access.DecodeMap(&d, "place_of", readPlace),
		OptText: d.OptString("opt_text"), OptWhole: d.OptInt("opt_whole"), OptFloat: d.OptFloat("opt_float"), OptPrice: d.OptDecimal("opt_price"),
		OptFlag: d.OptBool("opt_flag"), OptAt: d.OptTime("opt_at"), OptUntil: d.OptUnix("opt_until"), OptDay: d.OptDate("opt_day"),
		OptWeek: d.OptWeek("opt_week"), OptShade: access.OptText[shade](&d, "opt_shade"), OptPlace: access.DecodeOpt(&d, "opt_place", readPlace),
	}
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

// Older items lack newer attributes, and other programs write NULL for them.
func TestMissingAttributesAreZero(t *testing.T) {
	full := someOfEverything()
	null := access.Item{}
	for name := range full.item() {
		null[name] = &types.AttributeValueMemberNULL{Value: true}
	}
	for _, item := range []access.Item{nil, {}, null} {
		got, err := readEverything(item)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(everything{}, got); diff != "" {
			t.Error(diff)
		}
	}
	d := access.Decode("E", null)
	if d.Has("text") || d.Has("other") {
		t.Error("the item has a text")
	}
	if _, ok := d.Sub("place", "place"); ok || d.Err() != nil {
		t.Errorf("there is a place, %v", d.Err())
	}
}

// Required lists and maps that are empty are stored, and are there when read.
func TestEmptyListsAndBytesAreThere(t *testing.T) {
	var e everything
	got, err := readEverything(access.Item{"texts": access.TextList(e.Texts), "entries": access.MapOf(e.Entries, access.S), "blob": access.B(nil),
		"blobs": access.ListOf([][]byte{nil}, access.B), "text": access.S(""), "document": access.S("")})
	want := everything{Texts: []string{}, Entries: map[string]string{}, Blob: []byte{}, Blobs: [][]byte{{}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if m, ok := access.M(nil).(*types.AttributeValueMemberM); !ok || m.Value == nil {
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
		{"text", access.N(1), "text of a stored Everything cannot be read: it holds N, not S"},
		{"text", (*types.AttributeValueMemberS)(nil), "text of a stored Everything cannot be read: it holds nothing"},
		{"text", &types.UnknownUnionMember{}, "text of a stored Everything cannot be read: it holds an unknown kind, not S"},
		{"text", access.Strings(nil), "text of a stored Everything cannot be read: it holds SS, not S"},
		{"text", access.Ints(nil), "text of a stored Everything cannot be read: it holds NS, not S"},
		{"text", access.Blobs(nil), "text of a stored Everything cannot be read: it holds BS, not S"},
		{"whole", access.Num("1.5"), "whole of a stored Everything cannot be read: it is not a whole number of 64 bits"},
		{"whole", access.Num("9223372036854775808"), "whole of a stored Everything cannot be read: it is not a whole number of 64 bits"},
		{"fraction", access.Num("NaN"), "fraction of a stored Everything cannot be read: it is not a number of 64 bits"},
		{"price", access.Num("x"), "price of a stored Everything cannot be read: it is not a decimal number of at most 38 digits"},
		{"at", access.S("today"), "at of a stored Everything cannot be read: it is not a time of RFC 3339"},
		{"day", access.S("2026-02-30"), "day of a stored Everything cannot be read: it is not a date as 2026-02-17"},
		{"week", access.S("2026-W60"), "week of a stored Everything cannot be read: it is not a week as 2026-W07"},
		{"int_set", &types.AttributeValueMemberNS{Value: []string{"1", "x"}}, "int_set of a stored Everything cannot be read: it has a member that is not a whole number of 64 bits"},
		{"wholes", access.ListOf([]string{"1", "x"}, access.Num), "wholes[1] of a stored Everything cannot be read: it is not a whole number of 64 bits"},
		{"texts", access.ListOf([]int64{1}, access.N), "texts[0] of a stored Everything cannot be read: it holds N, not S"},
		{"texts", &types.AttributeValueMemberL{Value: []types.AttributeValue{nil}}, "texts[0] of a stored Everything cannot be read: it holds nothing, not S"},
		{"entries", access.MapOf(map[string]int64{"k": 1}, access.N), "entries.k of a stored Everything cannot be read: it holds N, not S"},
		{"place", access.M(access.Item{"zip": access.N(1)}), "place.zip of a stored Everything cannot be read: it holds N, not S"},
		{"places", access.ListOf([]int64{1}, func(int64) types.AttributeValue { return access.M(access.Item{"floor": access.S("1")}) }),
			"places[0].floor of a stored Everything cannot be read: it holds S, not N"},
		{"opt_place", access.S("x"), "opt_place of a stored Everything cannot be read: it holds S, not M"},
	} {
		_, err := readEverything(access.Item{test.name: test.v})
		if err == nil || err.Error() != "access: "+test.want {
			t.Errorf("got  %v\nwant access: %s", err, test.want)
		}
	}
}

// DynamoDB writes numbers without exponents; what stands in for it may not.
func TestWholeNumbersMayHaveExponents(t *testing.T) {
	d := access.Decode("E", access.Item{"a": access.Num("1E+3"), "b": access.Num("5.0"), "c": access.Num("0e1")})
	if a, b, c := d.Int("a"), d.Int("b"), d.Unix("c"); a != 1000 || b != 5 || c.Unix() != 0 || d.Err() != nil {
		t.Error(a, b, c, d.Err())
	}
}

// Optional texts are shared with the item, which is nobody else's once it was read.
func TestOptionalTextsTakeNoMemory(t *testing.T) {
	item := access.Item{"a": access.S("x")}
	d := access.Decode("E", item)
	if n := testing.AllocsPerRun(100, func() { d.OptString("a") }); n != 0 || *d.OptString("a") != "x" {
		t.Errorf("an optional text takes %v allocations", n)
	}
}

func TestSubReadsAStruct(t *testing.T) {
	d := access.Decode("E", access.Item{"place": place{"0150", 3}.value(), "no": access.S("x")})
	sub, ok := d.Sub("place", "place")
	if !ok || sub.String("zip") != "0150" || sub.Int("floor") != 3 || sub.Err() != nil {
		t.Error(ok, sub.Err())
	}
	if _, ok := d.Sub("no", "place"); ok || d.Err() == nil {
		t.Error("a text was read as a struct")
	}
}
