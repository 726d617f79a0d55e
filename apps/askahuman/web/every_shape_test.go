package web

import (
	"testing"

	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest/shapes"
)

func TestEveryPageInEveryShape(t *testing.T) {
	options := SiteOptions()
	options.More = []webkit.Pages{operator.Templates}
	shapes.Check(t, options, shapes.Repair(func(view *questionView) {
		if !view.Report.Valid() {
			view.Form = nil // one of the two forms was sent
		}
	}))
}
