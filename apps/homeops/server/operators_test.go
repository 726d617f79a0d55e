package server_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

const operatorSecret = "an operator's secret of tests"

// TestBrowserSandbox tries sentences as an operator, and looks at the page in all its states.
func TestBrowserSandbox(t *testing.T) {
	w := start(t, map[string]string{"HOMEOPS_OPERATOR_SECRET": operatorSecret})
	tab := webtest.Open(t, w.url+"/operator/sign-in", webtest.Phone, webtest.Light)
	tab.Fill("Your name", "operator")
	tab.Fill("Your secret", operatorSecret)
	tab.Click("button", "Sign in")
	tab.WaitTrue(`!location.pathname.endsWith("/sign-in")`)
	for _, path := range []string{"", "/jobs", "/patterns", "/audit", "/settings"} {
		tab.Goto("/operator" + path)
		look(tab, "operator"+strings.ReplaceAll(path, "/", "-"))
	}
	tab.Goto("/operator/sandbox")
	look(tab, "operator-sandbox")
	for _, s := range []struct{ name, text, want string }{
		{"log", "Jag har diskat och dammsugit hela lägenheten, och jag tar tvätten ikväll", "Noterat ✓"},
		{"nothing", "Vad ska vi äta ikväll?", "It means nothing for the household"},
		{"mention", "Jag hann inte diska", "Named without being reported"},
	} {
		tab.Fill("Sentence of Anna", s.text)
		tab.Click("button", "Try")
		tab.WaitFor(s.want)
		look(tab, "operator-sandbox-"+s.name)
	}
	tab.Fill("Sentence of Anna", "Vem diskade senast?")
	tab.Choose("The message mentions the bot")
	tab.Click("button", "Try")
	tab.WaitFor("The bot speaks")
	tab.WaitFor("Hittar inget om diskning.")
	look(tab, "operator-sandbox-question")
}
