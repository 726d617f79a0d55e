package telegram_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sortkey.dev/apps/homeops/telegram"
)

func TestKindOfUpdates(t *testing.T) {
	for _, c := range []struct {
		body string
		want telegram.Kind
	}{
		{`{"update_id":1,"message":{"message_id":5,"date":1770000000,"chat":{"id":-1,"type":"group"},"text":"hej"}}`, telegram.KindMessage},
		{`{"update_id":1,"edited_message":{"message_id":5,"date":1770000000,"edit_date":1770000009,"chat":{"id":-1,"type":"group"}}}`, telegram.KindEdit},
		{`{"update_id":1,"message_reaction":{"chat":{"id":-1,"type":"supergroup"},"message_id":5,"user":{"id":7},"date":1,"old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"👎"}]}}`, telegram.KindReaction},
		{`{"update_id":1,"callback_query":{"id":"q","from":{"id":7},"data":"yes"}}`, telegram.KindCallback},
		{`{"update_id":1,"my_chat_member":{"chat":{"id":7,"type":"private"},"from":{"id":7},"date":1,"old_chat_member":{"status":"member","user":{"id":9}},"new_chat_member":{"status":"kicked","user":{"id":9}}}}`, telegram.KindOwnMember},
		{`{"update_id":1,"chat_member":{"chat":{"id":-1,"type":"group"},"from":{"id":7},"date":1,"old_chat_member":{"status":"left","user":{"id":9}},"new_chat_member":{"status":"member","user":{"id":9}}}}`, telegram.KindMember},
		{`{"update_id":1,"message":{"message_id":5,"date":1,"chat":{"id":-1,"type":"group"},"migrate_to_chat_id":-1001}}`, telegram.KindMigrated},
		{`{"update_id":1,"guest_message":{"message_id":5}}`, telegram.KindOther},
		{`{"update_id":1,"business_message":{"message_id":5}}`, telegram.KindOther},
	} {
		u, err := telegram.ParseUpdate([]byte(c.body))
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		if got := u.Kind(); got != c.want {
			t.Errorf("%s: kind %s, want %s", c.body, got, c.want)
		}
	}
}

func TestMigrationIsTheSameFromBothChats(t *testing.T) {
	for _, body := range []string{
		`{"update_id":1,"message":{"message_id":5,"date":1,"chat":{"id":-12,"type":"group"},"migrate_to_chat_id":-1001}}`,
		`{"update_id":2,"message":{"message_id":1,"date":1,"chat":{"id":-1001,"type":"supergroup"},"migrate_from_chat_id":-12}}`,
	} {
		u, err := telegram.ParseUpdate([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := u.Migration(); !ok || m != (telegram.Migration{From: -12, To: -1001}) {
			t.Errorf("%s: %v, %t", body, m, ok)
		}
	}
}

func TestMalformedUpdates(t *testing.T) {
	for _, body := range []string{"", "null", "[]", "{}", `{"update_id":"1"}`, `{"update_id":1,"message":7}`,
		`{"update_id":1,"message":{"date":-5}}`, `{"update_id":1,"message":{"date":999999999999999}}`} {
		if _, err := telegram.ParseUpdate([]byte(body)); !errors.Is(err, telegram.ErrMalformed) {
			t.Errorf("%q: %v, want ErrMalformed", body, err)
		}
	}
}

func TestReadUpdateLimitsTheBody(t *testing.T) {
	head, tail := `{"update_id":1,"x":"`, `"}`
	fits := head + strings.Repeat("a", telegram.MaxUpdate-len(head)-len(tail)) + tail
	if _, err := telegram.ReadUpdate(strings.NewReader(fits)); err != nil {
		t.Errorf("%d bytes: %v", len(fits), err)
	}
	if _, err := telegram.ReadUpdate(strings.NewReader(fits + " ")); !errors.Is(err, telegram.ErrTooLarge) {
		t.Errorf("%d bytes: %v, want ErrTooLarge", len(fits)+1, err)
	}
}

func TestOwnStatement(t *testing.T) {
	for _, c := range []struct {
		name, message string
		want          bool
	}{
		{"a person", `{"from":{"id":7}}`, true},
		{"no sender", `{}`, false},
		{"a bot", `{"from":{"id":7,"is_bot":true}}`, false},
		{"an anonymous administrator", `{"from":{"id":1087968824,"is_bot":true},"sender_chat":{"id":-1}}`, false},
		{"a linked channel", `{"from":{"id":777000},"is_automatic_forward":true}`, false},
		{"a forward", `{"from":{"id":7},"forward_origin":{"type":"user","date":1}}`, false},
		{"through a bot", `{"from":{"id":7},"via_bot":{"id":8,"is_bot":true}}`, false},
	} {
		var m telegram.Message
		if err := json.Unmarshal([]byte(c.message), &m); err != nil {
			t.Fatal(err)
		}
		if got := m.IsOwnStatement(); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

func TestTopicOnlyInForums(t *testing.T) {
	m := telegram.Message{MessageThreadID: 12}
	if m.Topic() != 0 {
		t.Error("a reply chain is no topic")
	}
	m.IsTopicMessage = true
	if m.Topic() != 12 {
		t.Errorf("Topic = %d, want 12", m.Topic())
	}
}

func TestInChat(t *testing.T) {
	for _, c := range []struct {
		member telegram.ChatMember
		want   bool
	}{
		{telegram.ChatMember{Status: telegram.StatusCreator}, true},
		{telegram.ChatMember{Status: telegram.StatusAdministrator}, true},
		{telegram.ChatMember{Status: telegram.StatusMember}, true},
		{telegram.ChatMember{Status: telegram.StatusRestricted, IsMember: true}, true},
		{telegram.ChatMember{Status: telegram.StatusRestricted}, false},
		{telegram.ChatMember{Status: telegram.StatusLeft}, false},
		{telegram.ChatMember{Status: telegram.StatusKicked}, false},
	} {
		if got := c.member.InChat(); got != c.want {
			t.Errorf("%s: %t, want %t", c.member.Status, got, c.want)
		}
	}
}

func FuzzParseUpdate(f *testing.F) {
	f.Add([]byte(`{"update_id":1,"message":{"message_id":5,"date":1770000000,"chat":{"id":-1,"type":"group"},"text":"jag har diskat 🎉","entities":[{"type":"mention","offset":0,"length":4}]}}`))
	f.Add([]byte(`{"update_id":2,"edited_message":{"message_id":5,"date":0,"edit_date":3,"chat":{"id":1}}}`))
	f.Add([]byte(`{"update_id":3,"callback_query":{"id":"1","from":{"id":2},"message":{"message_id":0,"date":0,"chat":{"id":1}}}}`))
	f.Add([]byte(`{"update_id":4,"message_reaction":{"chat":{"id":1},"new_reaction":[{"type":"paid"}]}}`))
	f.Add([]byte(`{"update_id":5,"message":{"reply_to_message":{"reply_to_message":{"text":"x"}},"migrate_from_chat_id":-4}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		u, err := telegram.ParseUpdate(body)
		if err != nil {
			if !errors.Is(err, telegram.ErrMalformed) {
				t.Fatalf("error %v does not wrap ErrMalformed", err)
			}
			return
		}
		again, err := json.Marshal(u)
		if err != nil {
			t.Fatalf("a parsed update cannot be encoded: %v", err)
		}
		second, err := telegram.ParseUpdate(again)
		if err != nil {
			t.Fatalf("an encoded update cannot be parsed: %v", err)
		}
		if u.Kind() != second.Kind() {
			t.Fatalf("kind %s became %s", u.Kind(), second.Kind())
		}
		u.Migration()
		if u.Message != nil {
			u.Message.IsOwnStatement()
			u.Message.Topic()
		}
	})
}
