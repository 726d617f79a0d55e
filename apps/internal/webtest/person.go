package webtest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// one waits for the only element with a role and a name.
func (p *Tab) one(role, name string) runtime.RemoteObjectID {
	p.t.Helper()
	var element runtime.RemoteObjectID
	p.until(fmt.Sprintf("there is one %s %q", role, name), func() (bool, error) {
		found, err := p.find(role, name)
		switch {
		case err != nil:
			return false, err
		case len(found) == 0:
			return false, errNotThere
		case len(found) > 1:
			return false, fmt.Errorf("there are %d of them", len(found))
		}
		element = found[0]
		return true, nil
	})
	return element
}

// Has reports whether the page has an element with a role and a name, now.
func (p *Tab) Has(role, name string) bool {
	p.t.Helper()
	found, err := p.find(role, name)
	if err != nil {
		p.t.Fatalf("webtest: looking for %s %q: %v", role, name, err)
	}
	return len(found) > 0
}

// Count returns the number of elements with a role and a name, now.
func (p *Tab) Count(role, name string) int {
	p.t.Helper()
	found, err := p.find(role, name)
	if err != nil {
		p.t.Fatalf("webtest: looking for %s %q: %v", role, name, err)
	}
	return len(found)
}

// See waits until the page has an element with a role and a name, such as See("heading",
// "Leaderboard").
func (p *Tab) See(role, name string) {
	p.t.Helper()
	p.until(fmt.Sprintf("there is a %s %q", role, name), func() (bool, error) {
		found, err := p.find(role, name)
		return len(found) > 0, err
	})
}

// Click clicks or taps the middle of the only element with a role and a name: Click("button",
// "Send answer"). It fails if another element covers it.
func (p *Tab) Click(role, name string) {
	p.t.Helper()
	p.clickNode(p.one(role, name), fmt.Sprintf("%s %q", role, name))
}

// Submit clicks a button that sends a form, and waits for the page that follows. A page that updates itself may show
// the effect before it is left.
func (p *Tab) Submit(name string) {
	p.t.Helper()
	p.Eval(`document.documentElement.dataset.submitted = "true"`, nil)
	p.Click("button", name)
	p.WaitTrue(`document.documentElement.dataset.submitted !== "true"`)
	p.settle()
}

func (p *Tab) clickNode(element runtime.RemoteObjectID, what string) {
	p.t.Helper()
	p.settle() // a link clicked before may have led to a page whose scripts are not here yet
	var spot struct{ X, Y float64 }
	p.callOn(element, spotScript, &spot, "clicking "+what)
	p.do("clicking "+what, chromedp.MouseClickXY(spot.X, spot.Y))
	p.settle()
}

// spotScript finds the middle of an element, or of its label when the element itself is hidden,
// and makes sure that a click there would hit it.
const spotScript = `function() {
	this.scrollIntoView({block: "center", inline: "nearest"});
	const candidates = [this, ...(this.labels ?? [])];
	let over = "";
	for (const element of candidates) {
		const box = element.getBoundingClientRect();
		if (box.width < 2 || box.height < 2) continue;
		const x = box.x + box.width / 2, y = box.y + box.height / 2;
		const hit = document.elementFromPoint(x, y);
		if (hit && candidates.some((c) => c === hit || c.contains(hit) || hit.contains(c))) return {X: x, Y: y};
		over = hit ? hit.outerHTML.slice(0, 120) : "nothing";
	}
	throw new Error("it cannot be hit; there is " + over);
}`

// callOn calls a function with this as the element, and decodes its result into out, which may be
// nil.
func (p *Tab) callOn(element runtime.RemoteObjectID, script string, out any, what string) {
	p.t.Helper()
	byValue := true
	result := call(p, runtime.CallFunctionOn, runtime.CallFunctionOnParams{FunctionDeclaration: script, ObjectID: element, ReturnByValue: &byValue})
	if thrown := result.ExceptionDetails; thrown != nil {
		text := thrown.Text
		if thrown.Exception != nil {
			text = thrown.Exception.Description
		}
		p.t.Fatalf("webtest: %s: %s", what, text)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(result.Result.Value, out); err != nil {
		p.t.Fatalf("webtest: %s: %v", what, err)
	}
}

// field finds a field by its label.
func (p *Tab) field(label string) runtime.RemoteObjectID {
	p.t.Helper()
	return p.oneOf(label, "textbox", "searchbox", "spinbutton", "combobox", noRole)
}

func (p *Tab) oneOf(name string, roles ...string) runtime.RemoteObjectID {
	p.t.Helper()
	var element runtime.RemoteObjectID
	p.until(fmt.Sprintf("there is a %s %q", strings.Join(roles, " or "), name), func() (bool, error) {
		for _, role := range roles {
			found, err := p.find(role, name)
			if err != nil {
				return false, err
			}
			if len(found) == 1 {
				element = found[0]
				return true, nil
			}
		}
		return false, errNotThere
	})
	return element
}

// Fill replaces the text of the field with a label.
func (p *Tab) Fill(label, text string) {
	p.t.Helper()
	element := p.field(label)
	what := "filling in " + label
	p.callOn(element, `function() { this.focus(); if (this.select) this.select(); }`, nil, what)
	if text == "" {
		p.do(what, chromedp.KeyEvent(kb.Delete))
		return
	}
	call(p, input.InsertText, input.InsertTextParams{Text: text})
}

// Choose ticks the radio button or checkbox with a label.
func (p *Tab) Choose(label string) {
	p.t.Helper()
	p.clickNode(p.oneOf(label, "radio", "checkbox", "switch"), label)
}

// Select chooses an entry of the list with a label.
func (p *Tab) Select(label, entry string) {
	p.t.Helper()
	element := p.field(label)
	p.callOn(element, fmt.Sprintf(`function() {
		const option = [...this.options].find((o) => o.text.trim() === %q);
		if (!option) throw new Error("there is no such entry");
		this.value = option.value;
		this.dispatchEvent(new Event("input", {bubbles: true}));
		this.dispatchEvent(new Event("change", {bubbles: true}));
	}`, entry), nil, "choosing "+entry)
}

// keys maps names of keys to their codes.
var keys = map[string]string{
	"Tab": kb.Tab, "Enter": kb.Enter, "Escape": kb.Escape, "Space": " ",
	"Up": kb.ArrowUp, "Down": kb.ArrowDown, "Left": kb.ArrowLeft, "Right": kb.ArrowRight,
	"Home": kb.Home, "End": kb.End, "Backspace": kb.Backspace, "Delete": kb.Delete,
}

// Press presses keys one after the other: "Tab", "Shift+Tab", "Enter", "Space", "Escape", "Left", "Right", "Up", "Down",
// "Home", "End", or characters.
func (p *Tab) Press(names ...string) {
	p.t.Helper()
	for _, name := range names {
		plain, shift := strings.CutPrefix(name, "Shift+")
		key, ok := keys[plain]
		if !ok {
			key = plain
		}
		var options []chromedp.KeyOption
		if shift {
			options = append(options, chromedp.KeyModifiers(chromedp.ModifierShift))
		}
		p.do("pressing "+name, chromedp.KeyEvent(key, options...))
	}
}

// WaitCopied waits until the clipboard holds a text. The focus is lost.
func (p *Tab) WaitCopied(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("%q is copied", text), func() (bool, error) {
		if pasted := p.paste(); pasted != text {
			return false, fmt.Errorf("copied is %q", pasted)
		}
		return true, nil
	})
}

// paste returns the text of the clipboard.
func (p *Tab) paste() string {
	p.t.Helper()
	p.Eval(`(() => { const sheet = document.createElement("textarea"); sheet.id = "webtest-sheet"; document.body.append(sheet); sheet.focus(); })()`, nil)
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Key: "v", Commands: []string{"paste"}})
	var pasted string
	p.Eval(`(() => { const sheet = document.getElementById("webtest-sheet"); sheet.remove(); return sheet.value; })()`, &pasted)
	return pasted
}
