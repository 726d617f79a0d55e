package answers_test

import (
	"testing"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
)

// TestACrowdFromOneAddressIsLookedAt: identities are free, so one person can have many.
// Their answers count, and operators look at those that are more than a household has.
func TestACrowdFromOneAddressIsLookedAt(t *testing.T) {
	w := askahumantest.Open(t)
	flags := func(address string) (flagged int) {
		q := w.Ask(t, "a", 10)
		for range askahuman.SameAddress + 2 {
			p := askahumantest.Identify(t, w, w.People.NewIdentity(), address)
			if _, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(q.QuestionID, 20)); err != nil {
				t.Fatal(err)
			}
			r, err := w.DB.GetOwnResponse(t.Context(), q.QuestionID, p.Hash)
			if err != nil {
				t.Fatal(err)
			}
			if r.FlagReason != nil && *r.FlagReason == askahumandb.ResponseFlagReasonPatternMatch {
				flagged++
			}
		}
		if got := askahumantest.Question(t, w, q.QuestionID).CurrentResponses; got != askahuman.SameAddress+2 {
			t.Errorf("%d answers count, want all", got)
		}
		return flagged
	}
	for address, want := range map[string]int{
		"198.51.100.7": 2,
		"2001:db8::7":  2,
		"10.0.0.1":     0, // a proxy beside us, or an office: it says nothing
	} {
		if got := flags(address); got != want {
			t.Errorf("of those from %s %d are flagged, want %d", address, got, want)
		}
	}
}
