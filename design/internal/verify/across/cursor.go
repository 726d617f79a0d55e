package across

import (
	"context"
	"errors"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
)

// cursors asks the caller for the second page of a list of which the code of the maker read the
// first, and notes the first cursor that is refused.
func (w *world) cursors(ctx context.Context) error {
	if w.o.Cursors == nil {
		return nil
	}
	theirs := w.clientOf(w.maker)
	for _, c := range w.caller.program.Calls {
		made := w.madeBy(c)
		if made == nil {
			continue
		}
		for n := range w.o.Reads {
			a := w.caller.arranger.ReadArguments(c, n)
			cursor := w.first(ctx, theirs, made, translatedArguments(c, made, a))
			if cursor == "" {
				continue
			}
			request, err := bind.ReadCall(c, bind.ReadPattern(c, 0), a)
			if err != nil {
				continue
			}
			_, err = call.List(w.client, *request.Query, asIs).PageSize(1).Page(ctx, cursor)
			if errors.Is(err, access.ErrBadCursor) {
				w.note(w.callOf(c, a), "cursor", "refuses a cursor that "+string(w.maker.version)+" code made: ErrBadCursor", c.Pattern)
				return nil
			}
			break
		}
	}
	return ctx.Err()
}

// madeBy returns the call of the maker of the same name, if both are lists in pages that take the same
// arguments; else nil.
func (w *world) madeBy(c *program.Call) *program.Call {
	p := w.maker.layout.Design().Pattern(c.Pattern.Name)
	if p == nil || p.Verb != model.List || c.Pattern.Verb != model.List {
		return nil
	}
	made := w.maker.program.Call(p)
	alike := func(his, mine *program.Input) bool {
		return his.Kind == mine.Kind && his.Name == mine.Name && his.Type.Base == mine.Type.Base && (his.Type.Optional || !mine.Type.Optional)
	}
	if made == nil || made.Read == nil || !slices.EqualFunc(made.Inputs, c.Inputs, alike) {
		return nil
	}
	return made
}

// translatedArguments gives the arguments of a call to the call of the same name of the other design.
func translatedArguments(from, to *program.Call, a *bind.Arguments) *bind.Arguments {
	all := bind.NewArguments()
	for i, input := range from.Inputs {
		if v, ok := a.Values[input]; ok {
			all.Values[to.Inputs[i]] = v
		}
		if list, ok := a.Lists[input]; ok {
			all.Lists[to.Inputs[i]] = list
		}
	}
	return all
}

// first returns the cursor behind the first item of a list, or "".
func (w *world) first(ctx context.Context, client *access.Client, c *program.Call, a *bind.Arguments) string {
	request, err := bind.ReadCall(c, bind.ReadPattern(c, 0), a)
	if err != nil || request.Query == nil || request.Empty {
		return ""
	}
	page, err := call.List(client, *request.Query, asIs).PageSize(1).Page(ctx, "")
	if err != nil {
		return ""
	}
	return page.Next
}

// asIs decodes an item as it is.
func asIs(item access.Item) (access.Item, error) { return item, nil }
