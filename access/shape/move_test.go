package shape_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
)

// A message lies in a table of its own under the numbers of its chat and of itself, and moves to a shared table,
// where texts are the keys and hold the numbers; its text is stored under another name.
func messageMove() *shape.Move {
	return &shape.Move{
		Old: &shape.Table{PK: "chat_id", SK: "message_id", TTL: "gone", Entities: []shape.Entity{{
			Name: "Message", Attributes: []shape.Attribute{
				{Name: "chat_id", Type: "int"}, {Name: "message_id", Type: "int"}, {Name: "text", Type: "string"}, {Name: "gone", Type: "unixtime?"},
			},
			Keys: []shape.Key{{Name: "by", Template: "{text|lower}", In: []string{"by_text"}}},
		}}},
		New: &shape.Table{PK: "PK", SK: "SK", Type: "type", TTL: "gone", Entities: []shape.Entity{{
			Name: "Note", Attributes: []shape.Attribute{
				{Name: "chat_id", Type: "int"}, {Name: "message_id", Type: "int", InKey: true}, {Name: "body", Type: "string"},
				{Name: "gone", Type: "unixtime?"}, {Name: "kind", Type: "string", HasDefault: true, Default: "plain"},
			},
			Keys: []shape.Key{
				{Name: "PK", Template: "CHAT#{chat_id}"}, {Name: "SK", Template: "{kind}#{message_id|pad 8}"},
				{Name: "GSI1PK", Template: "B#{body}", In: []string{"GSI1"}, When: []shape.Condition{{Attribute: "gone", Op: "missing"}}},
			},
		}}},
		Entity: "Message", As: "Note",
		Names: map[string]string{"text": "body"}, Values: access.Item{"kind": marshal.S("plain")},
	}
}

func TestMoveMakesTheItemOfTheOtherPlace(t *testing.T) {
	m := messageMove()
	old := access.Item{"chat_id": marshal.N(-7), "message_id": marshal.N(42), "text": marshal.S("Hi"), "by": marshal.S("hi"), "stray": &types.AttributeValueMemberBOOL{Value: true}}
	made, err := m.Forth(old)
	want := access.Item{
		"PK": marshal.S("CHAT#-7"), "SK": marshal.S("plain#00000042"), "GSI1PK": marshal.S("B#Hi"), "type": marshal.S("Note"),
		"chat_id": marshal.N(-7), "body": marshal.S("Hi"), "kind": marshal.S("plain"), "stray": &types.AttributeValueMemberBOOL{Value: true},
	}
	if err != nil || !reflect.DeepEqual(made, want) {
		t.Errorf("%v, %v", cmp.Diff(want, made, cmp.Exporter(func(reflect.Type) bool { return true })), err)
	}
	old["kind"] = marshal.S("plain") // the old place keeps what it does not know
	if back, err := m.Back(made); err != nil || !reflect.DeepEqual(back, old) {
		t.Errorf("back: %v, %v", back, err)
	}
	if got := m.Sources(); len(got) != 0 {
		t.Errorf("%v decide the key of the copy and can change", got)
	}
	m = messageMove()
	m.New.Entities[0].Keys[1].Template = "{body|lower}#{message_id|pad 8}"
	if got := m.Sources(); !reflect.DeepEqual(got, []string{"text"}) {
		t.Errorf("%v decide the key of the copy and can change", got)
	}
}

// TestMoveRefusesWhatTheDesignCannotRead: such items are conflicts, and are not copied.
func TestMoveRefusesWhatTheDesignCannotRead(t *testing.T) {
	for want, change := range map[string]func(*shape.Move, access.Item){
		"body holds N, not S": func(_ *shape.Move, item access.Item) { item["text"] = marshal.N(1) },
		"separates the parts": func(m *shape.Move, item access.Item) {
			m.New.Entities[0].Keys[1].Template = "{body}#{message_id|pad 8}"
			item["text"] = marshal.S("a#b")
		},
		"would have 1033 bytes": func(m *shape.Move, item access.Item) {
			m.New.Entities[0].Keys[1].Template = "{body}#{message_id|pad 8}"
			item["text"] = marshal.S(strings.Repeat("x", 1024))
		},
		"body is missing":        func(_ *shape.Move, item access.Item) { delete(item, "text") },
		"nothing for the key SK": func(_ *shape.Move, item access.Item) { delete(item, "message_id") },
	} {
		m, item := messageMove(), access.Item{"chat_id": marshal.N(7), "message_id": marshal.N(42), "text": marshal.S("Hi"), "by": marshal.S("hi")}
		change(m, item)
		if made, err := m.Forth(item); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", want, made, err)
		}
	}
}
