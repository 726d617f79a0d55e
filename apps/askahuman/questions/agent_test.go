package questions_test

import (
	"encoding/base64"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/internal/refusal"
)

// TestAnAgentIsMadeAtItsFirstQuestion: saying a name costs nothing, so it stores nothing.
func TestAnAgentIsMadeAtItsFirstQuestion(t *testing.T) {
	w := askahumantest.Open(t)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			a, err := w.Questions.Agent(t.Context(), "a", "")
			if err != nil || a.AgentID != "a" || a.Standing != askahumandb.AgentStandingGood {
				t.Errorf("agent %+v (%v)", a, err)
			}
		})
	}
	all.Wait()
	if got, err := w.DB.GetAgent(t.Context(), "a"); !errors.Is(err, access.ErrNotFound) {
		t.Errorf("a name that was said is stored: %+v (%v)", got, err)
	}
	for range 10 {
		all.Go(func() { w.Ask(t, "a", 1) })
	}
	all.Wait()
	if got := askahumantest.Agent(t, w, "a"); !got.CreatedAt.Equal(askahumantest.Start) {
		t.Errorf("made at %v", got.CreatedAt)
	}
	var refused *refusal.Error
	if _, err := w.Questions.Agent(t.Context(), "a#b", ""); !errors.As(err, &refused) || refused.Kind != refusal.Invalid {
		t.Errorf("an id that cannot be one: %v", err)
	}
}

func TestAKeyProtectsAnAgent(t *testing.T) {
	w := askahumantest.Open(t)
	check := func(id, key string, want error) {
		t.Helper()
		a, err := w.Questions.Agent(t.Context(), id, key)
		if !errors.Is(err, want) {
			t.Errorf("agent %q with %q: %v, want %v", id, key, err, want)
		}
		if err == nil && a.AgentID != "a" && id == "" {
			t.Errorf("the key is of %q", a.AgentID)
		}
	}
	check("a", "", nil)
	check("a", "anything", nil) // as long as it has no key
	first, err := w.Questions.ProtectAgent(t.Context(), "a", "")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^aah_[A-Za-z0-9_-]{32}$`).MatchString(first) {
		t.Errorf("key %q", first)
	}
	check("a", first, nil)
	check("", first, nil)
	check("a", "", askahuman.ErrUnauthorized)
	check("a", first+"x", askahuman.ErrUnauthorized)
	check("", "aah_unknown", askahuman.ErrUnauthorized)
	check("b", "", nil)

	for _, wrong := range []string{"", "aah_wrong"} {
		if _, err := w.Questions.ProtectAgent(t.Context(), "a", wrong); !errors.Is(err, askahuman.ErrUnauthorized) {
			t.Errorf("a new key for %q: %v, want %v", wrong, err, askahuman.ErrUnauthorized)
		}
	}
	second, err := w.Questions.ProtectAgent(t.Context(), "a", first)
	if err != nil {
		t.Fatal(err)
	}
	check("a", first, askahuman.ErrUnauthorized)
	check("", first, askahuman.ErrUnauthorized)
	check("a", second, nil)
	if stored := *askahumantest.Agent(t, w, "a").KeyHash; strings.Contains(second, stored) || strings.Contains(stored, second[4:]) {
		t.Errorf("the key itself is stored: %q", stored)
	}
}

func TestConcurrentProtectAgentHasOneWinner(t *testing.T) {
	w := askahumantest.Open(t)
	old := ""
	for range 2 { // for the first key, and to replace it
		var all sync.WaitGroup
		keys := make(chan string, 10)
		for range cap(keys) {
			all.Go(func() {
				key, err := w.Questions.ProtectAgent(t.Context(), "a", old)
				switch {
				case err == nil:
					keys <- key
				case !errors.Is(err, askahuman.ErrUnauthorized):
					t.Errorf("refused with %v", err)
				}
			})
		}
		all.Wait()
		if len(keys) != 1 {
			t.Fatalf("%d got a key, want 1", len(keys))
		}
		old = <-keys
		if _, err := w.Questions.Agent(t.Context(), "a", old); err != nil {
			t.Errorf("the key does not work: %v", err)
		}
	}
}

func TestABannedAgentCannotAsk(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 1)
	stand := func(standing askahumandb.AgentStanding) {
		t.Helper()
		for range 2 { // the second time changes nothing
			if err := w.Operators.SetAgentModerationStatus(t.Context(), "op", "a", standing); err != nil {
				t.Fatal(err)
			}
		}
	}
	stand(askahumandb.AgentStandingBanned)
	if _, err := w.Questions.Agent(t.Context(), "a", ""); !errors.Is(err, askahuman.ErrBanned) {
		t.Errorf("agent: %v, want %v", err, askahuman.ErrBanned)
	}
	if _, err := w.Questions.Submit(t.Context(), askahumantest.Plain("a")); !errors.Is(err, askahuman.ErrBanned) {
		t.Errorf("submit: %v, want %v", err, askahuman.ErrBanned)
	}
	askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 20)) // what was asked stays
	stand(askahumandb.AgentStandingGood)
	w.Ask(t, "a", 1)
	askahumantest.Audited(t, w, "ban agent a", "pardon agent a")

	var refused *refusal.Error
	if err := w.Operators.SetAgentModerationStatus(t.Context(), "op", "unknown", askahumandb.AgentStandingBanned); !errors.As(err, &refused) || refused.Kind != refusal.NotFound {
		t.Errorf("ban nobody: %v", err)
	}
	if err := w.Operators.SetAgentModerationStatus(t.Context(), "op", "a", "odd"); !errors.As(err, &refused) || refused.Kind != refusal.Invalid {
		t.Errorf("an odd standing: %v", err)
	}
}

func TestACallbackSecretIsOneOfStandardWebhooks(t *testing.T) {
	w := askahumantest.Open(t)
	secretOf := func(agent string) string {
		t.Helper()
		secret, err := w.Questions.CallbackSecret(t.Context(), agent)
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	a, b := secretOf("a"), secretOf("b")
	encoded, ok := strings.CutPrefix(a, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		t.Errorf("secret %q is not whsec_ and base64 of 24 to 64 bytes (%v)", a, err)
	}
	if a == b || a != secretOf("a") {
		t.Errorf("secrets %q and %q", a, b)
	}
	if _, err := w.Questions.ProtectAgent(t.Context(), "a", ""); err != nil {
		t.Fatal(err)
	}
	if secretOf("a") == a {
		t.Error("who used the name before it had a key knows its secret still")
	}
}
