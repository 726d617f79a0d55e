package operator

import (
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest/shapes"
)

func TestEveryPageInEveryShape(t *testing.T) {
	shapes.Check(t, webkit.Options{Face: &webkit.EcoBid, More: []webkit.Pages{Templates}},
		shapes.Of[access.Date]("2026-03-04", ""), shapes.Of[any]("a payload", nil),
		shapes.Repair(func(view *auditView) {
			if view.By == "" && view.About == "" {
				view.Day = "2026-03-04" // the list is of a day, an operator or a target
			}
		}))
}
