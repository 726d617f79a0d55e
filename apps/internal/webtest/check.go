package webtest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/runtime"
)

// A violation is one thing that axe-core found.
type violation struct {
	ID, Help, Impact string
	Nodes            []struct {
		HTML, FailureSummary string
	}
}

// axeScript runs rules of axe-core. There is nothing to preload: no films, no styles of other hosts. Elements are
// told by their text, so nobody needs selectors for them.
const axeScript = `axe.run(document, {
	runOnly: %s, resultTypes: ["violations"], preload: false, selectors: false,
}).then((result) => result.violations.map((v) => ({
	ID: v.id, Help: v.help, Impact: v.impact ?? "",
	Nodes: v.nodes.map((n) => ({HTML: n.html, FailureSummary: n.failureSummary ?? ""})),
})))`

// NoViolations fails the test for everything axe-core finds on the page as it is now: the rules of
// WCAG 2.2 A and AA, and the best practices.
func (p *Tab) NoViolations() {
	p.t.Helper()
	p.axe(`["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`)
}

// Readable fails the test for texts with too little contrast. It is the part of NoViolations that
// depends on colours, for a page that differs in nothing else.
func (p *Tab) Readable() {
	p.t.Helper()
	p.axe(`["color-contrast", "link-in-text-block"]`)
}

func (p *Tab) axe(rules string) {
	p.t.Helper()
	source, err := axeSource()
	if err != nil {
		p.t.Fatalf("webtest: %v; %s", err, remedy)
	}
	var there bool
	if p.Eval("typeof axe !== 'undefined'", &there); !there {
		p.Eval(source+";true", nil)
	}
	var violations []violation
	p.Eval(fmt.Sprintf(axeScript, rules), &violations)
	for _, v := range violations {
		var places []string
		for _, n := range v.Nodes[:min(len(v.Nodes), 8)] {
			places = append(places, n.HTML+"\n    "+strings.ReplaceAll(n.FailureSummary, "\n", "\n    "))
		}
		p.t.Errorf("webtest: %s %s %s: %s (%s, %d times)\n  %s", p.URL(), p.view.size.Name, p.view.theme, v.Help, v.ID, len(v.Nodes), strings.Join(places, "\n  "))
	}
}

// sidewaysScript lists the elements that exceed the right edge.
const sidewaysScript = `(() => {
	const width = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= width) return [];
	return [...document.body.querySelectorAll("*")].filter((e) => {
		const box = e.getBoundingClientRect();
		return box.width > 0 && box.right > width + 0.5 && !e.closest(".visually-hidden");
	}).slice(0, 5).map((e) => e.outerHTML.slice(0, 160));
})()`

// NoSidewaysScroll fails the test when the page is wider than the screen.
func (p *Tab) NoSidewaysScroll() {
	p.t.Helper()
	var wide bool
	p.Eval("document.documentElement.scrollWidth > document.documentElement.clientWidth", &wide)
	if !wide {
		return
	}
	var culprits []string
	p.Eval(sidewaysScript, &culprits)
	p.t.Errorf("webtest: %s scrolls sideways at %d px:\n  %s", p.URL(), p.view.size.Width, strings.Join(culprits, "\n  "))
}

// smallScript lists the elements that are too small for a finger.
const smallScript = `[...document.querySelectorAll("button, a[href], input:not([type=hidden]), select, textarea, summary")].filter((e) => {
	if (!e.checkVisibility({visibilityProperty: true}) || e.closest(".skip, .visually-hidden")) return false;
	if (e.matches("p a, li a, td a, th a, dd a") && getComputedStyle(e).display === "inline") return false; // words in a text
	const boxes = [e, e.closest(".card-link") ?? e, ...(e.labels ?? [])].map((x) => x.getBoundingClientRect());
	return !boxes.some((b) => b.height >= 43.5 && b.width >= 43.5);
}).map((e) => { const b = e.getBoundingClientRect(); return Math.round(b.width) + " x " + Math.round(b.height) + " " + e.outerHTML.slice(0, 140); })`

// LargeTargets fails the test for buttons, fields and links outside of texts that are smaller than 44 pixels.
func (p *Tab) LargeTargets() {
	p.t.Helper()
	var small []string
	p.Eval(smallScript, &small)
	for _, s := range small {
		p.t.Errorf("webtest: %s: too small for a finger: %s", p.URL(), s)
	}
}

// focusScript reports whether the focus is visible, and whether any element has it.
const focusScript = `(() => {
	const e = document.activeElement;
	if (!e || e === document.body || e === document.documentElement) return {None: true};
	const shows = (x) => { const s = getComputedStyle(x); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0; };
	const seen = [e, e.parentElement, e.nextElementSibling].some((x) => x && shows(x));
	const key = e.dataset.walked ?? "";
	e.dataset.walked = "1";
	return {None: false, Seen: seen, Before: key !== "", HTML: e.outerHTML.slice(0, 160)};
})()`

// Walk presses Tab until every focusable element was reached, at most n times, and returns them
// in order, as "role name". It fails the test where the focus is not visible.
func (p *Tab) Walk(n int) []string {
	p.t.Helper()
	var names []string
	for range n {
		p.Press("Tab")
		var focus struct {
			None, Seen, Before bool
			HTML               string
		}
		p.Eval(focusScript, &focus)
		if focus.None || focus.Before {
			break
		}
		name := p.Focused()
		if !focus.Seen {
			p.t.Errorf("webtest: %s: the focus is not visible on %s: %s", p.URL(), name, focus.HTML)
		}
		names = append(names, name)
	}
	p.Eval(`document.querySelectorAll("[data-walked]").forEach((e) => delete e.dataset.walked)`, nil)
	return names
}

// Focused returns the focused element as "role name".
func (p *Tab) Focused() string {
	p.t.Helper()
	object := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: "document.activeElement"}).Result
	alone := false
	nodes := call(p, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{ObjectID: object.ObjectID, FetchRelatives: &alone}).Nodes
	if len(nodes) == 0 {
		return ""
	}
	return strings.Join(strings.Fields(text(nodes[0].Role)+" "+text(nodes[0].Name)), " ") // some versions leave spaces of the source
}

func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var text string
	if json.Unmarshal(v.Value, &text) != nil {
		return "" // not a text
	}
	return text
}
