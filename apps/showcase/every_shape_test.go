package showcase

import (
	"testing"

	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest/shapes"
)

func TestEveryPageInEveryShape(t *testing.T) {
	shapes.Check(t, webkit.Options{Files: files, Views: views}, shapes.Unique("Kind.Name"))
}
