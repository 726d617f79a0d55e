package expression

import (
	"fmt"
	"strings"
	"testing"
)

// sample has a value of every type.
const sample = `{":s":{"S":"a"}, ":t":{"S":"b"}, ":n":{"N":"1"}, ":m":{"N":"2"}, ":b":{"B":"YQ=="}, ":c":{"B":"eg=="},
	":bool":{"BOOL":true}, ":null":{"NULL":true}, ":l":{"L":[]}, ":map":{"M":{}},
	":ss":{"SS":["a"]}, ":ns":{"NS":["1"]}, ":bs":{"BS":["YQ=="]}, ":type":{"S":"SS"}}`

func TestSyntaxErrors(t *testing.T) {
	const c, f, k, p, u = conditionLanguage, filterLanguage, keyConditionLanguage, projectionLanguage, updateLanguage
	tests := []struct {
		language    language
		text        string
		token, near string
	}{
		// The quoted text: from the previous token to the next.
		{u, "INVALID SYNTAX HERE", "INVALID", "INVALID SYNTAX"},
		{p, "!!! INVALID !!!", "!", "!!"},
		{c, "a = = b", "=", "= = b"},
		{c, "attribute_not_exists(", "<EOF>", "("},
		{c, "foo", "<EOF>", "foo"},
		{u, "ADD hits : incr", ":", "hits : incr"},
		{u, "SET #a = :s, #, b = :n", "#", ", #,"},
		{c, "NOT (#a)", "<EOF>", ")"},
		{f, "contains (t, :x", "<EOF>", ":x"},
		{u, "SET a = :v,", "<EOF>", ","},
		{f, "  1abc = :v", "1", "  1abc"},
		{f, "n = :v AND  ", "<EOF>", "AND  "},
		{f, "   ", "<EOF>", "   "},
		{f, "n\f= :v", "\f", "n\f="},
		{f, "n\u00a0= :v", "\u00a0", "n\u00a0="},
		{f, "aé = :v", "é", "aé ="},

		// Tokens.
		{f, "_a = :v", "_", "_a"},
		{k, "a = :v AND __typename = :w", "_", "AND __"},
		{f, "n != :v", "!", "n !="},
		{f, "n => :v", ">", "=> :v"},
		{f, "n == :v", "=", "== :v"},
		{f, "a-b = :v", "-", "a-b"},
		{f, "#$.b > a", "#", "#$"},
		{f, "ü > a", "ü", "ü >"},
		{f, `attribute_exists("a.b")`, `"`, `("a`},
		{c, "a > 4", "4", "> 4"},
		{c, "set = :v", "set", "set ="},
		{c, "a.in = :v", "in", ".in ="},

		// Paths.
		{p, "#l[].#c", "]", "[]."},
		{c, "#l[abc].#c = :v", "abc", "[abc]"},
		{f, "#l[-1].#c = :v", "-", "[-1"},
		{f, "l[01] = :v", "1", "01]"},
		{u, "SET #l[0.#c = :v", ".", "0.#c"},
		{f, "a..b = :v", ".", "..b"},
		{f, "m.:v = :v", ":v", ".:v ="},
		{f, "b[:a] > a", ":a", "[:a]"},
		{f, "b[4.5] > a", ".", "4.5"},
		{f, "b[#i] > a", "#i", "[#i]"},
		{c, "Pi#ctures.R = :v", "#ctures", "Pi#ctures."},

		// Conditions.
		{c, "attribute_type()", ")", "()"},
		{f, "n IN ()", ")", "()"},
		{f, "a in b", "b", "in b"},
		{f, "a in b, c", "b", "in b,"},
		{f, "a in (b,c,)", ")", ",)"},
		{f, "a > between", "between", "> between"},
		{f, "(a)between(b.(c.d))and(c)", "(", ".(c"},
		{f, "(a)between(b.c.d)and((c)", "<EOF>", ")"},
		{f, "(n)", "<EOF>", ")"},
		{f, "(n = :v", "<EOF>", ":v"},
		{f, "n = :v)", ")", ":v)"},
		{f, "n = :v = m", "=", ":v = m"},
		{f, "(a = :v) = b", "=", ") = b"},
		{f, "a AND b = :v", "AND", "a AND b"},
		{f, "(a AND b = :v)", "AND", "a AND b"},
		{f, "(b = :v AND a)", ")", "a)"},
		{f, "a = (b = c)", "=", "b = c"},
		{f, "size(a).b > a", ".", ").b"},
		{f, "(size(a)).b > a", ".", ").b"},
		{f, "(size(a))[0] > a", "[", ")[0"},
		{f, "c < NOT size(a)", "NOT", "< NOT size"},
		{f, "things are not gonna be ok", "are", "things are not"},
		{f, "a > :things.stuff", ".", ":things.stuff"},
		{f, "a between b", "<EOF>", "b"},
		{f, "a between b or c", "or", "b or c"},
		{f, "f(a b)", "b", "a b)"},
		{k, "pk = ", "<EOF>", "= "},
		{f, "a = :v + :w", "+", ":v + :w"},

		// Projections.
		{p, "whatever(stuff)", "(", "whatever(stuff"},
		{p, ":a", ":a", ":a"},
		{p, "a,", "<EOF>", ","},
		{p, "a,,b", ",", ",,b"},
		{p, "a[b]", "b", "[b]"},
		{p, "(a)", "(", "(a"},
		{p, "a-b", "-", "a-b"},
		{p, "a b", "b", "a b"},

		// Updates.
		{u, "SET", "<EOF>", "SET"},
		{u, "set a", "<EOF>", "a"},
		{u, "ADD numx", "<EOF>", "numx"},
		{u, "SET note = :v +", "<EOF>", "+"},
		{u, "SET numx = numx * :v", "*", "numx * :v"},
		{u, "ADD numx 1", "1", "numx 1"},
		{u, "DELETE setx a", "a", "setx a"},
		{u, "ADD n #x", "#x", "n #x"},
		{u, "remove a = b", "=", "a = b"},
		{u, "remove a b", "b", "a b"},
		{u, "set :a = b", ":a", "set :a ="},
		{u, "set a=set", "set", "=set"},
		{u, "set a = b + c + d", "+", "c + d"},
		{u, "set a = (b + c) + d", "+", ") + d"},
		{u, "set a = b + (c + d)", "+", "c + d"},
		{u, "set a = (b.c).d + e", ".", ").d"},
		{u, "set (a = (b + c))", "(", "set (a"},
		{u, "SET if_not_exist(a, b) = a", "(", "if_not_exist(a"},
		{u, "SET a = if_not_exists(a, 100)", "100", ", 100)"},
		{u, "SET a = if_not_exists(a, b + c)", "+", "b + c"},
		{u, `set a[1] = "eight"`, `"`, `= "eight`},
		{u, "set a[1] = 1", "1", "= 1"},
		{u, "SET a = :v; SET b = :v", ";", ":v; SET"},
	}
	for _, tt := range tests {
		want := fmt.Sprintf(`Invalid %s: Syntax error; token: "%s", near: "%s"`, languageNames[tt.language], tt.token, tt.near)
		if got := message(t, parse(scope(t, "", ""), tt.language, tt.text)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, want)
		}
	}
}

func TestLegalSyntax(t *testing.T) {
	const c, k, p, u = conditionLanguage, keyConditionLanguage, projectionLanguage, updateLanguage
	tests := []struct {
		language language
		texts    []string
	}{
		{c, []string{
			"a=:s", "a\t=\r\n:s", "a<>:s and b<:s or not c>=:s", "NOT NOT a = :s", "Not a In (:s)", "a BETWEEN :s AND :t",
			"(a = :s) AND (b = :s)", "(a = :s OR b = :s)", "(a = :s AND (b = :s))", "((a = :s) OR (b = :s))", "NOT (a = :s)",
			"(a) = (:s)", "(a.b).c = :s", "((a.b).c)[0] = :s", "(size(a)) > :n", "((size(a)) > :n)", "(a)between(:s)and(:t)", "a in ((:s), b)",
			"(attribute_exists(a))", "attribute_exists ( a )", "attribute_exists(a.b[0][1].#c)", "l[ 1 ] = :s", "m. a = :s", "a1_b = :s",
			"contains(a, size(b))", "a IN (b, size(c), :s)", ":s = :t", ":n BETWEEN a AND a",
			"attribute_type(:s, :type)", "begins_with(:s, a)", "size(:ss) = :n", "l[2147483647] = :s",
		}},
		{k, []string{"a = :s", ":s = a", "a = :s AND b > :n", "(#c = :s AND (b between :s and :t))", "begins_with(b, :s) and a = :s"}},
		{p, []string{"a", "a, b", " a . b [ 0 ] , #c ", "a.b, a.c", "l[0], l[1]", "l[0].x, l[0].y", "and1"}},
		{u, []string{
			"SET a = :s", "set a = b, c = (:n), d = (b + :n), e = ((l[1])-(b.a)) remove f delete g :ss add h :n, i :ns",
			"SET a.b[0].#c = if_not_exists(a.b, :s)", "SET a = if_not_exists(a, if_not_exists(b, c))",
			"SET a = if_not_exists(a, :n) + :n", "SET a = list_append(if_not_exists(a, :l), :l)", "ADD a.b :n DELETE c[0] :ss",
			"REMOVE a.b, a.c, l[0], l[1]", "SET a=b+c", "SET a = :n - b",
		}},
	}
	for _, tt := range tests {
		for _, text := range tt.texts {
			if err := parse(scope(t, "#c=c", sample), tt.language, text); err != nil {
				t.Errorf("%s %q: %v", languageNames[tt.language], text, err)
			}
		}
	}
}

func TestRedundantParentheses(t *testing.T) {
	for _, text := range []string{
		"((a = :s))", "((a)) = :s", "a = ((:s))", "a = :s AND ((a = b AND c = d)) AND e = f", "a=:s OR ((a=b OR (c=d OR e=f)))",
		"a > whatever((:things), ((a)))", "(a)between(((b.c)).d)and(c)", "NOT ((a = :s))", "((attribute_exists(status)))", "((size(a))) > :n",
		"((n = :v)) =", // found before the syntax error after it
		"((((((((((a = :s))))))))))",
	} {
		want := "Invalid FilterExpression: The expression has redundant parentheses;"
		if got := message(t, parse(scope(t, "", sample), filterLanguage, text)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
	want := "Invalid KeyConditionExpression: The expression has redundant parentheses;"
	if got := message(t, parse(scope(t, "", sample), keyConditionLanguage, "((pk = :s))")); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name     string
		language language
		text     string
		want     string // after the name of the language; "" is legal
	}{
		{"empty condition", conditionLanguage, "", "The expression can not be empty;"},
		{"empty filter", filterLanguage, "", "The expression can not be empty;"},
		{"empty key condition", keyConditionLanguage, "", "The expression can not be empty;"},
		{"empty projection", projectionLanguage, "", "The expression can not be empty;"},
		{"empty update", updateLanguage, "", "The expression can not be empty;"},
		{"4096 bytes", conditionLanguage, "a = :s" + strings.Repeat(" ", 4090), ""},
		{"4097 bytes", conditionLanguage, "a = :s" + strings.Repeat(" ", 4091), "Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{"4097 bytes of key condition", keyConditionLanguage, "=" + strings.Repeat(" ", 4096), "Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{"4096 bytes of projection", projectionLanguage, strings.Repeat("a", 4096), ""},
		{"4097 bytes of projection", projectionLanguage, strings.Repeat("a", 4097), "Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{"4096 bytes of update", updateLanguage, "REMOVE " + strings.Repeat("a", 4089), ""},
		{"4097 bytes of update", updateLanguage, "REMOVE " + strings.Repeat("a", 4090), "Expression size has exceeded the maximum allowed size;"},
		{"300 operators", filterLanguage, "size(a)=:n" + strings.Repeat(" OR a<b", 149), ""},
		{"301 operators", filterLanguage, "NOT size(a)=:n" + strings.Repeat(" OR a<b", 149), "The expression contains too many operators; operator count: 301"},
		{"900 operators", filterLanguage, "a<b" + strings.Repeat(" OR a<b", 450), "The expression contains too many operators; operator count: 301"},
		{"300 sums", updateLanguage, "SET " + sums(300), ""},
		{"301 sums", updateLanguage, "SET " + sums(301), "The expression contains too many operators; operator count: 301"},
		{"100 operands", filterLanguage, "a IN (:s" + strings.Repeat(",:s", 99) + ")", ""},
		{"101 operands", filterLanguage, "a IN (:s" + strings.Repeat(",:s", 100) + ")", "The IN operator is provided with too many operands; number of operands: 101"},
		{"32 levels", filterLanguage, "m" + strings.Repeat(".m", 31) + " = :s", ""},
		{"33 levels", filterLanguage, "m" + strings.Repeat(".m", 32) + " = :s", "The document path has too many nesting levels; nesting levels: 33"},
		{"33 levels of projection", projectionLanguage, "m" + strings.Repeat("[0]", 32), "The document path has too many nesting levels; nesting levels: 33"},
		{"33 levels of update", updateLanguage, "SET a = m" + strings.Repeat(".m", 32), "The document path has too many nesting levels; nesting levels: 33"},
		{"large index", filterLanguage, "l[2147483648] = :s", "List index is not within the allowable range; index: [2147483648]"},
		{"huge index", projectionLanguage, "l[99999999999999999999]", "List index is not within the allowable range; index: [99999999999999999999]"},
		{"2000 open parentheses", conditionLanguage, strings.Repeat("(", 2000), `Syntax error; token: "<EOF>", near: "("`},
		{"4096 open parentheses", keyConditionLanguage, strings.Repeat("(", 4096), `Syntax error; token: "<EOF>", near: "("`},
		{"4000 open parentheses of update", updateLanguage, "SET a = " + strings.Repeat("(", 4000), `Syntax error; token: "<EOF>", near: "("`},
		{"2000 pairs", conditionLanguage, strings.Repeat("(", 2000) + "a = :s" + strings.Repeat(")", 2000), "The expression has redundant parentheses;"},
		{"1000 negations", conditionLanguage, strings.Repeat("NOT ", 1000) + "a = :s", "The expression contains too many operators; operator count: 301"},
		{"600 calls", conditionLanguage, strings.Repeat("size(", 600) + "a" + strings.Repeat(")", 600) + "=:n", "The expression contains too many operators; operator count: 301"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "Invalid " + languageNames[tt.language] + ": " + want
			}
			if got := message(t, parse(scope(t, "", sample), tt.language, tt.text)); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

// sums returns n actions with one operator each, in as few bytes as possible.
func sums(n int) string {
	letters := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	var s []string
	for i := range n {
		s = append(s, fmt.Sprintf("%c%d=:n+:n", letters[i%52], i/52))
	}
	return strings.Join(s, ",")
}
