package iamgen

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// mostValues is the maximum number of values of one key that are listed.
const mostValues = 20

// Variable returns the IAM policy variable for a property of the caller: a session tag, or a
// full name such as cognito-identity.amazonaws.com:sub.
func Variable(caller string) string {
	if strings.Contains(caller, ":") {
		return "${" + caller + "}"
	}
	return "${aws:PrincipalTag/" + caller + "}"
}

// leading returns the partition keys of a request for conditions on its attributes: one list of
// texts for each combination, "" for an attribute that cannot be restricted. It adds notes about
// keys that are not the caller's.
func (w *writer) leading(pattern, verb string, path resolve.Path, partition []resolve.KeyCondition) [][]string {
	all, own, readable := [][]string{{}}, false, false
	for _, key := range partition {
		keys := []string{""}
		if key.Kind == "S" {
			bound := false
			keys, bound = w.keysOf(key.Low)
			own, readable = own || bound, true
		}
		all = combined(all, keys)
	}
	switch {
	case len(partition) == 0:
		return [][]string{{""}}
	case !readable:
		w.noteAll(pattern, verb, path, "is not a string, so dynamodb:LeadingKeys does not apply")
	case !own && len(w.role.Bind) > 0:
		w.note(pattern, "partition %s of %s %s, so the role can %s all of it", texts(partition), path, w.why(allParts(partition)), verb)
	}
	return all
}

// combined returns each list with each of the keys appended; "" for a key that may be any.
func combined(lists [][]string, keys []string) [][]string {
	if slices.Contains(keys, "*") {
		keys = []string{""}
	}
	var all [][]string
	for _, list := range lists {
		for _, key := range keys {
			all = append(all, append(slices.Clone(list), key))
		}
	}
	return all
}

// texts formats the attributes of a partition key.
func texts(partition []resolve.KeyCondition) string {
	all := make([]string, len(partition))
	for i, key := range partition {
		all[i] = key.Low.String()
	}
	return strings.Join(all, ", ")
}

// allParts returns the parts of all attributes of a partition key.
func allParts(partition []resolve.KeyCondition) resolve.Text {
	var all resolve.Text
	for _, key := range partition {
		all = append(all, key.Low...)
	}
	return all
}

// noteAll adds a note on why a key is not restricted, if the role binds attributes.
func (w *writer) noteAll(pattern, verb string, path resolve.Path, why string) {
	if len(w.role.Bind) > 0 {
		w.note(pattern, "the partition key of %s %s, and the role can %s all of it", path, why, verb)
	}
}

// why describes how a key lacks the bound attributes.
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
				name = b.Attribute + " unchanged"
			}
		}
		absent = append(absent, name)
	}
	return "does not contain " + strings.Join(absent, " or ")
}

func listed(values []model.Operand) string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.String()
	}
	return strings.Join(all, " or ")
}

// keysOf returns the possible texts of a key, and whether all of them are the caller's own.
func (w *writer) keysOf(text resolve.Text) (keys []string, own bool) {
	keys = []string{""}
	for _, part := range text {
		more, bound := w.textsOf(part)
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

// textsOf returns the possible texts of one part of a key, and whether they are always the
// caller's property. Constants are listed. A binding applies to the parameter named after its
// attribute, and to that attribute of an item passed whole; another parameter for the same
// attribute may have any value. IAM cannot compute filters, but the shard numbers are known.
func (w *writer) textsOf(part resolve.TextPart) (texts []string, own bool) {
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

// shardNumbers returns the possible shard numbers of a part, or nil if it is not a shard. No
// filter can follow shard.
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

// operands returns the values of a part, several if the design lists them.
func operands(part resolve.TextPart) []model.Operand {
	if part.Each && len(part.Values) > 0 {
		return part.Values
	}
	return []model.Operand{*part.Value}
}

// variable returns the caller's property that a value must equal, or "".
func (w *writer) variable(v model.Operand) string {
	for _, b := range w.role.Bind {
		if v.Param == b.Attribute {
			return Variable(b.Caller)
		}
	}
	return ""
}

// escape escapes the special characters of IAM.
var escape = strings.NewReplacer("$", "${$}", "*", "${*}", "?", "${?}").Replace
