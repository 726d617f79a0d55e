package loader

import (
	"sortkey.dev/design/internal/model"
	"sortkey.dev/internal/lazyregexp"
)

var (
	plainText  = []string{"string", "number", "boolean"} // text that may look like another type
	onlyText   = []string{"string"}
	onlyNumber = []string{"number"}
)

// Names.
var (
	designName = &form{
		name: "designName", words: "a name of letters, digits, _ and -", json: onlyText,
		doc:     "Letters, digits, `_` and `-`, beginning with a letter.",
		pattern: lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]*$`),
	}
	name = &form{
		name: "name", words: "a name of letters, digits and _", json: onlyText,
		doc:     "Letters, digits and `_`, beginning with a letter.",
		pattern: lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]*$`),
	}
	qualifiedName = &form{
		name: "qualifiedName", words: "a name of letters, digits and _, or one of a used design, such as platform.Job", json: onlyText,
		doc:     "A name, or the name of a use, a point and a name of its design.",
		pattern: lazyregexp.New(`^([A-Za-z][A-Za-z0-9_]*\.)?[A-Za-z][A-Za-z0-9_]*$`),
	}
	designFile = &form{
		name: "designFile", words: "a path relative to this file that ends in .design.yaml", json: onlyText,
		doc:     "A path with `/`, relative to the file it is written in, that ends in `.design.yaml`.",
		pattern: lazyregexp.New(`^[^/\\].*\.(design|version)\.yaml$`),
	}
	attributeName = &form{
		name: "attributeName", words: "the name of an attribute: letters, digits and _", json: onlyText,
		doc:     "Letters, digits and `_`, not beginning with a digit.",
		pattern: lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`),
	}
	changedName = &form{
		name: "changedName", words: "the name of an attribute, or an entry of a map such as labels[$key]", json: onlyText,
		doc:     "The name of an attribute; or an entry of a map, `labels[$key]` or `labels[color]`, in quotes. The map of a change is not optional, and its entries are texts, numbers, instants or truth values.",
		pattern: lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*(\[[^\[\]]+\])?$`),
	}
	storedName = &form{
		name: "storedName", words: "the name of an attribute in DynamoDB: 1 to 255 characters without spaces", json: plainText,
		doc:     "The name of an attribute in DynamoDB: 1 to 255 characters without spaces.",
		pattern: lazyregexp.New(`^[^\s]{1,255}$`),
	}
	tableName = &form{
		name: "tableName", words: "a name of 3 to 255 letters, digits, _ . and -", json: plainText,
		doc:     "3 to 255 letters, digits, `_`, `.` and `-`, as DynamoDB asks for.",
		pattern: lazyregexp.New(`^[A-Za-z0-9_.-]{3,255}$`),
	}
	label = &form{
		name: "label", words: "a name of letters, digits, _ . and -", json: plainText,
		doc:     "Letters, digits, `_`, `.` and `-`.",
		pattern: lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`),
	}
	guardName = &form{
		name: "guardName", words: "an entity and its unique attributes, such as User.email or Alias.household+word", json: onlyText,
		doc:     "An entity, a point and its unique attributes joined by `+`.",
		pattern: lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*(\+[A-Za-z_][A-Za-z0-9_]*)*$`),
	}
	sumOf = &form{
		name: "sumOf", words: "an entity and its attribute, such as Bid.amount", json: onlyText,
		doc:     "An entity, a point and one of its attributes.",
		pattern: lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*$`),
	}
	ruleCode = &form{
		name: "ruleCode", words: "the code or name of a rule, such as H502 or few-partitions", json: onlyText,
		doc:     "The code or the name of a rule.",
		pattern: lazyregexp.New(`^[A-Za-z0-9-]+$`),
	}
)

// Texts with their own grammar.
var (
	freeText = &form{name: "text", words: "a text", json: plainText, doc: "Any text."}
	region   = &form{
		name: "region", words: "an AWS region such as eu-north-1", json: onlyText, doc: "An AWS region.",
		pattern: lazyregexp.New(`^[a-z]{2}(-[a-z]+)+-[0-9]$`),
	}
	typeText = &form{
		name: "type", words: "a type such as string, int? or enum(A, B)", json: onlyText,
		doc: "`string` `int` `number` `decimal` `bool` `bytes` `timestamp` `unixtime` `date` `week` `uuid` `uuidv7` `ulid` `geohash` `json`, " +
			"`enum(A, B)`, `list<T>`, `set<T>`, `map<T>`, or a name under `types`; `?` at the end: may be absent. " +
			"A `timestamp` is stored in milliseconds and a `unixtime` in seconds: finer precision is truncated when an instant is stored, " +
			"and a range finds exactly the items between the given instants, whatever their precision. An empty set is stored as an absent attribute.",
		pattern: lazyregexp.New(`^ *([A-Za-z][A-Za-z0-9_]*( *<.+>)?|enum *\(.+\)) *\??$`),
	}
	templateText = &form{
		name: "template", words: `a template in quotes, such as "USER#{user_id}"`, json: onlyText,
		doc: "Literal text and `{attribute}`, with filters after `|`: `pad N`, `lower`, `upper`, `year`, `month`, `date`, `hour`, `prefix N`, `escape`, `shard N`. " +
			"`pad` is for whole numbers: a negative one is rejected when a key is built. Parts are separated by `#`, or by the `delimiter` of the table. " +
			"The last value of a key may contain `#` if no other key of the table begins like it and goes on with `#`; elsewhere " +
			"a text that contains `#` is rejected when a key is built, unless it has the filter `escape`, which keeps order and prefixes. Always in quotes.",
	}
	conditionText = &form{
		name: "condition", words: "a condition such as $, between $a and $b, or a constant", json: plainText,
		doc: "`$` a parameter named as the attribute; `$name`; `between $a and $b`; `lt`, `lte`, `gt`, `gte`, `begins_with` and a parameter or constant; " +
			"`in $names`; `in (A, B)` or a list; anything else is a constant.",
	}
	clausesText = &form{
		name: "clauses", words: "a condition such as status = active", json: onlyText,
		doc: "Comparisons joined by `and` and `or`: `a = b`, `!=`, `<`, `<=`, `>`, `>=`, `a exists`, `a missing`, `a in (A, B)`. " +
			"`and` binds stronger than `or`; parentheses group. A value is a constant, a `$parameter` or another attribute of a type that can be compared. " +
			"An absent attribute is unequal to every value and fulfils no other comparison. In `if` the left side may be an entry of a map, `labels[$key]`. In `when` there is no `or`.",
	}
	orderText = &form{
		name: "order", words: "an attribute and asc or desc, such as created_at desc", json: onlyText,
		doc:     "An attribute and `asc` or `desc`.",
		pattern: lazyregexp.New(`^ *[A-Za-z_][A-Za-z0-9_]* +(asc|desc) *$`),
	}
	rateText = &form{
		name: "rate", words: "a rate such as 50/day", json: onlyText,
		doc:     "A number, `k` or `M` if need be, and `/s`, `/minute`, `/hour`, `/day`, `/week`, `/month` or `/year`. A month has 730 hours.",
		pattern: lazyregexp.New(`^[0-9]+(\.[0-9]+)?[kM]?/(s|minute|hour|day|week|month|year)$`),
	}
	bytesText = &form{
		name: "bytes", words: "a size such as 400B, 3.5KB or 2MB", json: onlyText,
		doc:     "A number and `B`, `KB`, `MB` or `GB`; 1 KB is 1024 bytes.",
		pattern: lazyregexp.New(`^[0-9]+(\.[0-9]+)?(B|KB|MB|GB)$`),
	}
	durationText = &form{
		name: "duration", words: "a duration such as 90d", json: onlyText,
		doc:     "A number and `m` (minutes), `h`, `d`, `w` or `y` (of 365 days).",
		pattern: lazyregexp.New(`^[0-9]+(\.[0-9]+)?[mhdwy]$`),
	}
	amountText = &form{
		name: "amount", words: "a number or a parameter such as $amount", json: []string{"number", "string"},
		doc:     "A number, or a `$parameter`; `$` alone is a parameter named as the attribute.",
		pattern: lazyregexp.New(`^(-?[0-9]+(\.[0-9]+)?|\$([A-Za-z_][A-Za-z0-9_]*)?)$`),
	}
	parameterText = &form{
		name: "parameter", words: "a parameter such as $lines", json: onlyText,
		doc:     "A `$parameter`; `$` alone is a parameter named as the attribute.",
		pattern: lazyregexp.New(`^\$([A-Za-z_][A-Za-z0-9_]*)?$`),
	}
	removalText = &form{
		name: "removal", words: "a parameter such as $gone, or all", json: onlyText,
		doc:     "A `$parameter` with the elements; `$` alone is a parameter named as the attribute. `all` is the whole attribute.",
		pattern: lazyregexp.New(`^(all|\$([A-Za-z_][A-Za-z0-9_]*)?)$`),
	}
	statedText = &form{
		name: "stated", words: "a value as the document states it, such as $1.75, 9 or 25%", json: plainText,
		doc: "A number as the document writes it, with `$` or `%`, or a text.",
	}
	formulaText = &form{
		name: "formula", words: "a formula such as units(SaveAnswer) * 2", json: plainText,
		doc: "Numbers (`k`, `M`, `KB`, `MB`, `GB`, `d`, `h`), `+ - * / ( )`, names of prices, `hours`, and functions of the design such as `units(P)`, " +
			"`rate(P)`, `month(on-demand)` or `size(E)`.",
	}
)

// Numbers and choices.
var (
	wholeNumber    = &form{name: "wholeNumber", words: "a whole number, at least 1", json: onlyNumber, doc: "A whole number, at least 1.", pattern: wholePattern, least: "1", most: "1000000000"}
	anyNumber      = &form{name: "number", words: "a number", json: onlyNumber, doc: "A number.", pattern: numberPattern}
	positiveNumber = &form{name: "positiveNumber", words: "a number above 0", json: onlyNumber, doc: "A number above 0.", pattern: numberPattern, above: "0"}
	notNegative    = &form{name: "notNegative", words: "a number, 0 or more", json: onlyNumber, doc: "A number, 0 or more.", pattern: numberPattern, least: "0"}
	share          = &form{name: "share", words: "a share from 0 to 1, such as 0.2", json: onlyNumber, doc: "A share from 0 to 1.", pattern: numberPattern, least: "0", most: "1"}
	yesNo          = &form{name: "bool", words: "true or false", json: []string{"boolean"}, doc: "`true` or `false`.", values: []string{"true", "false"}}

	wholePattern  = lazyregexp.New(`^-?[0-9]+$`)
	numberPattern = lazyregexp.New(`^-?[0-9]+(\.[0-9]+)?$`)
)

// choice returns a form with a fixed set of values.
func choice(name string, values ...string) *form {
	return &form{name: name, words: "one of " + inWords(values), json: onlyText, values: values}
}

// inWords formats a list for a sentence: a, b or c.
func inWords(values []string) string {
	text := ""
	for i, v := range values {
		switch {
		case i == 0:
			text = v
		case i == len(values)-1:
			text += " or " + v
		default:
			text += ", " + v
		}
	}
	return text
}

// verbNames lists the verbs of patterns.
var verbNames = []string{
	string(model.Get), string(model.List), string(model.Collect), string(model.Scan), string(model.Snapshot), string(model.Create), string(model.Put),
	string(model.Update), string(model.Upsert), string(model.Delete), string(model.Transact),
}

// stepNames lists the verbs of steps of a transaction.
var stepNames = []string{
	string(model.Create), string(model.Put), string(model.Update), string(model.Upsert), string(model.Delete), string(model.Check),
}
