package state_test

import (
	"testing"

	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
)

// TestOwnersHaveOneName: designs and programs name the owner of a guard row alike.
func TestOwnersHaveOneName(t *testing.T) {
	for _, key := range []string{"PK", "id"} {
		if model.OwnerName(key) != marshal.OwnerName(key) {
			t.Errorf("%s in designs and %s in programs", model.OwnerName(key), marshal.OwnerName(key))
		}
	}
}
