package tests

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"generated.test/collectsdb"
	"generated.test/keysdb"
	"generated.test/naturaldb"
	"generated.test/sealeddb"
	"generated.test/sparsedb"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func reading() keysdb.Reading {
	at := time.Date(2026, 2, 17, 10, 30, 0, 123456789, time.UTC)
	return keysdb.Reading{
		ReadingID: "01KHNJCN5VABCDEFGHJKMNPQRS",
		EventID:   "018bfcd0-0b1c-7cc3-98c4-dc0c0c07398f",
		Sensor:    "North-3",
		Room:      keysdb.ReadingRoomHall,
		At:        at,
		Seen:      at,
		Day:       "2026-02-17",
		Week:      "2026-W08",
		Cell:      "u3qcnm",
		Level:     42,
		Ratio:     0.5,
		Price:     "9.50",
		Open:      true,
	}
}

func TestKeysAreMadeAsTheDesignSays(t *testing.T) {
	item, err := reading().Item()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, name := range []string{"PK", "SK", "APK", "ASK", "BPK", "BSK", "CPK", "CSK", "DPK", "DSK"} {
		got[name] = item[name].(*types.AttributeValueMemberS).Value
	}
	id, err := access.TimeOfID(reading().ReadingID)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"PK":  "SENSOR#north-3#" + marshal.ShardOf(reading().ReadingID, 8),
		"SK":  "01KHNJCN5VABCDEFGHJKMNPQRS",
		"APK": "ROOM#HALL#2026-02-17",
		"ASK": "2026-02-17T10:30:00.123Z#000042",
		"BPK": "2026-02#2026-02-17T10",
		"BSK": "u3qc#2026-02-17#2026-W08#001771324200",
		"CPK": "0.5#9.5#true#42#1771324200",
		"CSK": "READING",
		"DPK": marshal.DayOf(id) + "#2023-11",
		"DSK": marshal.ShardOf("2026-02-17", 4) + "#NOR",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the keys differ (-want +got)\n%s", diff)
	}
}

func TestKeysRefuseWhatTheyCannotHold(t *testing.T) {
	for _, test := range []struct {
		name      string
		change    func(*keysdb.Reading)
		attribute string
	}{
		{"no text", func(r *keysdb.Reading) { r.Sensor = "" }, "sensor"},
		{"the delimiter", func(r *keysdb.Reading) { r.Sensor = "a#b" }, "sensor"},
		{"a negative number", func(r *keysdb.Reading) { r.Level = -1 }, "level"},
		{"a number too wide", func(r *keysdb.Reading) { r.Level = 1234567 }, "level"},
		{"no date", func(r *keysdb.Reading) { r.Day = "17.2.2026" }, "day"},
		{"an id without a time", func(r *keysdb.Reading) { r.EventID = "x" }, "event_id"},
	} {
		r := reading()
		test.change(&r)
		_, err := r.Item()
		var key *access.KeyError
		if !errors.As(err, &key) || key.Attribute != test.attribute || key.Entity != "Reading" {
			t.Errorf("%s: %v, not a KeyError about %s", test.name, err, test.attribute)
		}
	}
}

func TestItemsRefuseValuesOutsideTheDesign(t *testing.T) {
	for _, test := range []struct {
		change func(*keysdb.Reading)
		want   string
	}{
		{func(r *keysdb.Reading) { r.Room = "cellar" }, "room of Reading cannot be stored: it is not one of "},
		{func(r *keysdb.Reading) { r.At = time.Time{} }, "at of Reading cannot be stored: it is the zero time"},
		{func(r *keysdb.Reading) { r.At = r.At.Add(time.Millisecond) }, "reading_id of Reading cannot be stored: it was not made at at"},
	} {
		r := reading()
		test.change(&r)
		_, err := r.Item()
		var refused *access.ValueError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, not that %s", err, test.want)
		}
	}
	_, err := sparsedb.Task{TaskID: "01KHMZC5Y0ABCDEFGHJKMNPQRS", State: "done", Price: "1", DueAt: time.Unix(1, 0)}.Item()
	if err == nil || err.Error() != "access: seen of Task cannot be stored: it is the zero time" {
		t.Errorf("a unixtime that is the zero time gives %v", err)
	}
	r := reading()
	r.At = r.At.Add(time.Microsecond) // what is finer than a millisecond is not stored
	if _, err := r.Item(); err != nil {
		t.Error(err)
	}
}

func TestNaturalKeysAreNotEmpty(t *testing.T) {
	_, err := naturaldb.Page{Site: "example.org"}.Item()
	var key *access.KeyError
	if !errors.As(err, &key) || key.Attribute != "path" {
		t.Errorf("%v, not a KeyError about path", err)
	}
}

func TestKeysAreThereWhenTheDesignSaysSo(t *testing.T) {
	due := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	early, late := due.Add(-90*24*time.Hour), due.Add(time.Hour)
	yes, no, ann, bob := true, false, "ann", "bob"
	price := access.Decimal("10")
	for _, test := range []struct {
		name string
		task sparsedb.Task
		want string // the keys that are there
	}{
		{"early", sparsedb.Task{State: "done", DueAt: early}, "dj"},
		{"open", sparsedb.Task{State: "open", DueAt: due}, "aj"},
		{"open and hidden", sparsedb.Task{State: "open", Hidden: true, DueAt: due}, "j"},
		{"owned", sparsedb.Task{State: "waiting", Owner: &ann, DueAt: due}, "abj"},
		{"done", sparsedb.Task{State: "done", Owner: &ann, DueAt: due}, "j"},
		{"two people, urgent", sparsedb.Task{State: "done", Owner: &ann, Reviewer: &bob, Urgent: &yes, DueAt: due}, "cj"},
		{"one person, urgent", sparsedb.Task{State: "done", Owner: &ann, Reviewer: &ann, Urgent: &yes, DueAt: due}, "ij"},
		{"not urgent", sparsedb.Task{State: "done", Urgent: &no, Tags: []string{"x"}, DueAt: due}, "hj"},
		{"late and done", sparsedb.Task{State: "done", DueAt: early, DoneAt: &due}, "j"},
		{"tried", sparsedb.Task{State: "done", Tries: 1, Limit: 2, Score: 0.6, DueAt: due}, "ej"},
		{"tried too often", sparsedb.Task{State: "done", Tries: 2, Limit: 2, Score: 0.6, DueAt: due}, "j"},
		{"bid above", sparsedb.Task{State: "done", Price: "9.5", Bid: &price, DueAt: due}, "fj"},
		{"price too high", sparsedb.Task{State: "done", Price: "9.51", Bid: &price, DueAt: due}, "j"},
		{"after", sparsedb.Task{State: "done", DueAt: due, DoneAt: &late, Seen: due, Until: &late}, "gj"},
		{"after, not bounded", sparsedb.Task{State: "done", DueAt: due, DoneAt: &late, Seen: due}, "j"},
	} {
		test.task.TaskID = "01KHMZC5Y0ABCDEFGHJKMNPQRS"
		if test.task.Seen.IsZero() {
			test.task.Seen = time.Unix(1, 0)
		}
		if test.task.Price == "" {
			test.task.Price = "99"
		}
		item, err := test.task.Item()
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := ""
		for _, name := range "abcdefghij" {
			if _, ok := item[string(name)]; ok {
				got += string(name)
			}
		}
		if got != test.want {
			t.Errorf("%s: the keys are %q, not %q", test.name, got, test.want)
		}
	}
}

func TestSealedAttributesAreNotReadable(t *testing.T) {
	p := sealeddb.Patient{PatientID: "01KHMZC5Y0ABCDEFGHJKMNPQRS", Name: "Ann", Born: "1990-01-01", Weight: "70.5"}
	_, err := p.Item(sealeddb.New(nil))
	if !errors.Is(err, access.ErrSealed) {
		t.Errorf("without a sealer: %v, not ErrSealed", err)
	}
	sealer, err := access.NewSealer([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	item, err := p.Item(sealeddb.New(nil, access.WithSealer(sealer)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"n", "born", "weight", "visits", "smokes"} {
		if _, ok := item[name].(*types.AttributeValueMemberB); !ok {
			t.Errorf("%s is stored as %T", name, item[name])
		}
	}
	if _, err := sealeddb.PatientFromItem(sealeddb.New(nil), item); !errors.Is(err, access.ErrSealed) {
		t.Errorf("read without a sealer: %v, not ErrSealed", err)
	}
}

// The key of a table and the sort key of an index may be the same text; what fits into the
// first may be too long for the second.
func TestKeysWithOneTextKeepTheShorterLimit(t *testing.T) {
	post := collectsdb.Post{PostID: strings.Repeat("p", 1024-len("POST#")), Author: "ann"}
	item, err := post.Item()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text(item, "PK"), text(item, "author_sk")); diff != "" || len(text(item, "PK")) != 1024 {
		t.Errorf("%d bytes, and as a sort key: %s", len(text(item, "PK")), diff)
	}
	post.PostID += "p"
	_, err = post.Item()
	refused, ok := errors.AsType[*access.KeyError](err)
	if !ok || refused.Attribute != "post_id" || refused.Reason != "makes the key longer than 1024 bytes" {
		t.Errorf("a key of 1025 bytes: %v", err)
	}
}

func text(item access.Item, name string) string {
	return item[name].(*types.AttributeValueMemberS).Value
}
