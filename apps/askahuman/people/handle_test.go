package people_test

import (
	"testing"

	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/people"
)

func TestEveryRowOfABoardHasItsOwnHandle(t *testing.T) {
	w := askahumantest.Open(t)
	seen := make(map[string]bool)
	for i := range 12 {
		earn(t, w, w.Person(t, i), 1)
	}
	viewer := w.Person(t, 12)
	rows := board(t, w, viewer, people.AllTime, 100).Entries
	for _, row := range rows {
		if row.Handle == "" || seen[row.Handle] {
			t.Errorf("the handle %q is empty or twice on the board", row.Handle)
		}
		seen[row.Handle] = true
	}
	for i, row := range board(t, w, viewer, people.Daily, 100).Entries {
		if row.Handle != rows[i].Handle {
			t.Errorf("place %d is %q on one board and %q on another", i, rows[i].Handle, row.Handle)
		}
	}
}

func TestChangeHandle(t *testing.T) {
	w := askahumantest.Open(t)
	p, other := w.Person(t, 0), w.Person(t, 1)
	if _, err := w.People.ChangeHandle(t.Context(), p); err == nil {
		t.Error("a person without an answer got a handle")
	}
	earn(t, w, p, 1)
	earn(t, w, other, 2)
	before, err := w.People.Stats(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	name, err := w.People.ChangeHandle(t.Context(), p)
	if err != nil || name == before.Handle || name == "" {
		t.Fatalf("the handle was %q and is %q: %v", before.Handle, name, err)
	}
	earn(t, w, p, 1) // an answer keeps the handle
	after, err := w.People.Stats(t.Context(), p)
	if err != nil || after.Handle != name {
		t.Errorf("after an answer the handle is %q, want %q: %v", after.Handle, name, err)
	}
	for _, row := range board(t, w, other, people.AllTime, 10).Entries {
		if row.You {
			continue
		}
		if row.Handle != name {
			t.Errorf("others see %q, want %q", row.Handle, name)
		}
	}
}
