package webtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// patience is the timeout of every action. Only failures wait that long.
const patience = 30 * time.Second

// A Tab is an open page with its own cookies. Every method fails the test on an error.
type Tab struct {
	t    testing.TB
	ctx  context.Context
	view view

	offline bool
	before  []page.ScriptIdentifier // see Before

	mu        sync.Mutex
	allowed   []*regexp.Regexp
	complains []string
	heardAll  chan struct{} // closed when hear has received lastWords
}

// lastWords is the console message that a tab writes before it is closed; all earlier messages
// were received then.
const lastWords = "webtest has seen enough"

// Open opens a page. When the test ends, it fails if the page reported an error in the console,
// an uncaught exception, or a violation of the content security policy.
func Open(t testing.TB, address string, size Size, theme Theme) *Tab {
	t.Helper()
	ctx := takeTab(t)
	tab := &Tab{t: t, ctx: ctx, view: view{size: size, theme: theme}, heardAll: make(chan struct{})}
	t.Cleanup(tab.leave)
	go tab.hear(chromedp.Console(ctx))
	t.Cleanup(tab.reportComplaints)
	tab.showSize()
	tab.showMedia()
	call(tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}) // tests run side by side
	call(tab, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Europe/Stockholm"})
	tab.Goto(address)
	return tab
}

// call runs one command of the browser's protocol and fails the test if it fails.
func call[P, R any](p *Tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	result, err := try(p, command, params)
	if err != nil {
		p.t.Fatalf("webtest: %s: %v", command.Method, err)
	}
	return result
}

// try runs one command, for at most patience.
func try[P, R any](p *Tab, command cdp.Command[P, R], params P) (R, error) {
	return tryFor(p, patience, command, params)
}

// soon is the timeout of one read of the page. A page that is being left may never answer; the
// next read goes to the new page.
const soon = patience / 6

func tryFor[P, R any](p *Tab, most time.Duration, command cdp.Command[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(p.ctx, most)
	defer cancel()
	return chromedp.Call(ctx, command, params)
}

// do runs an action, for at most patience.
func (p *Tab) do(what string, action chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, action); err != nil {
		p.t.Fatalf("webtest: %s: %v", what, err)
	}
}

// hear records the page's console errors until the tab is closed.
func (p *Tab) hear(messages iter.Seq2[chromedp.ConsoleMessage, error]) {
	defer close(p.heardAll)
	for message, err := range messages {
		if err != nil || message.Text == lastWords {
			return
		}
		if strings.Contains(message.Text, "status of 422") {
			continue // the response to an invalid form
		}
		if message.IsException() || message.Type == "error" || message.Type == "assert" {
			p.complain(fmt.Sprintf("%s %s %s", message.Source, message.Text, message.URL))
		}
	}
}

func (p *Tab) complain(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.complains = append(p.complains, text)
}

// Allow ignores console errors that match a pattern, such as the 404 a test asks for.
func (p *Tab) Allow(pattern string) {
	p.t.Helper()
	expression, err := regexp.Compile(pattern)
	if err != nil {
		p.t.Fatalf("webtest: Allow: %v", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed = append(p.allowed, expression)
}

func (p *Tab) reportComplaints() {
	if p.eval(fmt.Sprintf("console.debug(%q)", lastWords), nil) == nil {
		select {
		case <-p.heardAll:
		case <-time.After(patience):
			p.t.Errorf("webtest: the console of %s is not heard", p.URL())
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
next:
	for _, text := range p.complains {
		for _, expression := range p.allowed {
			if expression.MatchString(text) {
				continue next
			}
		}
		p.t.Errorf("webtest: the page complained: %s", text)
	}
}

// Goto opens another page: a whole address, or a path on the same site.
func (p *Tab) Goto(address string) {
	p.t.Helper()
	if strings.HasPrefix(address, "/") {
		base, err := url.Parse(p.URL())
		if err != nil {
			p.t.Fatalf("webtest: %v", err)
		}
		to, err := base.Parse(address)
		if err != nil {
			p.t.Fatalf("webtest: %v", err)
		}
		address = to.String()
	}
	p.do("opening "+address, chromedp.Navigate(address))
	p.settle()
}

// Before runs a script in every page the tab opens from now on, before the page's own: to hold a clock,
// for example, so that a slow machine sees what a fast one does.
func (p *Tab) Before(script string) {
	p.t.Helper()
	added := call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	p.before = append(p.before, added.Identifier)
}

// Reload reloads the page.
func (p *Tab) Reload() {
	p.t.Helper()
	p.do("reloading", chromedp.Reload())
	p.settle()
}

// settle waits until the page's scripts have begun their work. A page that is not of the kit is
// ready when it is loaded.
func (p *Tab) settle() {
	p.t.Helper()
	p.until("the page is ready", func() (bool, error) {
		var ready bool
		err := p.look(`document.readyState === "complete" && (!document.querySelector('script[src$="/kit/kit.js"]') || document.documentElement.dataset.ready === "true")`, &ready)
		return ready, err
	})
}

// until waits for a condition. Errors while a page is being left count as "not yet". It looks often at first, because most pages are
// fast, and then less often, because looking takes time of the browser.
func (p *Tab) until(what string, done func() (bool, error)) {
	p.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	var last error
	for pause := 10 * time.Millisecond; ; pause = min(pause+10*time.Millisecond, 100*time.Millisecond) {
		ok, err := done()
		if ok && err == nil {
			return
		}
		last = err
		select {
		case <-deadline.C:
			p.t.Fatalf("webtest: waited in vain until %s (%v)\nat %s the page says:\n%s", what, last, p.URL(), p.says())
		case <-time.After(pause):
		}
	}
}

// look runs a script that only reads the page, and can be repeated.
func (p *Tab) look(script string, out any) error { return p.evalFor(soon, script, out) }

func (p *Tab) eval(script string, out any) error { return p.evalFor(patience, script, out) }

func (p *Tab) evalFor(most time.Duration, script string, out any) error {
	ctx, cancel := context.WithTimeout(p.ctx, most)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte](script, chromedp.EvalAwaitPromise, chromedp.EvalAsValue))
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(value, out)
}

// Eval runs a script in the page and decodes its value into out, which may be nil.
func (p *Tab) Eval(script string, out any) {
	p.t.Helper()
	if err := p.eval(script, out); err != nil {
		p.t.Fatalf("webtest: running %s: %v", script, err)
	}
}

// Leave runs a script that leaves the page. It runs after the browser has answered: a page that is gone answers with an error.
func (p *Tab) Leave(script string) {
	p.t.Helper()
	p.Eval("setTimeout(() => { "+script+" }) && true", nil)
}

// URL returns the URL of the tab.
func (p *Tab) URL() string {
	var at string
	if err := p.look("location.href", &at); err != nil {
		return ""
	}
	return at
}

// Text returns the visible text of the page.
func (p *Tab) Text() string {
	p.t.Helper()
	var text string
	p.Eval("document.body.innerText", &text)
	return text
}

// says returns the visible text of the page now; "" if the page does not respond.
func (p *Tab) says() string {
	var text string
	if err := p.look("document.body.innerText", &text); err != nil {
		return ""
	}
	return text
}

// holds returns a condition about the visible text of the page, which the script calls text.
func (p *Tab) holds(script string) func() (bool, error) {
	return func() (ok bool, err error) {
		err = p.look("((text) => "+script+")(document.body.innerText)", &ok)
		return ok, err
	}
}

// WaitFor waits until a text is visible.
func (p *Tab) WaitFor(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("the page says %q", text), p.holds(fmt.Sprintf("text.includes(%q)", text)))
	p.settle()
}

// WaitGone waits until a text is not visible any more.
func (p *Tab) WaitGone(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("the page no longer says %q", text), p.holds(fmt.Sprintf("text !== '' && !text.includes(%q)", text)))
}

// WaitURL waits until the address contains part, and the page there is ready.
func (p *Tab) WaitURL(part string) {
	p.t.Helper()
	p.until("the address contains "+part, func() (bool, error) { return strings.Contains(p.URL(), part), nil })
	p.settle()
}

// WaitTrue waits until an expression, or what it promises, is true.
func (p *Tab) WaitTrue(script string) {
	p.t.Helper()
	p.until(script, func() (bool, error) {
		var ok bool
		err := p.look("Promise.resolve("+script+").then(Boolean)", &ok)
		return ok, err
	})
}

// Offline disables or enables the network.
func (p *Tab) Offline(away bool) {
	p.t.Helper()
	p.offline = true // until the tab is cleared
	if err := p.setOffline(away); err != nil {
		p.t.Fatalf("webtest: Offline: %v", err)
	}
}

func (p *Tab) setOffline(away bool) error {
	var rules network.EmulateNetworkConditionsByRuleParams
	rules.EmulateOfflineServiceWorker, rules.MatchedNetworkConditions = &away, []*network.Conditions{}
	if away {
		rules.MatchedNetworkConditions = append(rules.MatchedNetworkConditions, &network.Conditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
	}
	if _, err := try(p, network.EmulateNetworkConditionsByRule, rules); err != nil {
		return err
	}
	_, err := try(p, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: away, DownloadThroughput: -1, UploadThroughput: -1})
	return err
}

var errNotThere = errors.New("nothing like that is on the page")
