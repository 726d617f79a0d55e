package iamgen

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/resolve"
)

// mostValues is up to how many listed values of a key are spelt out.
const mostValues = 12

// Variable is the IAM policy variable for a property of the caller: a tag of the session,
// or what the design spells in full, such as cognito-identity.amazonaws.com:sub.
func Variable(caller string) string {
	if strings.Contains(caller, ":") {
		return "${" + caller + "}"
	}
	return "${aws:PrincipalTag/" + caller + "}"
}

// leading are the partition keys of a request as a condition on dynamodb:LeadingKeys takes
// them; one empty text if there is nothing to hold it to. It notes what is not the caller's
// own.
func (w *writer) leading(pattern, verb string, path resolve.Path, partition []resolve.KeyCondition) []string {
	if len(partition) != 1 {
		w.noteAll(pattern, verb, path, "has several attributes, which dynamodb:LeadingKeys does not speak of")
		return []string{""}
	}
	key := partition[0]
	if key.Kind != "S" {
		w.noteAll(pattern, verb, path, "is no text, so dynamodb:LeadingKeys is not applied")
		return []string{""}
	}
	keys, own := w.keysOf(key.Low)
	if !own && len(w.role.Bind) > 0 {
		w.note(pattern, "partition %s of %s does not hold %s, so the role can %s all of it",
			key.Low, path, w.bound(key.Low), verb)
	}
	if slices.Contains(keys, "*") {
		return []string{""}
	}
	return keys
}

// noteAll says why a key is not compared at all, where that matters.
func (w *writer) noteAll(pattern, verb string, path resolve.Path, why string) {
	if len(w.role.Bind) > 0 {
		w.note(pattern, "the partition key of %s %s, and the role can %s all of it", path, why, verb)
	}
}

// bound names the bound attributes, and how the key holds one if not as it is.
func (w *writer) bound(text resolve.Text) string {
	var names []string
	for _, b := range w.role.Bind {
		name := b.Attribute
		if slices.ContainsFunc(text, func(p resolve.TextPart) bool { return p.Attribute != nil && p.Attribute.Name == name }) {
			name += " as it is"
		}
		names = append(names, name)
	}
	return strings.Join(names, " or ")
}

// keysOf are the texts a key can have, and whether a bound attribute is in it. A value of
// the design is spelt out, a bound attribute is the caller's property, and everything
// else is a star. What a filter makes of a bound attribute IAM cannot compute.
func (w *writer) keysOf(text resolve.Text) (keys []string, own bool) {
	keys = []string{""}
	for _, part := range text {
		more := []string{"*"}
		if part.Value == nil {
			more = []string{escape(part.Literal)}
		} else if variable := w.variable(part); variable != "" {
			more, own = []string{variable}, true
		} else if values := listedValues(part); len(values)*len(keys) <= mostValues && len(values) > 0 {
			more = values
		}
		var longer []string
		for _, key := range keys {
			for _, end := range more {
				longer = append(longer, key+end)
			}
		}
		keys = longer
	}
	for i, key := range keys {
		for strings.Contains(key, "**") {
			key = strings.ReplaceAll(key, "**", "*")
		}
		keys[i] = key
	}
	return keys, own
}

// variable is the caller's property that a part must equal, or "".
func (w *writer) variable(part resolve.TextPart) string {
	if part.Attribute == nil || len(part.Filters) > 0 {
		return ""
	}
	for _, b := range w.role.Bind {
		if b.Attribute == part.Attribute.Name {
			return Variable(b.Caller)
		}
	}
	return ""
}

// listedValues are the values a part takes one after the other, if the design lists them.
func listedValues(part resolve.TextPart) []string {
	if !part.Each || len(part.Filters) > 0 {
		return nil
	}
	var all []string
	for _, v := range part.Values {
		if !v.IsConstant() {
			return nil
		}
		all = append(all, escape(v.Constant))
	}
	return all
}

// escape writes characters that mean something to IAM.
var escape = strings.NewReplacer("$", "${$}", "*", "${*}", "?", "${?}").Replace
