package webtest

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// noRole is the role of fields for which ARIA has no word: dates and times.
const noRole = "field without a role"

// findScript lists what assistive technology knows by a role and a name. An empty name is any. Behind a
// modal dialog nothing can be reached.
//
// Roles and names are the browser's own (launch enables them for scripts). The protocol's Accessibility.queryAXTree
// would give the same, but a page that is left while it is being asked crashes.
const findScript = `((role, name) => {
	if (!("computedRole" in Element.prototype)) throw new Error("this browser does not tell scripts the roles of elements");
	const within = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
	return [...within.querySelectorAll("*"), ...(within === document ? [] : [within])].filter((e) =>
		(e.computedRole || (e.matches("input:not([type=hidden])") ? %q : "")) === role
		&& (name === "" || e.computedName === name)
		&& e.checkVisibility({visibilityProperty: true}) && !e.closest("[aria-hidden=true], [inert]"));
})(%q, %q)`

// find gives the elements that assistive technology knows by a role and a name.
func (p *Tab) find(role, name string) ([]runtime.RemoteObjectID, error) {
	ctx, cancel := context.WithTimeout(p.ctx, soon)
	defer cancel()
	list, err := chromedp.Run(ctx, chromedp.Evaluate[*runtime.RemoteObject](fmt.Sprintf(findScript, noRole, role, name)))
	if err != nil {
		return nil, err
	}
	own := true
	entries, err := chromedp.Call(ctx, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: list.ObjectID, OwnProperties: &own})
	if err != nil {
		return nil, err
	}
	var found []runtime.RemoteObjectID
	for _, entry := range entries.Result {
		if entry.Enumerable && entry.Value != nil && entry.Value.ObjectID != "" {
			found = append(found, entry.Value.ObjectID)
		}
	}
	return found, nil
}
