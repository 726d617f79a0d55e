package tests

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"generated.test/defaultsdb"
	"generated.test/defaultsdb/defaultsdbtest"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/stream"
)

const ticketID = "01HZX5Y7Q8R9S0T1V2W3X4Y5Z6"

// older is a ticket as it was stored before its attributes with defaults were added.
func older() access.Item {
	return access.Item{
		"PK": marshal.S("T#" + ticketID), "SK": marshal.S("TICKET"), "GSI1PK": marshal.S("TITLE#Help"), "GSI1SK": marshal.S(ticketID),
		"type": marshal.S("Ticket"), "ticket_id": marshal.S(ticketID), "title": marshal.S("Help"),
		"queue": &types.AttributeValueMemberNULL{Value: true},
	}
}

// defaulted is what every read of the older ticket gives.
func defaulted() defaultsdb.Ticket {
	return defaultsdb.Ticket{
		TicketID: ticketID, Title: "Help", Priority: 3, Weight: -0.5, Price: "19.9", Open: true, Queue: "general help",
		Kind: defaultsdb.TicketKindQuestion, SeenAt: time.Date(2026, 2, 17, 10, 0, 0, 0, time.UTC), Until: time.Unix(1770000000, 0).UTC(),
		Day: "2026-02-17", Week: "2026-W07", OwnerID: "00000000-0000-4000-8000-000000000000",
	}
}

func putOlder(t *testing.T, db *defaultsdb.DB, item access.Item) {
	t.Helper()
	name := db.Client().Table("tickets")
	if _, err := db.Client().API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item}); err != nil {
		t.Fatal(err)
	}
}

// Whatever reads an item that is older than an attribute gives the default.
func TestOlderItemsHaveTheDefaults(t *testing.T) {
	ctx, db := t.Context(), defaultsdbtest.New(t)
	putOlder(t, db, older())
	putOlder(t, db, access.Item{"PK": marshal.S("T#" + ticketID), "SK": marshal.S("R#" + ticketID), "type": marshal.S("Reply"),
		"ticket_id": marshal.S(ticketID), "reply_id": marshal.S(ticketID), "text": marshal.S("Hello")})
	if got, err := db.GetTicket(ctx, ticketID); err != nil || got != defaulted() {
		t.Errorf("get gives %+v, %v", got, err)
	}
	if got, err := defaultsdb.TicketFromItem(older()); err != nil || got != defaulted() {
		t.Errorf("the item decodes as %+v, %v", got, err)
	}
	if got, err := db.GetKind(ctx, ticketID); err != nil || got.Kind != defaultsdb.TicketKindQuestion || !got.SeenAt.Equal(defaulted().SeenAt) {
		t.Errorf("a projection gives %+v, %v", got, err)
	}
	rows, err := db.ListByTitle("Help").Slice(ctx)
	if err != nil || len(rows) != 1 || rows[0].Kind != defaultsdb.TicketKindQuestion || rows[0].Priority != 3 {
		t.Errorf("the index gives %+v, %v", rows, err)
	}
	all, err := db.LoadTicket(ctx, ticketID)
	if err != nil || len(all.Tickets) != 1 || all.Tickets[0] != defaulted() || len(all.Replies) != 1 || !all.Replies[0].Public {
		t.Errorf("collect gives %+v, %v", all, err)
	}
	changed, err := db.SetPriority(ctx, defaultsdb.TicketKey{TicketID: ticketID}, defaultsdb.SetPriorityParams{Priority: 0, Kind: defaultsdb.TicketKindBug})
	want := defaulted()
	want.Priority, want.Kind = 0, defaultsdb.TicketKindBug
	if err != nil || changed != want {
		t.Errorf("update gives %+v, %v", changed, err)
	}
}

// A value of another kind is no reason to take the default.
func TestDefaultsHideNoWrongValues(t *testing.T) {
	item := older()
	item["priority"] = marshal.S("high")
	var wrong *access.DecodeError
	if got, err := defaultsdb.TicketFromItem(item); !errors.As(err, &wrong) || wrong.Attribute != "priority" {
		t.Errorf("read %+v, %v", got, err)
	}
	delete(item, "priority")
	delete(item, "title")
	if got, err := defaultsdb.TicketFromItem(item); !errors.As(err, &wrong) || wrong.Attribute != "title" {
		t.Errorf("read %+v, %v", got, err)
	}
}

// Fields that have no value are stored as the default; the empty string, 0 and false are values.
func TestCreatesStoreTheDefaults(t *testing.T) {
	ctx, db := t.Context(), defaultsdbtest.New(t)
	given := defaultsdb.Ticket{TicketID: ticketID, Title: "Help"}
	want := defaulted()
	want.Priority, want.Weight, want.Price, want.Open, want.Queue = 0, 0, "", false, ""
	made, err := db.AddTicket(ctx, given)
	if err != nil || made != want {
		t.Errorf("create gives %+v, %v", made, err)
	}
	want.Price = "0"
	if got, err := db.GetTicket(ctx, ticketID); err != nil || got != want {
		t.Errorf("read back %+v, %v", got, err)
	}
	item, err := given.Item()
	if err != nil {
		t.Fatal(err)
	}
	for name, stored := range map[string]types.AttributeValue{"k": marshal.S("QUESTION"), "priority": marshal.N(0), "open": marshal.Bool(false), "queue": marshal.S("")} {
		if got := item[name]; !reflect.DeepEqual(got, stored) {
			t.Errorf("%s is stored as %v", name, got)
		}
	}
	if given.Kind != "" {
		t.Error("the item of the caller was changed")
	}
}

// A handler of changes sees the defaults, too.
func TestStreamsOfOlderItemsHaveTheDefaults(t *testing.T) {
	db := defaultsdbtest.New(t)
	var got defaultsdb.Ticket
	handle := db.Stream(defaultsdb.Handlers{OnTicket: stream.On[defaultsdb.Ticket]{Insert: func(_ context.Context, made defaultsdb.Ticket) error {
		got = made
		return nil
	}}})
	if err := handle(t.Context(), change(t, db.Client().Table("tickets"), []string{"PK", "SK"}, older())); err != nil || got != defaulted() {
		t.Errorf("the handler got %+v, %v", got, err)
	}
}
