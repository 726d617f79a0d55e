package chatroom_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/telegram"
)

// A hook is a webhook that keeps what it is sent.
type hook struct {
	mutex   sync.Mutex
	updates []telegram.Update
	status  int
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	var u telegram.Update
	if !telegram.CheckSecret(r, "secret") || json.NewDecoder(r.Body).Decode(&u) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	h.updates = append(h.updates, u)
	w.WriteHeader(h.status)
}

func TestARoomIsTelegramToTheSystem(t *testing.T) {
	changed := make(map[int64]int)
	room, err := chatroom.New(chatroom.Options{Changed: func(id int64) { changed[id]++ }})
	if err != nil {
		t.Fatal(err)
	}
	h := &hook{status: http.StatusOK}
	if err := room.Connect(t.Context(), h, "secret"); err != nil {
		t.Fatal(err)
	}
	group := room.Groups()[0]
	anna, erik := group.People[0], group.People[1]
	if err := room.Say(t.Context(), group, anna, false, "Jag har diskat", 0); err != nil {
		t.Fatal(err)
	}
	if len(h.updates) != 3 || h.updates[0].Kind() != telegram.KindOwnMember || h.updates[1].Message.Text != "Jag har diskat" || len(h.updates[2].Message.NewChatMembers) != len(group.People) {
		t.Fatalf("the webhook got %+v", h.updates)
	}
	said := room.Lines(group.ID, anna.ID)
	if len(said) != 1 || changed[group.ID] == 0 {
		t.Fatalf("lines %+v, changes %v", said, changed)
	}
	sent, err := room.Client().Send(t.Context(), telegram.SendMessage{ChatID: group.ID, Text: "Menade du diskning?", ReplyMarkup: &telegram.InlineKeyboard{Rows: [][]telegram.Button{{{Text: "Ja", CallbackData: "yes"}}}}}, telegram.Drop)
	if err != nil {
		t.Fatal(err)
	}
	if err := room.Press(t.Context(), group, anna, false, sent.MessageID, "yes"); err != nil || h.updates[3].Kind() != telegram.KindCallback {
		t.Errorf("press: %v %+v", err, h.updates[3])
	}
	if err := room.Press(t.Context(), group, anna, false, sent.MessageID, "no"); err == nil {
		t.Error("a button that is not there can be pressed")
	}
	if _, err := room.Client().Send(t.Context(), telegram.SendMessage{ChatID: group.ID, Text: "Bara du", Ephemeral: &telegram.Ephemeral{ReceiverUserID: anna.ID}}, telegram.Drop); err != nil {
		t.Fatal(err)
	}
	if mine, others := len(room.Lines(group.ID, anna.ID)), len(room.Lines(group.ID, erik.ID)); mine != 3 || others != 2 {
		t.Errorf("Anna sees %d lines, Erik %d", mine, others)
	}
	h.status = http.StatusInternalServerError
	if err := room.Say(t.Context(), group, erik, true, "/start", 0); err == nil {
		t.Error("a message that was not stored is no error")
	}
}
