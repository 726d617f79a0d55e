package notify

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEveryNotificationFitsAPushMessage: characters that JSON escapes make a text up to six times as long.
func TestEveryNotificationFitsAPushMessage(t *testing.T) {
	for name, character := range map[string]string{"markup": "<", "quotes": `"`, "separators": "\u2028", "controls": "\x01", "letters": "ż", "pictures": "🦊"} {
		f := start(t, nil)
		service := newPushService(t)
		f.subscribe("ann", service.target())
		long := strings.Repeat(character, 1000)
		told, err := f.TellNow(t.Context(), Notification{Recipient: "ann", Event: "e1", At: f.World.Now(), Kind: "reply", Title: long, Body: long, Link: "/" + strings.Repeat("a", MaxLink-1)})
		if err != nil || !told {
			t.Fatalf("told %v (%v)", told, err)
		}
		f.step()
		got := service.messages()
		if len(got) != 1 {
			t.Errorf("%s: %d messages", name, len(got))
			continue
		}
		m := got[0].content
		if !strings.HasPrefix(m.Title, character) || !strings.HasPrefix(m.Body, character) || !utf8.ValidString(m.Body) || m.Data["url"] == "" {
			t.Errorf("%s: the message is %+v", name, m)
		}
		checkFailures(t, f, "ann", 0)
	}
}
