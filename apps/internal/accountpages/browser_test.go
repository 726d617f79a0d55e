package accountpages_test

import (
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

func TestSignUpVerifySignOutSignIn(t *testing.T) {
	w := open(t)
	tab := webtest.Open(t, w.url+"/sign-up", webtest.Phone, webtest.Light)
	tab.See("heading", "Sign up")
	tab.LookAround("sign-up")
	tab.Fill("Name", "Ada Lovelace")
	tab.Fill("E-mail address", "ada@example.org")
	tab.Fill("Password", password)
	tab.Click("button", "Sign up")
	tab.WaitURL("/check-mail")
	tab.WaitFor("ada@example.org")
	tab.LookAround("check-mail")
	tab.Click("link", "Open the outbox")
	tab.WaitURL("/outbox")
	tab.See("heading", "Confirm your e-mail address for Small")
	tab.LookAround("outbox")
	tab.Click("link", "Open the link")
	tab.WaitURL("/verify")
	tab.LookAround("verify")
	tab.Click("button", "Yes, confirm")
	tab.WaitFor("Hello Ada Lovelace")
	tab.Click("link", "Ada Lovelace")
	tab.WaitURL("/account")
	tab.LookAround("account")
	tab.Click("button", "Sign out")
	tab.WaitURL("/sign-in")
	tab.WaitFor("You are signed out.")
	tab.LookAround("sign-in")
	tab.Fill("E-mail address", "ada@example.org")
	tab.Fill("Password", password)
	tab.Click("button", "Sign in")
	tab.WaitFor("Hello Ada Lovelace")
}

func TestForgottenPassword(t *testing.T) {
	w := open(t)
	w.ada(t)
	tab := webtest.Open(t, w.url+"/sign-in", webtest.Phone, webtest.Dark)
	tab.Click("link", "Forgot your password?")
	tab.WaitURL("/forgot")
	tab.LookAround("forgot")
	tab.Fill("E-mail address", "ada@example.org")
	tab.Click("button", "Send the link")
	tab.WaitFor("there is a mail with a link to reset the password")
	tab.LookAround("forgot-sent")
	tab.Goto(w.link(t))
	tab.See("heading", "Choose a new password")
	tab.LookAround("reset")
	tab.Fill("New password", "password123")
	tab.Allow("422")
	tab.Click("button", "Change password")
	tab.WaitFor("guessed first")
	tab.LookAround("reset-error")
	tab.Fill("New password", "battery staple")
	tab.Click("button", "Change password")
	tab.WaitFor("Hello Ada")
}

func TestTheAccount(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	if _, err := w.all.Sessions.Open(t.Context(), account, "Firefox on Windows"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.all.Tokens.Issue(t.Context(), account, "Desktop client"); err != nil {
		t.Fatal(err)
	}
	tab := webtest.Open(t, w.url+"/account", webtest.Phone, webtest.Light)
	tab.Fill("E-mail address", "ada@example.org")
	tab.Fill("Password", password)
	tab.Click("button", "Sign in")
	tab.WaitURL("/account")
	tab.Fill("Name", "Countess")
	tab.Click("button", "Save name")
	tab.WaitFor("Your name is changed.")
	tab.Click("link", "Where you are signed in")
	tab.WaitURL("/account/sessions")
	tab.WaitFor("This browser")
	tab.LookAround("sessions")
	tab.Click("button", "Sign out there: Firefox on Windows")
	tab.WaitGone("Firefox on Windows")
	tab.Goto("/account/password")
	tab.LookAround("password")
	tab.Fill("Current password", password)
	tab.Fill("New password", "battery staple")
	tab.Click("button", "Change password")
	tab.WaitFor("You were signed out everywhere else.")
	tab.Goto("/account/delete")
	tab.LookAround("delete")
	tab.Choose("Yes, delete my account")
	tab.Fill("Current password", "battery staple")
	tab.Click("button", "Delete account")
	tab.WaitFor("Your account is deleted.")
	for range w.DB.ScanAccount().All(t.Context()) {
		t.Error("the account exists")
	}
}
