package webtest

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// A Size is a screen.
type Size struct {
	Name          string
	Width, Height int
	Touch         bool
}

// Screens for tests. Narrow is the smallest on which nothing may scroll horizontally.
var (
	Narrow  = Size{"narrow", 320, 568, true}
	Phone   = Size{"phone", 360, 740, true}
	Tablet  = Size{"tablet", 768, 1024, true}
	Desktop = Size{"desktop", 1280, 800, false}
)

// A Theme is the colour scheme the device prefers.
type Theme string

// The themes.
const (
	Light Theme = "light"
	Dark  Theme = "dark"
)

// view holds the emulated device settings of a tab.
type view struct {
	size   Size
	theme  Theme
	print  bool
	motion bool
}

// Resize changes the screen size of the open page.
func (p *Tab) Resize(size Size) {
	p.t.Helper()
	p.view.size = size
	p.showSize()
}

// Prefer sets the device's colour scheme. A page of the kit with an explicit theme follows, too.
func (p *Tab) Prefer(theme Theme) {
	p.t.Helper()
	p.view.theme = theme
	p.showMedia()
	p.Eval(fmt.Sprintf(`document.documentElement.dataset.theme && (document.documentElement.dataset.theme = %q)`, theme), nil)
}

// Print switches between print and screen media.
func (p *Tab) Print(paper bool) {
	p.t.Helper()
	p.view.print = paper
	p.showMedia()
}

// Motion enables or reduces motion. Tabs begin with reduced motion, so that no animation is
// caught midway.
func (p *Tab) Motion(moves bool) {
	p.t.Helper()
	p.view.motion = moves
	p.showMedia()
}

func (p *Tab) showSize() {
	p.t.Helper()
	size := p.view.size
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(size.Width), Height: int64(size.Height), DeviceScaleFactor: 1, Mobile: size.Touch,
	})
	call(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: size.Touch})
}

func (p *Tab) showMedia() {
	p.t.Helper()
	motion := "reduce"
	if p.view.motion {
		motion = "no-preference"
	}
	media := ""
	if p.view.print {
		media = "print"
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media, Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: string(p.view.theme)},
		{Name: "prefers-reduced-motion", Value: motion},
	}})
}

// looks lists the views of LookAround and Skim: every screen once, both themes, and axe-core in each theme
// on a small and on a large screen.
var looks = []struct {
	size       Size
	theme      Theme
	violations bool
}{
	{Narrow, Dark, false}, {Phone, Dark, true}, {Tablet, Light, false}, {Desktop, Light, true},
}

// LookAround checks the open page on every screen from 320 to 1280 pixels, light and dark: no
// horizontal scrolling, large targets, no violations of axe-core. It takes screenshots as
// Screenshot does, and restores the tab's settings.
func (p *Tab) LookAround(name string) {
	p.t.Helper()
	p.lookAround(name, true)
}

// Skim checks the open page as LookAround does, but without axe-core, which takes long and says nothing new
// about a page with more of the same.
func (p *Tab) Skim(name string) {
	p.t.Helper()
	p.lookAround(name, false)
}

func (p *Tab) lookAround(name string, violations bool) {
	p.t.Helper()
	before := p.view
	for _, look := range looks {
		p.view.size = look.size
		p.showSize()
		if p.view.theme != look.theme {
			p.Prefer(look.theme)
		}
		p.NoSidewaysScroll()
		if look.size != Narrow {
			p.LargeTargets()
		}
		if violations && look.violations {
			p.NoViolations()
		}
		p.Screenshot(name)
	}
	p.view = before
	p.showSize()
	p.Prefer(before.theme)
}

// Screenshot keeps a picture of the whole page as name-phone-dark.png in the folder that the
// environment variable SORTKEY_SHOTS names. Without it nothing is kept.
func (p *Tab) Screenshot(name string) {
	p.t.Helper()
	folder := os.Getenv("SORTKEY_SHOTS")
	if folder == "" {
		return
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		p.t.Fatalf("webtest: %v", err)
	}
	var height int64
	p.Eval("Math.ceil(document.documentElement.scrollHeight)", &height)
	beyond := true
	picture := call(p, page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: &beyond,
		Clip:                  &page.Viewport{Width: float64(p.view.size.Width), Height: float64(min(height, 16000)), Scale: 1},
	}).Data
	file := filepath.Join(folder, fmt.Sprintf("%s-%s-%s.png", name, p.view.size.Name, p.view.theme))
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		p.t.Fatalf("webtest: %v", err)
	}
}
