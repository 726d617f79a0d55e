// Package tests is run by the tests of gogen on the packages generated from the cases.
package tests

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"generated.test/keysdb"
	"generated.test/namesdb"
	"generated.test/sealeddb"
	"generated.test/sealeddb/sealeddbtest"
	"generated.test/sparsedb"
	"generated.test/typesdb"
	"generated.test/typesdb/typesdbtest"

	"sortkey.dev/access"
)

// roundTrip stores random values and reads them back.
func roundTrip[T any](t *testing.T, item func(T) (access.Item, error), from func(access.Item) (T, error)) {
	t.Helper()
	for seed := range uint64(200) {
		var want T
		random{rand.New(rand.NewPCG(seed, 1))}.fill(reflect.ValueOf(&want).Elem())
		stored, err := item(want)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, err := from(stored)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: stored and read, it differs (-want +got)\n%s", seed, diff)
		}
	}
}

func TestWhatIsStoredIsRead(t *testing.T) {
	t.Run("Thing", func(t *testing.T) { roundTrip(t, typesdb.Thing.Item, typesdb.ThingFromItem) })
	t.Run("Maybe", func(t *testing.T) { roundTrip(t, typesdb.Maybe.Item, typesdb.MaybeFromItem) })
	t.Run("Task", func(t *testing.T) { roundTrip(t, sparsedb.Task.Item, sparsedb.TaskFromItem) })
	t.Run("Order", func(t *testing.T) { roundTrip(t, namesdb.Order.Item, namesdb.OrderFromItem) })
	t.Run("DB", func(t *testing.T) { roundTrip(t, namesdb.DBEntity.Item, namesdb.DBEntityFromItem) })
	db := sealeddbtest.New(t)
	t.Run("Patient", func(t *testing.T) {
		roundTrip(t, func(p sealeddb.Patient) (access.Item, error) { return p.Item(db) },
			func(item access.Item) (sealeddb.Patient, error) { return sealeddb.PatientFromItem(db, item) })
	})
}

// TestDynamoDBTakesItems stores random items in an engine, which refuses what DynamoDB
// would.
func TestDynamoDBTakesItems(t *testing.T) {
	db := typesdbtest.New(t)
	want := map[string]typesdb.Maybe{}
	for seed := range uint64(50) {
		var m typesdb.Maybe
		random{rand.New(rand.NewPCG(seed, 2))}.fill(reflect.ValueOf(&m).Elem())
		want[m.MaybeID] = m
		put(t, db.Client(), "things", m.Item)
		var other typesdb.Thing
		random{rand.New(rand.NewPCG(seed, 3))}.fill(reflect.ValueOf(&other).Elem())
		put(t, db.Client(), "things", other.Item)
	}
	got := map[string]typesdb.Maybe{}
	for m, err := range db.ScanMaybe().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got[m.MaybeID] = m
	}
	inAnyOrder := cmpopts.SortSlices(func(a, b any) bool { return fmt.Sprint(a) < fmt.Sprint(b) })
	if diff := cmp.Diff(want, got, inAnyOrder); diff != "" {
		t.Errorf("scanned, they differ (-want +got)\n%s", diff)
	}
}

func put(t *testing.T, c *access.Client, table string, make func() (access.Item, error)) {
	t.Helper()
	item, err := make()
	if err != nil {
		t.Fatal(err)
	}
	name := c.Table(table)
	if _, err := c.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item}); err != nil {
		t.Fatal(err)
	}
}

// TestItemsHaveAllAttributes finds no attribute of a full entity missing.
func TestItemsHaveAllAttributes(t *testing.T) {
	var thing typesdb.Thing
	random{rand.New(rand.NewPCG(1, 1))}.fill(reflect.ValueOf(&thing).Elem())
	item, err := thing.Item()
	if err != nil {
		t.Fatal(err)
	}
	if have, want := len(item), reflect.TypeFor[typesdb.Thing]().NumField()+2; have != want { // PK and kind
		t.Errorf("the item has %d attributes, not %d", have, want)
	}
	if _, ok := item["r"]; !ok {
		t.Error("the attribute with another stored name is not stored under it")
	}
	_ = keysdb.Tables()
}

// random fills values with anything that can be stored.
type random struct{ *rand.Rand }

func (r random) fill(v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(r.Int64N(4e9), 0).UTC()
		return
	case *access.Date:
		*p = access.DateOf(time.Unix(r.Int64N(4e9), 0))
		return
	case *access.Week:
		*p = access.WeekOf(time.Unix(r.Int64N(4e9), 0))
		return
	case *access.Decimal:
		*p = access.DecimalOf(r.Int64N(2e9)-1e9, r.IntN(4))
		return
	case *json.RawMessage:
		*p = json.RawMessage(fmt.Sprintf(`{"n": %d}`, r.IntN(100)))
		return
	}
	r.fillKind(v)
}

// enumTexts are the values of all enums of the cases.
var enumTexts = []string{"on", "off", "open", "waiting", "done", "a", "b", "values", "valid", "VALUES", "a-b", "a_b", "2.5", "25", "good", "bad", "red", "green", "NEW", "in-repair"}

func (r random) fillKind(v reflect.Value) {
	if _, ok := v.Interface().(interface{ Valid() bool }); ok && v.Kind() == reflect.String {
		r.fillEnum(v)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%c text %d", 'a'+rune(r.IntN(26)), r.IntN(1e6)))
	case reflect.Int64:
		v.SetInt(r.Int64N(1e6))
	case reflect.Float64:
		v.SetFloat(r.NormFloat64() * 1e3)
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Struct:
		for i := range v.NumField() {
			r.field(v.Field(i), v.Type().Field(i))
		}
		if id, at := v.FieldByName("ThingID"), v.FieldByName("MadeAt"); id.IsValid() && at.IsValid() {
			id.SetString(access.NewULID(at.Interface().(time.Time)))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+r.IntN(3), 3))
		for i := range v.Len() {
			r.fill(v.Index(i))
		}
		unique(v)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for i := range 1 + r.IntN(3) {
			element := reflect.New(v.Type().Elem()).Elem()
			r.fill(element)
			v.SetMapIndex(reflect.ValueOf(fmt.Sprint("key", i)), element)
		}
	case reflect.Uint8:
		v.SetUint(r.Uint64N(256))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem())
	default:
		panic("no random " + v.Type().String())
	}
}

// fillEnum takes one of the texts the enum knows.
func (r random) fillEnum(v reflect.Value) {
	for _, i := range r.Perm(len(enumTexts)) {
		v.SetString(enumTexts[i])
		if v.Interface().(interface{ Valid() bool }).Valid() {
			return
		}
	}
	panic("no random " + v.Type().String())
}

// field fills a field, or leaves it out if it may be absent.
func (r random) field(v reflect.Value, f reflect.StructField) {
	optional := len(f.Tag) > 0 && slices.Contains([]byte(f.Tag.Get("json")), ',')
	if optional && r.IntN(2) == 0 {
		return
	}
	r.fill(v)
}

// unique shortens a slice to members that differ, as sets need.
func unique(v reflect.Value) {
	seen := map[string]bool{}
	n := 0
	for i := range v.Len() {
		text := fmt.Sprintf("%#v", v.Index(i).Interface())
		if !seen[text] {
			seen[text] = true
			v.Index(n).Set(v.Index(i))
			n++
		}
	}
	v.SetLen(n)
}
