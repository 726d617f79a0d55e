package server_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// TestMain runs the tests, or the child process of the kill test.
func TestMain(m *testing.M) {
	if os.Getenv(killDirectory) != "" {
		fmt.Fprintln(os.Stderr, serveUntilKilled(context.Background()))
		os.Exit(1)
	}
	webtest.Main(m)
}

// look checks a page on a phone and on a desk.
func look(tab *webtest.Tab, name string) {
	for _, size := range []webtest.Size{webtest.Phone, webtest.Desktop} {
		tab.Resize(size)
		tab.NoSidewaysScroll()
		tab.LargeTargets()
		tab.Screenshot(name)
	}
	tab.Resize(webtest.Narrow)
	tab.NoSidewaysScroll()
	tab.Resize(webtest.Phone)
	tab.NoViolations()
}

// TestBrowserFromChatToPages walks in Chromium from the chat to the log and a correction.
func TestBrowserFromChatToPages(t *testing.T) {
	w := start(t, nil)
	tab := webtest.Open(t, w.url+"/chat?as=701", webtest.Phone, webtest.Light)
	look(tab, "chat-empty")
	tab.Fill("Message as Anna", "Jag har diskat och dammsugit")
	tab.Click("button", "Send")
	tab.WaitFor("✍")
	tab.WaitFor("Hej! Jag läser")
	tab.Goto("/chat?as=702")
	tab.Fill("Message as Erik", "Jag tar tvätten ikväll")
	tab.Click("button", "Send")
	tab.WaitFor("Jag tar tvätten ikväll")
	look(tab, "chat")
	tab.Goto("/chat?as=701&view=private")
	tab.Click("button", "/start")
	tab.WaitFor("Tack! Här kommer")
	tab.Click("button", "logga in")
	tab.WaitTrue(`document.querySelector('.bubble a[href*="/sign-in?token="]') !== null`)
	look(tab, "chat-private")
	tab.Eval(`document.querySelector('.bubble a[href*="/sign-in?token="]').click()`, nil)
	tab.WaitURL("/sign-in")
	look(tab, "sign-in")
	tab.Click("button", "Logga in som Anna")
	tab.WaitURL("/week")
	look(tab, "week")
	tab.Goto("/log")
	look(tab, "log")
	tab.Eval(`document.querySelector('.edit').open = true`, nil)
	look(tab, "log-edit")
	for name, path := range map[string]string{
		"promises": "/promises", "preferences": "/preferences", "household": "/household", "words": "/household/words",
		"habits": "/household/habits", "settings": "/household/settings", "setup": "/setup", "language": "/language",
	} {
		tab.Goto(path)
		look(tab, name)
	}
	tab.Prefer(webtest.Dark)
	tab.Goto("/chat?as=701")
	tab.Readable()
	tab.Goto("/week")
	tab.Readable()
	visitor := webtest.Open(t, w.url+"/", webtest.Phone, webtest.Light)
	look(visitor, "start")
}
