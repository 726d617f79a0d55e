package web

import (
	"net/http"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest/shapes"
)

func TestEveryPageInEveryShape(t *testing.T) {
	options := SiteOptions()
	options.More = []webkit.Pages{operator.Templates, accountpages.Templates}
	options.LangFor = func(r *http.Request) string { return r.Header.Get("Accept-Language") }
	shapes.Check(t, options,
		shapes.Request(func(r *http.Request) { r.Header.Set("Accept-Language", "en") }),
		shapes.Request(func(r *http.Request) { r.Header.Set("Accept-Language", "sv") }),
		shapes.Field("habitDay.Weekday", time.Monday, time.Sunday), shapes.Field("promiseRow.Status", "fulfilled", "expired"),
		shapes.Field("Button.Text", "Undo"), shapes.Unique("Own.EventID"),
		shapes.Repair(func(line *chatroom.Line) {
			if line.From == nil { // the chat has no messages of channels
				line.From = &telegram.User{ID: 1, FirstName: "Anna"}
			}
		}))
}
