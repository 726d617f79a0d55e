package expression

import "testing"

const evaluated = `{
	"pk":{"S":"k"}, "n":{"N":"5"}, "neg":{"N":"-5"}, "big":{"N":"1E125"}, "s":{"S":"héllo"}, "e":{"S":"é𝄞"}, "em":{"S":""}, "w":{"S":"𝄞"},
	"b":{"B":"/wA="}, "t":{"BOOL":true}, "f":{"BOOL":false}, "z":{"NULL":true},
	"ss":{"SS":["a","b"]}, "ns":{"NS":["1","2.50"]}, "bs":{"BS":["AAE=","/w=="]},
	"l":{"L":[{"N":"1"},{"S":"x"},{"M":{"k":{"L":[{"N":"7"}]}}}]},
	"m":{"M":{"a":{"N":"1"},"inr":{"M":{"x":{"S":"y"}}}}}, "same":{"N":"5.0"}, "em_l":{"L":[]}
}`

const compared = `{":5":{"N":"5"}, ":five":{"N":"5.0"}, ":6":{"N":"6"}, ":neg":{"N":"-6"}, ":zero":{"N":"0"}, ":1":{"N":"1"}, ":2":{"N":"2"}, ":3":{"N":"3"},
	":s":{"S":"héllo"}, ":pre":{"S":"hé"}, ":x":{"S":"x"}, ":5s":{"S":"5"}, ":empty":{"S":""}, ":a":{"S":"a"}, ":c":{"S":"c"}, ":wide":{"S":"｡"},
	":b":{"B":"/wA="}, ":ff":{"B":"/w=="}, ":00":{"B":"AA=="}, ":emptyb":{"B":""},
	":t":{"BOOL":true}, ":f":{"BOOL":false}, ":z":{"NULL":true}, ":half":{"N":"2.5"},
	":ba":{"SS":["b","a"]}, ":abc":{"SS":["a","b","c"]}, ":ns":{"NS":["2.5","1.0"]},
	":l":{"L":[{"N":"1.0"},{"S":"x"},{"M":{"k":{"L":[{"N":"7"}]}}}]}, ":m":{"M":{"inr":{"M":{"x":{"S":"y"}}},"a":{"N":"1"}}},
	":k":{"M":{"k":{"L":[{"N":"7"}]}}},
	":S":{"S":"S"}, ":SS":{"S":"SS"}, ":N":{"S":"N"}, ":NS":{"S":"NS"}, ":B":{"S":"B"}, ":BS":{"S":"BS"}, ":M":{"S":"M"}, ":L":{"S":"L"}, ":NULL":{"S":"NULL"}, ":BOOL":{"S":"BOOL"}}`

func TestMatches(t *testing.T) {
	yes := []string{
		// Equality is of type and value; sets have no order; numbers have no notation.
		"n = :5", "n = :five", "n = same", "n <> :6", "n <> :5s", "s = :s", "em = :empty", "b = :b", "t = :t", "f = :f", "t <> f", "z = :z",
		"ss = :ba", "ss <> :abc", "ns = :ns", "l = :l", "m = :m", "l[2] = :k", "l[0] = m.a", "m.inr.x <> :x", ":5 = n", ":5 = :five",

		// Order is of numbers, or of bytes.
		"n < :6", "n <= :5", "n >= :five", "n > neg", "neg > :neg", "big > n", "s > :pre", "em < :a", "b > :ff", "w > :wide", "l[0] < :2", ":6 > n",
		"n BETWEEN :5 AND :6", "n BETWEEN neg AND big", ":5 BETWEEN neg AND n", "s BETWEEN :pre AND :s", "size(ss) BETWEEN :1 AND :2",
		"n IN (:6, :5)", "s IN (:s)", "ss IN (:c, :ba)", "n IN (neg, same)", ":5 IN (n)", "size(ss) IN (:1, :2)",

		// Functions.
		"attribute_exists(pk)", "attribute_exists(m.inr.x)", "attribute_exists(l[2].k[0])", "attribute_exists(z)", "attribute_exists(f)",
		"attribute_not_exists(non)", "attribute_not_exists(m.non)", "attribute_not_exists(l[3])", "attribute_not_exists(n.x)", "attribute_not_exists(m[0])", "attribute_not_exists(l.k)",
		"attribute_type(s, :S)", "attribute_type(n, :N)", "attribute_type(b, :B)", "attribute_type(ss, :SS)", "attribute_type(ns, :NS)", "attribute_type(bs, :BS)",
		"attribute_type(l, :L)", "attribute_type(m, :M)", "attribute_type(z, :NULL)", "attribute_type(t, :BOOL)", "attribute_type(f, :BOOL)", "attribute_type(:5, :N)",
		"begins_with(s, :pre)", "begins_with(s, :empty)", "begins_with(b, :ff)", "begins_with(:s, s)",
		"contains(s, :pre)", "contains(s, :empty)", "contains(b, :00)", "contains(ss, :a)", "contains(ns, :half)", "contains(bs, :ff)", "contains(l, :x)", "contains(l, :k)", "contains(l, :1)",
		"contains(:s, s)", "contains(:abc, m.non) OR contains(:abc, :c)", "contains(ns, size(em_l)) OR contains(ns, size(pk))",
		"size(s) = :5", "size(e) = :3", "size(em) = :zero", "size(b) = :2", "size(ss) = :2", "size(l) = :3", "size(m) = :2", "size(em_l) = :zero", "size(:abc) = :3", "size(s) = n", "size(s) > size(l)", "size(l) <> :2",

		// Missing values differ from everything.
		"non <> :5", ":5 <> non", "non <> nope", "m.non <> :5", "size(non) <> :5", "size(n) <> :1", "NOT non = :5", "NOT non < :5", "NOT non BETWEEN :5 AND :6", "NOT non IN (:5)", "NOT contains(non, :a)",

		// Precedence: NOT before AND before OR.
		"n = :5 OR n = :5 AND n = :6", "NOT n = :6 AND n = :5", "NOT (n = :5 AND n = :6)", "(n = :6 OR n = :5) AND s = :s", "NOT n = :5 OR n = :5", "NOT NOT n = :5",
		"n = :6 AND n = :6 OR n = :5", "n = :5 OR non = :5 OR non = :6",
	}
	no := []string{
		"n = :6", "n = :5s", "n <> :5", "s = :pre", "t = f", "ss = :abc", "l = :k", "m = :k", "z = :f", "em = :emptyb",
		"n < :5", "n > :5s", "n <= :5s", "s < :5", "neg > n", "t < s", "ss < ns", "l <= l[0]", "z >= non", "w < :wide",
		"n BETWEEN :6 AND big", "n BETWEEN :5s AND :s", "n BETWEEN non AND big", "non BETWEEN :5 AND :6", "n IN (:6, :5s, non)", "non IN (:5)", "non IN (nope)",
		"non = :5", "non = nope", "non < :5", "non >= :5", "size(non) = :5", "size(non) = size(nope)", "size(n) = :1", "size(z) = :1", "size(t) >= :zero", "size(s) = :6",
		"attribute_exists(non)", "attribute_exists(m.inr.x.y)", "attribute_exists(l[3])", "attribute_not_exists(s)", "attribute_type(n, :S)", "attribute_type(non, :S)",
		"begins_with(s, :x)", "begins_with(n, :5s)", "begins_with(non, :a)", "begins_with(b, :pre)", "begins_with(ss, :a)",
		"contains(s, :x)", "contains(s, :5)", "contains(ss, :c)", "contains(ns, :5)", "contains(ns, :5s)", "contains(l, :5)", "contains(m, :a)", "contains(n, :5)", "contains(ss, :ba)", "contains(non, :a)", "contains(s, non)",
		"NOT n = :5", "NOT non <> :5", "NOT (n = :5 OR n = :6)", "n = :5 AND non = :5",
	}
	test := func(text, stored string, want bool) {
		t.Helper()
		c, err := scope(t, "", compared).ParseCondition(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return
		}
		got, err := c.Matches(item(t, stored))
		if got != want || err != nil {
			t.Errorf("%s is %t, %v", text, got, err)
		}
	}
	for _, text := range yes {
		test(text, evaluated, true)
	}
	for _, text := range no {
		test(text, evaluated, false)
	}
}

func TestMatchesWithoutItem(t *testing.T) {
	for text, want := range map[string]bool{
		"attribute_not_exists(pk)":             true,
		"attribute_exists(pk)":                 false,
		"pk = :s":                              false,
		"pk <> :s":                             true,
		"NOT attribute_exists(m.a)":            true,
		"l[0] <> :s OR n < :5":                 true,
		"size(pk) = :zero":                     false,
		"contains(:s, :pre)":                   true,
		"attribute_not_exists(pk) AND n >= :1": false,
	} {
		c, err := scope(t, "", compared).ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Matches(nil); got != want || err != nil {
			t.Errorf("%s is %t, %v", text, got, err)
		}
	}
}

func TestMatchesUsesTheNameOfAPlaceholder(t *testing.T) {
	stored := item(t, `{"a.b":{"N":"1"}, "a":{"M":{"b":{"N":"2"},"c.d[0]":{"N":"3"}}}, "#x":{"N":"4"}}`)
	for text, want := range map[string]bool{"#dot = :1": true, "a.b = :2": true, "a.#odd = :3": true, "#hash <> :1": true} {
		c, err := scope(t, "#dot=a.b, #odd=c.d[0], #hash=#x", compared).ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := c.Matches(stored); got != want {
			t.Errorf("%s is %t", text, got)
		}
	}
}

func TestMatchesAllocatesNothing(t *testing.T) {
	stored := item(t, evaluated)
	c, err := scope(t, "", compared).ParseFilter(
		"attribute_exists(pk) AND size(s) = n AND l[2].k[0] > :6 AND contains(ss, :a) AND begins_with(s, :pre) AND n BETWEEN :5 AND :6 AND s IN (:x, :s) AND attribute_type(m, :M)")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := c.Matches(stored); !got {
		t.Fatal("the condition does not hold")
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = c.Matches(stored) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
