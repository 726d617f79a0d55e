package main

import (
	"context"
	"fmt"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/bench/internal/exams/examsdb"
)

// marshalWorkloads make items from entities and entities from items, without any
// database.
var marshalWorkloads = []workload{
	{id: "encode-small", title: "Encode RefreshToken, 8 scalars"},
	{id: "decode-small", title: "Decode RefreshToken, 8 scalars"},
	{id: "round-small", title: "Encode and decode RefreshToken"},
	{id: "encode-nested", title: "Encode AnswerSelection, 11 with map and lists"},
	{id: "decode-nested", title: "Decode AnswerSelection, 11 with map and lists"},
	{id: "round-nested", title: "Encode and decode AnswerSelection"},
	{id: "encode-large", title: "Encode Item, 27 with list of structs"},
	{id: "decode-large", title: "Decode Item, 27 with list of structs"},
	{id: "round-large", title: "Encode and decode Item"},
}

const (
	marshalUnits  = 64 // conversions between two looks at the clock
	marshalValues = 16 // different entities, in turns

	generatedSystem = "generated"
	reflectSystem   = "attributevalue"
	readySystem     = "ready values"
)

// marshalSection measures the encoding and decoding of generated code beside the
// SDK's encoder, which works by reflection. Both begin with the same values and
// end with the same ones: an encoded item has its keys. Encoding has a floor too,
// because most of its cost is that of the types it has to end with.
func (b *bench) marshalSection(ctx context.Context) error {
	rows := plannedRows(sectionMarshal, marshalWorkloads, []int{1}, b.only)
	if len(rows) == 0 {
		return nil
	}
	systems, err := marshalSystems()
	if err != nil {
		return err
	}
	for i := range rows {
		for _, s := range systems {
			if s.can(rows[i].work) {
				rows[i].systems = append(rows[i].systems, s)
			}
		}
		rows[i].bases = []base{{name: reflectSystem}, {name: readySystem}}
	}
	return b.measureRows(ctx, rows)
}

// A marshalSystem converts entities in one way.
type marshalSystem struct {
	inThisProcess
	title   string
	callers map[string]caller // by the id of the workload
}

var _ interface {
	system
	cpuMeter
	allocMeter
} = marshalSystem{}

func (s marshalSystem) name() string { return s.title }

// can reports whether the system has such a conversion.
func (s marshalSystem) can(w workload) bool { return s.callers[w.id] != nil }

func (s marshalSystem) caller(w workload, _ uint64) (caller, error) {
	c, ok := s.callers[w.id]
	if !ok {
		return nil, fmt.Errorf("no conversion %s", w.id)
	}
	return c, nil
}

// A converter is a caller that makes one value from another, many at a time.
type converter[In, Out any] struct {
	from    []In
	convert func(In) (Out, error)
	item    func(Out) (access.Item, error) // what came out, as an item, to look at
	want    access.Item                    // for the last
	last    Out
}

func (c *converter[In, Out]) units() int   { return marshalUnits }
func (c *converter[In, Out]) close() error { return nil }

func (c *converter[In, Out]) do(check bool) error {
	for i := range marshalUnits {
		out, err := c.convert(c.from[i%marshalValues])
		if err != nil {
			return err
		}
		c.last = out
	}
	if !check {
		return nil
	}
	return sameItem(func() (access.Item, error) { return c.item(c.last) }, func() (access.Item, error) { return c.want, nil })
}

// sameItem compares two entities by what is stored of them: it does not matter in
// which time zone a time is held.
func sameItem(got, want func() (access.Item, error)) error {
	gotItem, err := got()
	if err != nil {
		return err
	}
	wantItem, err := want()
	if err != nil {
		return err
	}
	for name := range wantItem {
		if !reflect.DeepEqual(gotItem[name], wantItem[name]) {
			return fmt.Errorf("%s is %+v, want %+v", name, gotItem[name], wantItem[name])
		}
	}
	if len(gotItem) != len(wantItem) {
		return fmt.Errorf("%d attributes, want %d", len(gotItem), len(wantItem))
	}
	return nil
}

// alreadyItem returns the item function of a converter that encodes.
func alreadyItem(item access.Item) (access.Item, error) { return item, nil }

// An entity is a value to convert: an entity E of a generated package and the row R
// that is the same, written by hand.
type entity[E, R any] struct {
	id     string
	value  func(n int) E
	encode func(E) (access.Item, error)
	decode func(access.Item) (E, error)
	row    func(E) R
	keys   func(*R, access.Item) // adds the attributes that are keys
}

// marshalSystems returns all ways to convert the entities.
func marshalSystems() ([]marshalSystem, error) {
	ways := conversions{
		generated: marshalSystem{title: generatedSystem, callers: map[string]caller{}},
		reflected: marshalSystem{title: reflectSystem, callers: map[string]caller{}},
		ready:     marshalSystem{title: readySystem, callers: map[string]caller{}},
	}
	for _, add := range []func(conversions) error{
		entity[examsdb.RefreshToken, tokenRow]{
			id: "small", value: func(n int) examsdb.RefreshToken { return newToken("hash-"+id("T", n), n) },
			encode: examsdb.RefreshToken.Item, decode: examsdb.RefreshTokenFromItem,
			row: func(t examsdb.RefreshToken) tokenRow { return tokenRow(t) }, keys: tokenKeys,
		}.addTo,
		entity[examsdb.AnswerSelection, answerRow]{
			id: "nested", value: func(n int) examsdb.AnswerSelection { return newAnswer(id("A", n), id("Q", n), n) },
			encode: examsdb.AnswerSelection.Item, decode: examsdb.AnswerSelectionFromItem,
			row: newAnswerRow, keys: answerKeys,
		}.addTo,
		entity[ecobiddb.Item, offerRow]{
			id: "large", value: newOffer, encode: ecobiddb.Item.Item, decode: ecobiddb.ItemFromItem,
			row: newOfferRow, keys: offerKeys,
		}.addTo,
	} {
		if err := add(ways); err != nil {
			return nil, err
		}
	}
	return []marshalSystem{ways.ready, ways.reflected, ways.generated}, nil
}

// conversions lists the ways to convert: generated code, the SDK, and a floor with the
// encoded texts of all values.
type conversions struct{ generated, reflected, ready marshalSystem }

// addTo adds the conversions of an entity.
func (e entity[E, R]) addTo(ways conversions) error {
	var values []E
	var rows []*R
	var items []access.Item
	var ready []*readyItem
	for n := range marshalValues {
		value := e.value(n)
		item, err := e.encode(value)
		if err != nil {
			return err
		}
		values, rows, items = append(values, value), append(rows, new(e.row(value))), append(items, item)
		ready = append(ready, takeApart(item))
	}
	want := items[(marshalUnits-1)%marshalValues]
	encode, decode, round := "encode-"+e.id, "decode-"+e.id, "round-"+e.id
	ways.generated.callers[encode] = &converter[E, access.Item]{from: values, convert: e.encode, item: alreadyItem, want: want}
	ways.generated.callers[decode] = &converter[access.Item, E]{from: items, convert: e.decode, item: e.encode, want: want}
	ways.generated.callers[round] = &converter[E, E]{from: values, convert: through(e.encode, e.decode), item: e.encode, want: want}
	ways.reflected.callers[encode] = &converter[*R, access.Item]{from: rows, convert: e.marshal, item: alreadyItem, want: want}
	ways.reflected.callers[decode] = &converter[access.Item, *R]{from: items, convert: unmarshal[R], item: e.marshal, want: want}
	ways.reflected.callers[round] = &converter[*R, *R]{from: rows, convert: through(e.marshal, unmarshal[R]), item: e.marshal, want: want}
	ways.ready.callers[encode] = &converter[*readyItem, access.Item]{from: ready, convert: (*readyItem).build, item: alreadyItem, want: want}
	return nil
}

// through encodes a value and decodes it again, as a program does that writes what it
// reads.
func through[V any](encode func(V) (access.Item, error), decode func(access.Item) (V, error)) func(V) (V, error) {
	return func(v V) (V, error) {
		item, err := encode(v)
		if err != nil {
			return v, err
		}
		return decode(item)
	}
}

// marshal encodes with the SDK's encoder. The keys are added to the map: that is
// cheaper than to have them in the row, where reflection finds them.
func (e entity[E, R]) marshal(row *R) (access.Item, error) {
	item, err := attributevalue.MarshalMap(row)
	if err != nil {
		return nil, err
	}
	e.keys(row, item)
	return item, nil
}

func unmarshal[R any](item access.Item) (*R, error) {
	row := new(R)
	return row, attributevalue.UnmarshalMap(item, row)
}

func stringValue(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func tokenKeys(t *tokenRow, item access.Item) {
	item["PK"], item["SK"] = stringValue("TOKEN#"+t.TokenHash), stringValue("TOKEN")
	item["GSI1PK"], item["GSI1SK"] = stringValue("USER#"+t.UserID), stringValue("TOKEN#"+t.TokenHash)
	item["EntityType"] = stringValue("RefreshToken")
}

func answerKeys(a *answerRow, item access.Item) {
	item["PK"], item["SK"] = stringValue("ATTEMPT#"+a.AttemptID), stringValue("ANSWER#"+a.QuestionID)
	item["EntityType"] = stringValue("ANSWER")
}

func offerKeys(o *offerRow, item access.Item) {
	item["PK"], item["SK"] = stringValue("ITEM#"+o.ItemID), stringValue("METADATA")
	item["GSI5PK"], item["GSI5SK"] = stringValue("USER#"+o.UserID), stringValue("ITEM#"+o.ItemID)
	item["GSI6PK"], item["GSI6SK"] = stringValue("STATUS#"+string(o.Status)+"#"+marshal.ShardOf(o.ItemID, 8)), stringValue("ITEM#"+o.ItemID)
	item["entity"] = stringValue("Item")
}
