package table

import (
	"context"
	"errors"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/request"
)

// TestFiltersEndWithTheirContext scans for a caller that cancels at the first item.
// Legacy filters have no limit on values, so an abandoned request must stop.
func TestFiltersEndWithTheirContext(t *testing.T) {
	w := newFixture(t)
	for _, pk := range []string{"a", "b", "c"} {
		w.putVector(pk)
	}
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	scan := &request.Scan{Page: request.Page{
		Table:  "tab",
		Filter: expression.NewCondition(expression.AttributeExists(expression.Attribute("pk"))),
		Visit: func(dynamo.Item) {
			seen++
			cancel()
		},
	}}
	if _, err := w.tables.Scan(ctx, scan); !errors.Is(err, context.Canceled) {
		t.Errorf("the scan ended with %v", err)
	}
	if seen != 1 {
		t.Errorf("%d items were filtered, want 1", seen)
	}
}
