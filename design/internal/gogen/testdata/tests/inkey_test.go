package tests

import (
	"errors"
	"testing"
	"time"

	"generated.test/inkeydb"
	"generated.test/inkeydb/inkeydbtest"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// Attributes that exist only in the key are written into it and read back from it, and are not
// stored beside it.
func TestAttributesOnlyInTheKey(t *testing.T) {
	ctx, db := t.Context(), inkeydbtest.New(t)
	email, at := "ann:lee@example.org", time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC)
	if _, err := db.Register(ctx, inkeydb.Customer{Email: email, Name: "Ann"}); err != nil {
		t.Fatal(err)
	}
	if c, err := db.GetCustomer(ctx, email); err != nil || c.Email != email || c.Name != "Ann" {
		t.Errorf("got %+v, %v", c, err)
	}
	order := inkeydb.Order{Email: email, PlacedAt: at, State: inkeydb.OrderStateOpen, Total: 7}
	stored, err := order.Item()
	if err != nil || len(stored) != 6 || stored["email"] != nil || stored["placed_at"] != nil {
		t.Errorf("stored as %v, %v", stored, err)
	}
	if back, err := inkeydb.OrderFromItem(stored); err != nil || back != order {
		t.Errorf("read back %+v, %v", back, err)
	}
	if _, err := db.Place(ctx, order); err != nil {
		t.Fatal(err)
	}
	paid, err := db.Pay(ctx, inkeydb.OrderKey{Email: email, PlacedAt: at})
	if err != nil || paid.Email != email || !paid.PlacedAt.Equal(at) || paid.State != inkeydb.OrderStatePaid {
		t.Errorf("paid %+v, %v", paid, err)
	}
	rows, err := db.InState(inkeydb.OrderStatePaid).Slice(ctx)
	if err != nil || len(rows) != 1 || rows[0].Email != email || !rows[0].PlacedAt.Equal(at) || rows[0].Total != 7 {
		t.Errorf("got %+v, %v", rows, err)
	}
	for n, sku := range []string{"a:b", ";", ";1", "plain"} {
		line := inkeydb.Line{Email: email, PlacedAt: at, Number: int64(n), Sku: sku, Amount: 1}
		if _, err := db.Save(ctx, line); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := db.Lines(email, at).Slice(ctx)
	if err != nil || len(lines) != 4 || lines[0].Sku != "a:b" || lines[1].Sku != ";" || lines[2].Sku != ";1" || lines[3].Number != 3 {
		t.Errorf("got %+v, %v", lines, err)
	}
	stored["SK"] = marshal.S("ORDER:7")
	var decode *access.DecodeError
	if _, err := inkeydb.OrderFromItem(stored); !errors.As(err, &decode) {
		t.Errorf("a sort key of another form: %v", err)
	}
}
