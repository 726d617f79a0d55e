package expression

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

const keyValues = `{":p":{"S":"p"}, ":s":{"S":"s"}, ":t":{"S":"t"}, ":n":{"N":"1"}, ":m":{"N":"2"}, ":b":{"B":"YQ=="}, ":bool":{"BOOL":true},
	":empty":{"S":""}, ":emptyb":{"B":""}, ":type":{"S":"S"}}`

func TestChecksOfKeyConditions(t *testing.T) {
	const prefix = "Invalid KeyConditionExpression: "
	for _, tt := range []refusal{
		// Types are checked before the shape of the conditions.
		{"begins_with(sk, :n) AND pk = :p", prefix + "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
		{"pk = :p AND sk < :bool", prefix + "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
		{":bool >= sk AND pk = :p", prefix + "Incorrect operand type for operator or function; operator or function: >=, operand type: BOOL"},
		{"attribute_type(a, b)", prefix + "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: " + typesOfPath},
		{"pk = :p AND sk BETWEEN :n AND :s", prefix + "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:s}"},
		{"pk = :p AND sk BETWEEN :m AND :n", prefix + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{"status = :p", prefix + "Attribute name is a reserved keyword; reserved keyword: status"},
		{"#x = :p", prefix + "An expression attribute name used in the document path is not defined; attribute name: #x"},
		{"pk = :x", prefix + "An expression attribute value used in expression is not defined; attribute value: :x"},

		{"a > b and size(b) > c or a > c", "Invalid operator used in KeyConditionExpression: OR"},
		{"a in (b, size(c), d)", "Invalid operator used in KeyConditionExpression: IN"},
		{"pk = :p AND NOT sk = :s", "Invalid operator used in KeyConditionExpression: NOT"},
		{"a <> b", "Invalid operator used in KeyConditionExpression: <>"},
		{"attribute_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
		{"attribute_not_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_not_exists"},
		{"attribute_type(a, :type)", "Invalid operator used in KeyConditionExpression: attribute_type"},
		{"contains(a.d, b)", "Invalid operator used in KeyConditionExpression: contains"},
		{":s between size(b) and size(a) and b > :s", "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand"},
		{"begins_with(:s, b) and a > :s", "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand"},
		{"size(b) > a AND a.b > b AND b > c", prefix + "KeyConditionExpressions cannot contain nested operations"},
		{"a > size(b.d)", prefix + "KeyConditionExpressions cannot contain nested operations"},
		{"a between size(b) and size(a)", prefix + "KeyConditionExpressions cannot contain nested operations"},
		{"b > a.b", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
		{"b between c[1] and d", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
		{"begins_with(a, b)", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
		{"b.d > a AND c.d > e.f", prefix + "KeyConditionExpressions cannot have conditions on nested attributes"},
		{"b[0] = :p", prefix + "KeyConditionExpressions cannot have conditions on nested attributes"},
		{":s > :t AND a < :t", "Invalid condition in KeyConditionExpression: No key attribute specified"},
		{"b > :n AND b < :m and c = :n and d = :n", prefix + "KeyConditionExpressions must only contain one condition per key"},
		{"(a > :n and b > :n) and (b > :n and c > :n)", prefix + "KeyConditionExpressions must only contain one condition per key"},
	} {
		if got := message(t, parse(scope(t, "", keyValues), keyConditionLanguage, tt.text)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// key returns a schema: "pk:S" or "pk:S/sk:N" or "a:S,b:S/c:N,d:B".
func key(text string) (s dynamo.KeySchema) {
	kinds := map[string]dynamo.Kind{"S": dynamo.KindString, "N": dynamo.KindNumber, "B": dynamo.KindBinary}
	list := func(text string) (out []dynamo.KeyAttribute) {
		for part := range strings.SplitSeq(text, ",") {
			name, kind, _ := strings.Cut(part, ":")
			out = append(out, dynamo.KeyAttribute{Name: name, Kind: kinds[kind]})
		}
		return out
	}
	partition, sort, found := strings.Cut(text, "/")
	s.Partition = list(partition)
	if found {
		s.Sort = list(sort)
	}
	return s
}

func showRange(r *KeyRange) string {
	list := func(vs []dynamo.Value) string {
		var parts []string
		for _, v := range vs {
			parts = append(parts, showValue(v))
		}
		return strings.Join(parts, ", ")
	}
	out := fmt.Sprintf("%s / %s", list(r.Partition), list(r.Sort))
	if r.Op != NoOp {
		names := map[KeyOp]string{Less: "<", LessOrEqual: "<=", Greater: ">", GreaterOrEqual: ">=", Between: "between", BeginsWith: "begins"}
		out += " " + names[r.Op] + " " + showValue(r.Low)
	}
	if r.High != nil {
		out += " and " + showValue(r.High)
	}
	return out
}

func TestBind(t *testing.T) {
	const mismatch = "One or more parameter values were invalid: Condition parameter type does not match schema type"
	const unsupported = "Query key condition not supported"
	missed := func(name string) string { return "Query condition missed key schema element: " + name }
	equality := func(names, because string) string {
		return "RANGE key attributes " + names + " must have equality conditions specified in the query because a condition is present on key attribute " + because
	}
	const multi = "h:S,i:N/a:S,b:S,c:N,d:S"
	tests := []struct{ schema, text, want string }{
		{"pk:S", "pk = :p", `"p" / `},
		{"pk:S/sk:N", ":p = pk", `"p" / `},
		{"pk:S/sk:N", "pk = :p AND sk = :n", `"p" / 1`},
		{"pk:S/sk:N", "sk > :n AND pk = :p", `"p" /  > 1`},
		{"pk:S/sk:N", "pk = :p AND :n > sk", `"p" /  < 1`},
		{"pk:S/sk:N", "pk = :p AND :n <= sk", `"p" /  >= 1`},
		{"pk:S/sk:N", "pk = :p AND :n >= sk", `"p" /  <= 1`},
		{"pk:S/sk:N", "pk = :p AND :n < sk", `"p" /  > 1`},
		{"pk:S/sk:N", "pk = :p AND sk < :n", `"p" /  < 1`},
		{"pk:S/sk:N", "pk = :p AND sk <= :n", `"p" /  <= 1`},
		{"pk:S/sk:N", "pk = :p AND sk >= :n", `"p" /  >= 1`},
		{"pk:S/sk:N", "pk = :p AND sk BETWEEN :n AND :m", `"p" /  between 1 and 2`},
		{"pk:S/sk:S", "begins_with(sk, :s) AND pk = :p", `"p" /  begins "s"`},
		{"pk:B/sk:B", "begins_with(sk, :b) AND pk = :b", `b:YQ== /  begins b:YQ==`},

		{"pk:S/sk:N", "sk = :n", missed("pk")},
		{"pk:S/sk:N", "v = :n", missed("pk")},
		{"pk:S/sk:N", "pk = :p AND v = :n", missed("sk")},
		{"pk:S", "pk = :p AND v = :n", "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)"},
		{"pk:S/sk:N", "pk = :p AND sk = :n AND v = :n", "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
		{"pk:S/sk:N", "pk > :p", unsupported},
		{"pk:S/sk:N", "begins_with(pk, :p) AND sk = :n", unsupported},
		{"pk:S/sk:N", "pk BETWEEN :p AND :s", unsupported},
		{"pk:S/sk:N", "pk = :n", mismatch},
		{"pk:S/sk:N", "pk = :bool", mismatch},
		{"pk:S/sk:N", "pk = :p AND sk = :s", mismatch},
		{"pk:S/sk:N", "pk = :p AND begins_with(sk, :s)", mismatch},
		{"pk:S/sk:B", "pk = :p AND sk BETWEEN :n AND :m", mismatch},
		{"pk:S/sk:S", "pk = :empty", "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
		{"pk:S/sk:B", "pk = :p AND sk > :emptyb", "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: sk"},

		{multi, "h = :p AND i = :n", `"p", 1 / `},
		{multi, "a = :s AND i = :n AND b = :t AND h = :p", `"p", 1 / "s", "t"`},
		{multi, "h = :p AND i = :n AND a = :s AND b > :t", `"p", 1 / "s" > "t"`},
		{multi, "h = :p AND i = :n AND a BETWEEN :s AND :t", `"p", 1 /  between "s" and "t"`},
		{multi, "h = :p AND i = :n AND a = :s AND b = :t AND c = :m AND begins_with(d, :t)", `"p", 1 / "s", "t", 2 begins "t"`},
		{multi, "h = :p AND i = :n AND a = :s AND b = :t AND c = :m AND d = :t", `"p", 1 / "s", "t", 2, "t"`},
		{multi, "h = :p AND a = :s", missed("i")},
		{multi, "a = :s", missed("h")},
		{multi, "h = :p AND i > :n", unsupported},
		{multi, "h = :p AND i = :n AND v = :s", missed("a")},
		{multi, "h = :p AND i = :n AND a = :s AND v = :s", missed("b")},
		{multi, "h = :p AND i = :n AND b = :s", equality("a", "b")},
		{multi, "h = :p AND i = :n AND a = :s AND c = :n", equality("b", "c")},
		{multi, "h = :p AND i = :n AND a = :s AND b > :s AND c = :n", equality("b", "c")},
		{multi, "h = :p AND i = :n AND a = :s AND d = :s", equality("b, c", "d")},
		{multi, "h = :p AND i = :n AND a = :s AND b = :n", mismatch},
	}
	for _, tt := range tests {
		k, err := scope(t, "", keyValues).ParseKeyCondition(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		r, err := k.Bind(key(tt.schema))
		got := message(t, err)
		if err == nil {
			got = showRange(r)
		}
		if got != tt.want {
			t.Errorf("%s on %s:\n got %s\nwant %s", tt.text, tt.schema, got, tt.want)
		}
	}
}

func TestBindLimitsKeySizes(t *testing.T) {
	const tooLongPartition = "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
	const tooLongSort = "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
	for _, tt := range []struct {
		partition, sort int
		text, want      string
	}{
		{2048, 1024, "pk = :p AND sk = :s", ""},
		{2049, 1024, "pk = :p AND sk = :s", tooLongPartition},
		{2048, 1025, "pk = :p AND sk = :s", tooLongSort},
		{1, 1025, "pk = :p AND sk < :s", tooLongSort},
		{1, 1025, "pk = :p AND sk BETWEEN :p AND :s", tooLongSort},
	} {
		s := scope(t, "", fmt.Sprintf(`{":p":{"S":%q}, ":s":{"S":%q}}`, strings.Repeat("p", tt.partition), strings.Repeat("s", tt.sort)))
		k, err := s.ParseKeyCondition(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = k.Bind(key("pk:S/sk:S"))
		if got := message(t, err); got != tt.want {
			t.Errorf("%d, %d: got %q, want %q", tt.partition, tt.sort, got, tt.want)
		}
	}
}
