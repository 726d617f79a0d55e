package accountpages_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webtest"
)

var (
	linkForm  = regexp.MustCompile(`http://[^/]+(/\S+)`)
	valueForm = regexp.MustCompile(`<input[^>]* name="([a-z]+)"[^>]* value="([^"]*)"`)
)

func (w *world) token(t *testing.T) string {
	t.Helper()
	_, token, _ := strings.Cut(w.link(t), "token=")
	return token
}

// A browser is a visitor whose steps return the status.
type browser struct{ *webtest.Visitor }

func (w *world) browser(t *testing.T) *browser {
	t.Helper()
	return &browser{webtest.NewVisitor(t, w.url)}
}

func (b *browser) signIn(typed string) int {
	b.T.Helper()
	b.Get("/sign-in")
	return b.Submit("/sign-in", "address", "ada@example.org", "password", typed)
}

// field returns the value of a field of the last page.
func (b *browser) field(name string) string {
	for _, match := range valueForm.FindAllStringSubmatch(b.Page, -1) {
		if match[1] == name {
			return match[2]
		}
	}
	return ""
}

func TestThePageAskedForComesAfterSignIn(t *testing.T) {
	w := open(t)
	w.ada(t)
	b := w.browser(t)
	if b.Get("/lessons?page=2&of=3"); b.Path != "/sign-in?next="+url.QueryEscape("/lessons?page=2&of=3") {
		t.Fatalf("at %s", b.Path)
	}
	if status := b.Submit("/sign-in", "address", "ada@example.org", "password", "wrong password", "next", b.field("next")); status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong password: %d", status)
	}
	b.Says("The e-mail address or the password is wrong.")
	if b.field("address") != "ada@example.org" || strings.Contains(b.Page, "wrong password\"") {
		t.Errorf("the form shows %q again, or the password", b.field("address"))
	}
	b.Submit("/sign-in", "address", "ADA@example.org", "password", password, "next", b.field("next"))
	if b.Path != "/lessons?page=2&of=3" {
		t.Errorf("at %s", b.Path)
	}
	b.Says("Hello Ada")
	if b.Get("/sign-in"); b.Path != "/" {
		t.Errorf("a signed-in person is at %s", b.Path)
	}
}

func TestNoOtherSiteComesAfterSignIn(t *testing.T) {
	w := open(t)
	w.ada(t)
	for _, next := range []string{"https://evil.example/", "//evil.example/", "/\\evil.example", "evil"} {
		b := w.browser(t)
		b.Get("/sign-in?next=" + url.QueryEscape(next))
		if b.Submit("/sign-in", "address", "ada@example.org", "password", password, "next", next); b.Path != "/" {
			t.Errorf("%s leads to %s", next, b.Path)
		}
	}
}

func TestRoles(t *testing.T) {
	w := open(t)
	ada := w.ada(t)
	b := w.browser(t)
	b.signIn(password)
	if status := b.Get("/marks"); status != http.StatusForbidden {
		t.Errorf("a student gets %d", status)
	}
	if _, err := w.all.People.SetRoles(t.Context(), "operator", ada.AccountID, []string{"head"}); err != nil {
		t.Fatal(err)
	}
	if status := b.Get("/marks"); status != http.StatusOK {
		t.Errorf("a head gets %d", status)
	}
}

func TestAFormAfterTheSessionEnded(t *testing.T) {
	w := open(t)
	ada := w.ada(t)
	b := w.browser(t)
	b.signIn(password)
	b.Get("/account")
	if _, err := w.all.Sessions.EndAll(t.Context(), ada.AccountID); err != nil {
		t.Fatal(err)
	}
	if b.Submit("/account/name", "name", "Eve"); b.Path != "/sign-in?next=%2Faccount" {
		t.Errorf("at %s", b.Path)
	}
	b.Says("You were signed out, so nothing was changed.")
}

func TestLockOutSaysHowLongToWait(t *testing.T) {
	w := open(t)
	w.ada(t)
	b := w.browser(t)
	for range 3 {
		b.signIn("wrong password")
	}
	if status := b.signIn(password); status != http.StatusTooManyRequests {
		t.Errorf("got %d", status)
	}
	b.Says("Wait 15 minutes")
}

func TestSignUpShowsNotWhoHasAnAccount(t *testing.T) {
	w := open(t)
	w.ada(t)
	var pages []string
	for _, address := range []string{"ada@example.org", "bob@example.org"} {
		b := w.browser(t)
		b.Get("/sign-up")
		b.Submit("/sign-up", "name", "Ada", "address", address, "password", password)
		if b.Path != accountpages.MailPath {
			t.Fatalf("%s: at %s", address, b.Path)
		}
		page := regexp.MustCompile(`name="csrf" value="[^"]+"`).ReplaceAllString(b.Page, "")
		page = regexp.MustCompile(`<meta name="(csrf|made)"[^>]*>`).ReplaceAllString(page, "")
		pages = append(pages, strings.ReplaceAll(page, address, "ADDRESS"))
		cookies := b.Client.Jar.Cookies(must(url.Parse(w.url)))
		for _, cookie := range cookies {
			pages[len(pages)-1] += " " + cookie.Name + strings.Repeat("x", len(cookie.Value))
		}
	}
	if pages[0] != pages[1] {
		t.Errorf("the pages differ:\n%s\n%s", pages[0], pages[1])
	}
	b := w.browser(t)
	b.Get("/forgot")
	b.Submit("/forgot", "address", "unknown@example.org")
	b.Says("unknown@example.org", "Check your mail")
}

// limitMail allows a number of mails to each address from now on.
func (w *world) limitMail(most int) {
	sent := map[string]int{}
	w.allow = func(limit, subject string) error {
		if limit != "mail" {
			return nil
		}
		if sent[subject] == most {
			return refusal.New(refusal.TooMany, "", "Too many mails.")
		}
		sent[subject]++
		return nil
	}
}

// TestTheMailLimitShowsNotWhoHasAnAccount uses up the mails to an address, signs up with it, and asks for the
// mail again.
func TestTheMailLimitShowsNotWhoHasAnAccount(t *testing.T) {
	w := open(t)
	w.ada(t)
	for _, forgotten := range []int{0, 2, 5} {
		w.limitMail(5)
		var answers []string
		for _, address := range []string{"ada@example.org", fmt.Sprintf("bob%d@example.org", forgotten)} {
			b := w.browser(t)
			b.Get("/forgot")
			for range forgotten {
				b.Submit("/forgot", "address", address)
			}
			b.Get("/sign-up")
			answer := fmt.Sprint(b.Submit("/sign-up", "name", "Ada", "address", address, "password", password), " ", b.Path)
			for range 6 {
				answer += fmt.Sprint(", ", b.Submit(accountpages.MailPath), " ", b.Path)
				b.Get(accountpages.MailPath)
			}
			answers = append(answers, answer)
		}
		if answers[0] != answers[1] || !strings.HasPrefix(answers[0], "200 /check-mail") {
			t.Errorf("after %d requests, an address with an account: %s\na new one: %s", forgotten, answers[0], answers[1])
		}
	}
}

// TestACollisionOfTheProfileShowsNotWhoHasAnAccount signs up with what the system refuses.
func TestACollisionOfTheProfileShowsNotWhoHasAnAccount(t *testing.T) {
	var w *world
	w = open(t, func(o *accountpages.Options) {
		o.With = func(tx access.Tx, _ platformdb.Account, _ json.RawMessage) error {
			w.DB.Join(tx).OpenMetric(platformdb.Metric{Day: "2037-02-02", Name: "taken", TTL: w.Now()})
			return nil
		}
		o.Collision = func(err error) error {
			var exists *access.ConditionError[platformdb.Metric]
			if errors.As(err, &exists) {
				return refusal.New(refusal.Conflict, "", "This name is taken.")
			}
			return err
		}
	})
	w.ada(t)
	if _, err := w.DB.OpenMetric(t.Context(), platformdb.Metric{Day: "2037-02-02", Name: "taken", TTL: w.Now()}); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"ada@example.org", "bob@example.org"} {
		b := w.browser(t)
		b.Get("/sign-up")
		if status := b.Submit("/sign-up", "name", "Ada", "address", address, "password", password); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", address, status)
		}
		b.Says("This name is taken.")
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestWhatWasTypedIsShownAgain(t *testing.T) {
	w := open(t)
	b := w.browser(t)
	b.Get("/sign-up")
	if status := b.Submit("/sign-up", "name", "Ada \"L\"", "address", "ada@", "password", "short", "next", "/lessons"); status != http.StatusUnprocessableEntity {
		t.Errorf("got %d", status)
	}
	b.Says("Please check 2 things", "Enter an e-mail address such as", "A password has 8 to 200 characters", `value="Ada "L""`)
	if b.field("address") != "ada@" || b.field("next") != "/lessons" || strings.Contains(b.Page, `"short"`) {
		t.Errorf("the form shows %q, %q", b.field("address"), b.field("next"))
	}
}

func TestALinkSignsInOnlyTheBrowserThatSignedUp(t *testing.T) {
	w := open(t)
	own, other := w.browser(t), w.browser(t)
	own.Get("/sign-up?next=/lessons")
	own.Submit("/sign-up", "name", "Ada", "address", "ada@example.org", "password", password, "next", own.field("next"))
	link := w.link(t)
	other.Get(link) // a program that checks mail
	other.Says("Is ada@example.org your address?")
	if other.Submit("/verify", "token", w.token(t)); other.Path != "/sign-in" {
		t.Errorf("another browser is at %s", other.Path)
	}
	if status := own.Get(link); status != http.StatusGone {
		t.Errorf("the link again: %d", status)
	}
	own.Says("This link does not work any more")
	own.Get("/sign-up?next=/lessons")
	own.Submit("/sign-up", "name", "Bo", "address", "bo@example.org", "password", password, "next", own.field("next"))
	own.Get(w.link(t))
	if own.Submit("/verify", "token", w.token(t)); own.Path != "/lessons" {
		t.Errorf("the browser that signed up is at %s", own.Path)
	}
	own.Says("Hello Bo")
}

func TestSignInBeforeVerification(t *testing.T) {
	w := open(t)
	b := w.browser(t)
	b.Get("/sign-up")
	b.Submit("/sign-up", "name", "Ada", "address", "ada@example.org", "password", password)
	b = w.browser(t)
	if b.signIn(password); b.Path != accountpages.MailPath {
		t.Fatalf("at %s", b.Path)
	}
	b.Get(w.link(t))
	if b.Submit("/verify", "token", w.token(t)); b.Path != "/" {
		t.Errorf("at %s", b.Path)
	}
	b.Says("Hello Ada")
}

func TestClosedSignUp(t *testing.T) {
	w := open(t, func(o *accountpages.Options) { o.Closed = true })
	b := w.browser(t)
	if status := b.Get("/sign-up"); status != http.StatusForbidden {
		t.Errorf("sign-up: %d", status)
	}
	b.Get("/sign-in")
	if strings.Contains(b.Page, "Sign up") {
		t.Error("the sign-in page offers to sign up")
	}
	if status := b.Submit("/sign-up", "name", "Ada", "address", "ada@example.org", "password", password); status != http.StatusForbidden {
		t.Errorf("a form: %d", status)
	}
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	w := open(t)
	w.ada(t)
	b := w.browser(t)
	b.signIn(password)
	b.CSRF = ""
	if status := b.Submit("/account/delete", "sure", "on", "current", password); status != http.StatusForbidden {
		t.Errorf("got %d", status)
	}
	b.Get("/")
	b.Says("Hello Ada")
}

func TestAnInvitationOpensTheSignUp(t *testing.T) {
	w := open(t, func(o *accountpages.Options) { o.Closed = true })
	if _, err := w.all.Invitations.Invite(t.Context(), accounts.Invitation{Address: "bo@example.org", Role: "teacher", By: "Ada"}); err != nil {
		t.Fatal(err)
	}
	b := w.browser(t)
	b.Get(w.link(t))
	b.Says("You are invited", "Ada has invited you to Small.")
	if b.field("address") != "bo@example.org" {
		t.Errorf("the address is %q", b.field("address"))
	}
	token := b.field("invitation")
	b.Submit("/sign-up", "name", "Bo", "address", "bo@example.org", "password", "short", "invitation", token)
	if b.field("invitation") != token {
		t.Error("the invitation is lost with an error")
	}
	b.Submit("/sign-up", "name", "Bo", "address", "bo@example.org", "password", password, "invitation", token)
	b.Says("Hello Bo")
	if status := b.Get("/marks"); status != http.StatusOK {
		t.Errorf("the role is missing: %d", status)
	}
	other := w.browser(t)
	if status := other.Get("/invitation?token=" + token); status != http.StatusGone {
		t.Errorf("the invitation again: %d", status)
	}
}

func TestChangeOfAddress(t *testing.T) {
	w := open(t)
	w.ada(t)
	b := w.browser(t)
	b.signIn(password)
	b.Get("/account")
	if status := b.Submit("/account/address", "address", "new@example.org", "current", "wrong password"); status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong password: %d", status)
	}
	b.Says("This is not your password.", `value="new@example.org"`)
	b.Submit("/account/address", "address", "new@example.org", "current", password)
	b.Says("Open the link in the mail we sent to new@example.org.")
	b.Get(w.link(t))
	b.Says("Use new@example.org for your account from now on?")
	b.Submit("/account/address/confirm", "token", w.token(t))
	b.Says("Your e-mail address is changed.", "new@example.org")
}

// What the system keeps about a person is deleted before the account. A refusal of the system keeps both.
func TestTheSystemIsAskedBeforeAnAccountIsErased(t *testing.T) {
	refuse, asked := true, ""
	w := open(t, func(o *accountpages.Options) {
		o.Leave = func(_ context.Context, accountID string) error {
			asked = accountID
			if refuse {
				return refusal.New(refusal.Conflict, "BUSY", "Finish your lesson first.")
			}
			return nil
		}
	})
	ada := w.ada(t)
	b := w.browser(t)
	b.Get("/sign-in")
	b.Submit("/sign-in", "address", "ada@example.org", "password", password)
	b.Get("/account/delete")
	if status := b.Submit("/account/delete", "sure", "on", "current", password); status != http.StatusUnprocessableEntity || asked != ada.AccountID {
		t.Errorf("refused: %d, asked for %q", status, asked)
	}
	b.Says("Finish your lesson first.")
	refuse = false
	if status := b.Submit("/account/delete", "sure", "on", "current", password); status != http.StatusOK {
		t.Errorf("allowed: %d", status)
	}
	b.Says("Your account is deleted.")
}
