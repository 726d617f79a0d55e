package accountpages_test

import (
	"testing"

	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest/shapes"
)

func TestEveryPageInEveryShape(t *testing.T) {
	shapes.Check(t, webkit.Options{Face: &webkit.EcoBid, More: []webkit.Pages{accountpages.Templates}})
}
