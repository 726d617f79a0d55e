// Package webtest tests pages in a real browser: it finds elements by role and name, clicks,
// types, navigates by keyboard, and fails a test on console errors, blocked scripts, horizontal
// scrolling and accessibility violations of axe-core. It is for tests of the systems' fronts
// only.
//
// One headless Chromium serves all tests of a package; each Tab has its own cookies, and is
// cleared and reused when its test is over. Chromium's headless shell is preferred: it needs a
// third less processor time than a browser with windows, and that of scripts/browser less still.
// Without Chromium or axe-core tests fail: run ./scripts/browser first.
package webtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// remedy tells how to install a missing dependency.
const remedy = "run ./scripts/browser in the root of the repository"

// browser is the one Chromium of this test binary.
var browser struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

// Main runs the tests of a package and then ends the browser, if one was started:
//
//	func TestMain(m *testing.M) { webtest.Main(m) }
func Main(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

// start starts the browser, once.
func start(t testing.TB) context.Context {
	t.Helper()
	browser.once.Do(launch)
	if browser.err != nil {
		t.Fatalf("webtest: %v; %s", browser.err, remedy)
	}
	return browser.ctx
}

func launch() {
	program, err := findBrowser()
	if err != nil {
		browser.err = err
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.WSURLReadTimeout(time.Minute),
		chromedp.Flag("hide-scrollbars", false),
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("lang", "en-US"),
		chromedp.Flag("font-render-hinting", "none"),                        // else the headless shell rounds the widths of web fonts
		chromedp.Flag("enable-blink-features", "ComputedAccessibilityInfo"), // roles and names for findScript,
		chromedp.Flag("force-renderer-accessibility", true),                 // kept up to date, not built for each
		chromedp.Env("LANG=en_US.UTF-8"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox does not work for root
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		stop()
		stopAllocator()
		browser.err = fmt.Errorf("starting %s: %w", program, err)
		return
	}
	browser.ctx = ctx
	browser.stop = func() {
		_ = chromedp.Cancel(ctx) // closes it in an orderly way; what is left ends with the allocator
		stopAllocator()
	}
}

// findBrowser looks where scripts/browser looks, too.
func findBrowser() (string, error) {
	folder, err := cacheFolder()
	if err != nil {
		return "", err
	}
	for _, name := range []string{
		os.Getenv("SORTKEY_CHROMIUM"), filepath.Join(folder, "chromium", "headless-shell"), "chromium-headless-shell", "chrome-headless-shell",
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
	} {
		if name == "" {
			continue
		}
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", fmt.Errorf("there is no Chromium")
}

// cacheFolder returns the folder into which scripts/browser installs.
func cacheFolder() (string, error) {
	if folder := os.Getenv("SORTKEY_BROWSER_CACHE"); folder != "" {
		return folder, nil
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "sortkey", "browser"), err
}

// axeSource is the text of axe-core.
var axeSource = sync.OnceValues(func() (string, error) {
	folder, err := cacheFolder()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		return "", fmt.Errorf("there is no axe-core: %w", err)
	}
	return string(text), nil
})
