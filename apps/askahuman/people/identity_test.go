package people_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/secret"
)

func TestATokenIsOnePerson(t *testing.T) {
	w := askahumantest.Open(t)
	token := w.People.NewIdentity()
	first := askahumantest.Identify(t, w, token, "192.0.2.1")
	w.Clock.Advance(1000 * 24 * time.Hour)
	if later := askahumantest.Identify(t, w, token, "198.51.100.7"); later.Hash != first.Hash || later.IPHash == first.IPHash {
		t.Error("the person changed with time and place, or the place did not")
	}
	if other := askahumantest.Identify(t, w, w.People.NewIdentity(), "192.0.2.1"); other.Hash == first.Hash || other.IPHash != first.IPHash {
		t.Error("two people at one address are one, or their addresses differ")
	}
	if strings.Contains(token, first.Hash) || first.IPHash == "192.0.2.1" {
		t.Error("the identity is stored as it was given")
	}
}

func TestForeignTokensAreRefused(t *testing.T) {
	w := askahumantest.Open(t)
	box, err := secret.NewBox([]byte("a secret of somebody else"))
	if err != nil {
		t.Fatal(err)
	}
	token := w.People.NewIdentity()
	for name, foreign := range map[string]string{
		"none": "", "made up": "me", "changed": "A" + token, "cut": token[:len(token)-1],
		"signed elsewhere":             box.Sign("person", "me", time.Time{}),
		"signed for something else":    w.Box.Sign("operator", "me", time.Time{}),
		"a hash that was stored of it": askahumantest.Identify(t, w, token, "").Hash,
	} {
		if _, err := w.People.Identify(foreign, "192.0.2.1", 0); !errors.Is(err, askahuman.ErrUnauthorized) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	w := askahumantest.Open(t)
	token := w.People.NewIdentity()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"192.0.2.1", "192.0.2.2", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"192.0.2.1", "192.0.2.1:5000", true},
	} {
		a, b := askahumantest.Identify(t, w, token, test.a).IPHash, askahumantest.Identify(t, w, token, test.b).IPHash
		if a == "" || b == "" || (a == b) != test.same {
			t.Errorf("%s and %s: %s and %s", test.a, test.b, a, b)
		}
	}
	for _, unknown := range []string{"", "somewhere", "@", "127.0.0.1", "10.1.2.3", "::1", "fe80::1%eth0", "fd00::1"} {
		if got := askahumantest.Identify(t, w, token, unknown).IPHash; got != "" {
			t.Errorf("%q has the hash %s", unknown, got)
		}
	}
}

func TestTimeZonesThatDoNotExist(t *testing.T) {
	w := askahumantest.Open(t)
	for given, want := range map[int]int{0: 0, -720: -720, 840: 840, -721: -720, 1 << 30: 840} {
		p, err := w.People.Identify(w.People.NewIdentity(), "", given)
		if err != nil || p.TZOffsetMin != want {
			t.Errorf("%d minutes become %d, %v; want %d", given, p.TZOffsetMin, err, want)
		}
	}
}

func TestForget(t *testing.T) {
	w := askahumantest.Open(t)
	p, other := w.Person(t, 1), w.Person(t, 2)
	q := w.Submit(t, questions.Ask{AgentID: "agent", Prompt: "What shall we keep?", Type: "text", Required: new(3), Timeout: new(24 * time.Hour)})
	askahumantest.Say(t, w, p, q.QuestionID)
	askahumantest.Say(t, w, other, q.QuestionID)
	w.Clock.Advance(8 * time.Hour)
	earn(t, w, p, 1)
	if _, err := w.Notices.Subscribe(t.Context(), p, notices.SubscriptionRequest{Channel: askahumandb.SubscriptionChannelInbox}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(8 * time.Hour) // the next day
	for range 2 {
		if err := w.People.Forget(t.Context(), p); err != nil {
			t.Fatalf("forget: %v", err)
		}
	}
	if got := askahumantest.Stats(t, w, p); got.TotalAnswers != 0 || got.Rank != 0 {
		t.Errorf("the statistics: %+v", got)
	}
	entries := askahumantest.Everything(t, w.DB.ScanBoardEntry().All(t.Context()))
	for _, entry := range entries {
		if entry.FingerprintHash == p.Hash {
			t.Errorf("a place is left on %s", entry.Board)
		}
	}
	if len(entries) != 3 {
		t.Errorf("%d places of the other are left, want 3", len(entries))
	}
	if all := askahumantest.Everything(t, w.DB.ScanSubscription().All(t.Context())); len(all) != 0 {
		t.Errorf("%d subscriptions are left", len(all))
	}
	r := askahumantest.StoredResponse(t, w, p, q.QuestionID)
	if r.Answer != nil || r.AnswerHash != nil || r.IPHash != nil || r.ResponseTimeMs != nil || !r.Counted {
		t.Errorf("the answer is %+v", r)
	}
	if got := askahumantest.Question(t, w, q.QuestionID); got.CurrentResponses != 2 || askahumantest.CountedRows(t, w, q.QuestionID) != 2 {
		t.Errorf("%d answers count", got.CurrentResponses)
	}
	askahumantest.Refused(t, w, p, askahumantest.Text(q.QuestionID, 20), askahuman.ErrAlreadyAnswered)
	earn(t, w, p, 1)
	if got := askahumantest.Stats(t, w, p); got.TotalAnswers != 1 || got.TotalPoints != 15 {
		t.Errorf("who comes back begins with %d answers and %d points", got.TotalAnswers, got.TotalPoints)
	}
}
