package iamgen

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// mostValues is up to how many texts of one key are spelt out.
const mostValues = 20

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
		w.note(pattern, "partition %s of %s %s, so the role can %s all of it", key.Low, path, w.why(key.Low), verb)
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

// why says in which way a key does not hold what is bound.
func (w *writer) why(text resolve.Text) string {
	var absent []string
	for _, b := range w.role.Bind {
		name := b.Attribute
		for _, part := range text {
			switch {
			case part.Attribute == nil || part.Value == nil:
			case part.Attribute.Name == b.Attribute && slices.ContainsFunc(operands(part), func(v model.Operand) bool { return v.Param != b.Attribute }):
				return "takes " + listed(operands(part)) + " for " + b.Attribute
			case part.Value.Param == b.Attribute:
				name = b.Attribute + " as it is"
			}
		}
		absent = append(absent, name)
	}
	return "does not hold " + strings.Join(absent, " or ")
}

func listed(values []model.Operand) string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.String()
	}
	return strings.Join(all, " or ")
}

// keysOf are the texts a key can have, and whether it is the caller's own in all of them.
func (w *writer) keysOf(text resolve.Text) (keys []string, own bool) {
	keys = []string{""}
	for _, part := range text {
		more, bound := w.texts(part)
		if len(more)*len(keys) > mostValues {
			more, bound = []string{"*"}, false
		}
		own = own || bound
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

// texts are what one part of a key can be, and whether it is always the caller's property.
// A value of the design is spelt out. A binding ties the parameter that is called as its
// attribute is, and so the attribute of an item that is given whole; what another
// parameter says of the same attribute may be anybody's. What a filter makes of a value
// IAM cannot compute, but the numbers of shards are known.
func (w *writer) texts(part resolve.TextPart) (texts []string, own bool) {
	if part.Value == nil {
		return []string{escape(part.Literal)}, false
	}
	if numbers := shardNumbers(part); numbers != nil {
		return numbers, false
	}
	if len(part.Filters) > 0 {
		return []string{"*"}, false
	}
	own = true
	for _, v := range operands(part) {
		variable := w.variable(v)
		switch {
		case variable != "":
			texts = append(texts, variable)
		case v.IsConstant():
			texts, own = append(texts, escape(v.Constant)), false
		default:
			return []string{"*"}, false
		}
	}
	return texts, own
}

// shardNumbers are the numbers that a part can be which is the number of a shard; nil if it
// is none. Nothing is done to such a number afterwards: shard is the last filter there is.
func shardNumbers(part resolve.TextPart) []string {
	n := part.Shards
	if last := len(part.Filters) - 1; last >= 0 && part.Filters[last].Name == model.Shard {
		n = int64(part.Filters[last].N)
	}
	var all []string
	for i := range n {
		all = append(all, strconv.FormatInt(part.FirstShard+i, 10))
	}
	return all
}

// operands are the values a part takes, one after the other if the design lists them.
func operands(part resolve.TextPart) []model.Operand {
	if part.Each && len(part.Values) > 0 {
		return part.Values
	}
	return []model.Operand{*part.Value}
}

// variable is the caller's property that a value must equal, or "".
func (w *writer) variable(v model.Operand) string {
	for _, b := range w.role.Bind {
		if v.Param == b.Attribute {
			return Variable(b.Caller)
		}
	}
	return ""
}

// escape writes characters that mean something to IAM.
var escape = strings.NewReplacer("$", "${$}", "*", "${*}", "?", "${?}").Replace
