package shop_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/stream"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

// TestNeighboursAreToldByTheirKeys reads drivers and temps, whose keys have the same literals, in a
// collect, in scans and from a stream.
func TestNeighboursAreToldByTheirKeys(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	drivers := []string{"00000000000000000000000000", "01J8ZQ5V6T7B8C9D0E1F2G3H4J", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"}
	temps := []int64{0, 1, 42, 9999}
	for _, id := range drivers {
		must[shopdb.Driver](t)(db.AddDriver(ctx, shopdb.Driver{Depot: "north", DriverID: id, Name: "Dee"}))
	}
	for _, n := range temps {
		must[shopdb.Temp](t)(db.AddTemp(ctx, shopdb.Temp{Depot: "north", Number: n, Agency: "Quick"}))
	}
	numbers := func(found []shopdb.Temp) (all []int64) {
		for _, one := range found {
			all = append(all, one.Number)
		}
		slices.Sort(all)
		return all
	}
	ids := func(found []shopdb.Driver) (all []string) {
		for _, one := range found {
			all = append(all, one.DriverID)
		}
		slices.Sort(all)
		return all
	}
	crew := must[shopdb.LoadCrewResult](t)(db.LoadCrew(ctx, "north"))
	if got := ids(crew.Drivers); !slices.Equal(got, drivers) {
		t.Errorf("the collect finds the drivers %q", got)
	}
	if got := numbers(crew.Temps); !slices.Equal(got, temps) {
		t.Errorf("the collect finds the temps %v", got)
	}
	if got := ids(scanned(t, db.ScanDriver())); !slices.Equal(got, drivers) {
		t.Errorf("the scan finds the drivers %q", got)
	}
	if got := numbers(scanned(t, db.ScanTemp())); !slices.Equal(got, temps) {
		t.Errorf("the scan finds the temps %v", got)
	}
}

// TestAnIDThatIsNoULIDIsRefusedAmongNeighbours writes a driver whose key would be that of a temp.
func TestAnIDThatIsNoULIDIsRefusedAmongNeighbours(t *testing.T) {
	db := shopdbtest.New(t)
	for _, id := range []string{"0042", "bob", "01j8zq5v6t7b8c9d0e1f2g3h4j"} {
		_, err := db.AddDriver(t.Context(), shopdb.Driver{Depot: "north", DriverID: id, Name: "Dee"})
		if refused, ok := errors.AsType[*access.KeyError](err); !ok || refused.Attribute != "driver_id" {
			t.Errorf("%s: %v, not an error about driver_id", id, err)
		}
	}
}

// TestChangesOfNeighboursAreToldByTheirKeys hands the changes of a driver and of a temp to the
// handlers of a stream.
func TestChangesOfNeighboursAreToldByTheirKeys(t *testing.T) {
	db := shopdbtest.New(t)
	var got []string
	handle := db.Stream(shopdb.Handlers{
		OnDriver: stream.On[shopdb.Driver]{Insert: func(_ context.Context, d shopdb.Driver) error {
			got = append(got, "driver "+d.DriverID)
			return nil
		}},
		OnTemp: stream.On[shopdb.Temp]{Insert: func(_ context.Context, one shopdb.Temp) error {
			got = append(got, fmt.Sprint("temp ", one.Number))
			return nil
		}},
	})
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	record := func(sk string, rest access.Item) stream.Record {
		keys := access.Item{"PK": text("DEPOT#north"), "SK": text(sk)}
		rest["PK"], rest["SK"], rest["depot"] = keys["PK"], keys["SK"], text("north")
		return stream.Record{Table: "crews", Kind: stream.Insert, Keys: keys, New: rest}
	}
	for _, r := range []stream.Record{
		record("CREW#01J8ZQ5V6T7B8C9D0E1F2G3H4J", access.Item{"driver_id": text("01J8ZQ5V6T7B8C9D0E1F2G3H4J"), "name": text("Dee")}),
		record("CREW#0042", access.Item{"number": &types.AttributeValueMemberN{Value: "42"}, "agency": text("Quick")}),
		record("CREW#what", access.Item{}), // no key of either
	} {
		if err := handle(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"driver 01J8ZQ5V6T7B8C9D0E1F2G3H4J", "temp 42"}; !slices.Equal(got, want) {
		t.Errorf("handled %q, want %q", got, want)
	}
}

// scanned returns all items of a scan.
func scanned[T any](t *testing.T, scan access.Scan[T]) (all []T) {
	t.Helper()
	for one, err := range scan.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}
