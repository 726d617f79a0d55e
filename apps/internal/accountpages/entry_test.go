package accountpages_test

import (
	"slices"
	"testing"

	"sortkey.dev/apps/internal/accountpages"
)

func TestEntryPathsAreThoseOfThePages(t *testing.T) {
	w := open(t)
	got := accountpages.EntryPaths()
	for _, path := range []string{w.all.Paths.SignIn, w.all.Paths.Verify, w.all.Paths.Reset, accountpages.SignUpPath} {
		if !slices.Contains(got, path) {
			t.Errorf("%s is missing in %v", path, got)
		}
	}
}
