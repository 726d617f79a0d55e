package ledger_test

import (
	"errors"
	"testing"

	"sortkey.dev/apps/homeops/ledger"
)

// TestAnEntryOfOneKeyIsLoggedOnce adds, corrects and undoes an entry, and sends the same forms again.
func TestAnEntryOfOneKeyIsLoggedOnce(t *testing.T) {
	w, home := open(t)
	entry := ledger.Entry{Activity: "dishes", Category: "chore", Effort: "low", At: w.Clock.Now(), Key: "add"}
	first, err := w.Ledger.Add(t.Context(), home, anna, entry)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Ledger.Correct(t.Context(), home, anna, first.EventID, ledger.Correction{Effort: "high", Key: "correct"}); err != nil {
			t.Error(err)
		}
	}
	again, err := w.Ledger.Add(t.Context(), home, anna, entry)
	if err != nil || again.EventID != first.EventID || again.Effort != "high" {
		t.Errorf("the entry is %s with the effort %s, want %s as it was corrected: %v", again.EventID, again.Effort, first.EventID, err)
	}
	effort, err := w.DB.GetEffort(t.Context(), home.HouseholdID, anna, "dishes")
	if err != nil || effort.SampleCount != 2 {
		t.Errorf("%d samples of effort, want one of the entry and one of the correction: %v", effort.SampleCount, err)
	}
	if got := habit(t, w, anna, "dishes"); got != 1 {
		t.Errorf("the habit counts %d", got)
	}
	if err := w.Ledger.Undo(t.Context(), home, anna, first.EventID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Ledger.Add(t.Context(), home, anna, entry); !errors.Is(err, ledger.ErrNoEvent) || len(w.Events(t)) != 0 {
		t.Errorf("the form logs again what was undone: %v", err)
	}
}
