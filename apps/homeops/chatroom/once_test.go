package chatroom_test

import (
	"errors"
	"net/http"
	"testing"

	"sortkey.dev/apps/homeops/chatroom"
)

// TestAMessageThatFailedCanBeSentAgain sends a form again whose first message the system did not store.
func TestAMessageThatFailedCanBeSentAgain(t *testing.T) {
	room, err := chatroom.New(chatroom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := &hook{status: http.StatusInternalServerError}
	if err := room.Connect(t.Context(), h, "secret"); err != nil {
		t.Fatal(err)
	}
	anna := room.Groups()[0].People[0]
	say := func() error { return room.Say(t.Context(), room.Groups()[0], anna, true, "/start", 0) }
	if err := room.Once("key", say); err == nil {
		t.Error("a message that was not stored is no error")
	}
	h.status = http.StatusOK
	for range 2 {
		if err := room.Once("key", say); err != nil {
			t.Error(err)
		}
	}
	if len(h.updates) != 2 {
		t.Errorf("the webhook got %d updates", len(h.updates))
	}
	other := errors.New("other")
	if err := room.Once("", func() error { return other }); !errors.Is(err, other) {
		t.Errorf("without a key: %v", err)
	}
}
