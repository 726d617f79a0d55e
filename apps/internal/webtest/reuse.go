package webtest

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"

	chromium "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// idle holds tabs of finished tests for reuse. A new tab costs a process.
var idle struct {
	mu   sync.Mutex
	tabs []context.Context
}

// takeTab returns an unused tab with empty storage.
func takeTab(t testing.TB) context.Context {
	t.Helper()
	parent := start(t)
	idle.mu.Lock()
	if last := len(idle.tabs) - 1; last >= 0 {
		ctx := idle.tabs[last]
		idle.tabs = idle.tabs[:last]
		idle.mu.Unlock()
		return ctx
	}
	idle.mu.Unlock()
	// It lives as long as the browser; its cancel function is that of the browser's.
	ctx, _ := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("webtest: opening a tab: %v", err)
	}
	if err := permit(ctx); err != nil {
		t.Fatalf("webtest: opening a tab: %v", err)
	}
	return ctx
}

// undecided is a script that says of notifications what browsers say until their user decides. The headless shell has no
// notifications: it says that they are denied. A request for them is denied by every browser of a test.
const undecided = `globalThis.Notification && Object.defineProperty(Notification, "permission", {get: () => "default"})`

// permit gives the pages of a tab the permissions that they have in a browser with windows; the headless shell denies
// everything.
func permit(ctx context.Context) error {
	_, err := chromedp.Call(ctx, chromium.SetPermission, chromium.SetPermissionParams{
		Permission: &chromium.PermissionDescriptor{Name: "clipboard-write"}, Setting: chromium.PermissionSettingGranted,
		BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
	})
	if err != nil {
		return err
	}
	_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: undecided})
	return err
}

// leave clears the tab for the next test. A tab that cannot be cleared, or that belongs to a
// failed test, is closed.
func (p *Tab) leave() {
	if p.t.Failed() || p.empty() != nil {
		_ = chromedp.Cancel(p.ctx) // already closed
		return
	}
	idle.mu.Lock()
	defer idle.mu.Unlock()
	idle.tabs = append(idle.tabs, p.ctx)
}

// empty clears the storage of the tests' pages.
func (p *Tab) empty() error {
	at, err := url.Parse(p.URL())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if p.offline {
		if err := p.setOffline(false); err != nil {
			return err
		}
	}
	for _, script := range p.before {
		if _, err := chromedp.Call(ctx, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: script}); err != nil {
			return err
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return err
	}
	if strings.HasPrefix(at.Scheme, "http") {
		// A later site may have the same address. Cookies do not even know ports.
		everything := storage.ClearDataForOriginParams{Origin: at.Scheme + "://" + at.Host, StorageTypes: "all"}
		if _, err := chromedp.Call(ctx, storage.ClearDataForOrigin, everything); err != nil {
			return err
		}
	}
	_, err = chromedp.Call(ctx, storage.ClearCookies, storage.ClearCookiesParams{})
	return err
}
