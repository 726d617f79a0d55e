package worker_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// Messages of one chat are sent in the order in which they were planned.
func TestMessagesOfAChatAreSentInOrder(t *testing.T) {
	w := open(t)
	var want []string
	for i := range 30 {
		text := fmt.Sprintf("Line %d.", i)
		want = append(want, text)
		for _, person := range []int64{anna, erik} {
			if err := w.Policy.AnswerAlone(t.Context(), person, fmt.Sprintf("%x", (i*7)%30), text); err != nil { // keys in another order
				t.Fatal(err)
			}
		}
		w.Clock.Advance(time.Millisecond)
	}
	w.Step(t)
	for _, person := range []int64{anna, erik} {
		if got := w.Telegram.Texts(person); !slices.Equal(got, want) {
			t.Errorf("to %d: %q", person, got)
		}
	}
}
