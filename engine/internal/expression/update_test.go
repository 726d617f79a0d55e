package expression

import "testing"

const before = `{"pk":{"S":"k"}, "n":{"N":"5"}, "s":{"S":"x"}, "ss":{"SS":["a","b"]}, "ns":{"NS":["1","2"]}, "bs":{"BS":["AQ==","Ag=="]},
	"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]}, "m":{"M":{"a":{"N":"1"},"inr":{"M":{"x":{"S":"y"}}},"tags":{"SS":["p"]}}}}`

const operands = `{":1":{"N":"1"}, ":2":{"N":"2"}, ":s":{"S":"v"}, ":w":{"S":"w"}, ":l":{"L":[{"N":"8"},{"N":"9"}]}, ":e":{"L":[]}, ":map":{"M":{"q":{"N":"1"}}},
	":a":{"SS":["a"]}, ":ac":{"SS":["c","a"]}, ":ab":{"SS":["b","a"]}, ":ns":{"NS":["2.0","7"]}, ":bs":{"BS":["Aw==","AQ=="]}, ":p":{"SS":["p"]},
	":dot":{"N":"0.1"}, ":big":{"N":"99999999999999999999999999999999999998"}, ":max":{"N":"9E125"}, ":tiny":{"N":"1.5E-130"}, ":tin":{"N":"2E-130"}}`

// rest holds the attributes that most updates do not change.
const rest = `l: [1, 2, 3], m: {a: 1, inr: {x: "y"}, tags: <"p">}`

func TestUpdate(t *testing.T) {
	tests := []struct{ text, want string }{
		// Values.
		{"SET n = :s", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: "v", ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET n = s, s = n", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: "x", ns: <1, 2>, pk: "k", s: 5, ss: <"a", "b">}`},
		{"SET a = pk, z = m.inr", `{a: "k", bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">, z: {x: "y"}}`},
		{"SET n = n + :1", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 6, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET n = :1 - n", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: -4, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET n = n + l[2]", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 8, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET n = :dot + :2", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 2.1, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET n = :big + :1", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 99999999999999999999999999999999999999, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET n = if_not_exists(n, :1), o = if_not_exists(o, :2)", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1, 2>, o: 2, pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET o = if_not_exists(o, :1) + if_not_exists(m.a, :2)", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1, 2>, o: 2, pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET o = if_not_exists(p, if_not_exists(q, s))", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1, 2>, o: "x", pk: "k", s: "x", ss: <"a", "b">}`},
		{"SET o = list_append(if_not_exists(o, :e), :l)", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1, 2>, o: [8, 9], pk: "k", s: "x", ss: <"a", "b">}`},

		// Lists.
		{"SET l = list_append(l, :l)", changed("l: [1, 2, 3, 8, 9]")},
		{"SET l = list_append(:l, l)", changed("l: [8, 9, 1, 2, 3]")},
		{"SET l = list_append(l, l)", changed("l: [1, 2, 3, 1, 2, 3]")},
		{"SET l[1] = :s", changed(`l: [1, "v", 3]`)},
		{"SET l[3] = :s", changed(`l: [1, 2, 3, "v"]`)},
		{"SET l[10] = :s", changed(`l: [1, 2, 3, "v"]`)},
		{"SET l[11] = :w, l[10] = :s, l[0] = l[2]", changed(`l: [3, 2, 3, "v", "w"]`)},
		{"REMOVE l[0], l[2]", changed("l: [2]")},
		{"REMOVE l[0], l[1], l[2]", changed("l: []")},
		{"REMOVE l[5]", changed("l: [1, 2, 3]")},
		{"SET l[0] = :s REMOVE l[1]", changed(`l: ["v", 3]`)},
		{"SET l[7] = :s REMOVE l[2]", changed(`l: [1, 2, "v"]`)},
		{"ADD l[1] :2, l[9] :1, l[8] :ac DELETE l[7] :a", changed(`l: [1, 4, 3, <"a", "c">, 1]`)},

		// Maps.
		{"SET m.a = :s, m.z = :map", changedMap(`{a: "v", inr: {x: "y"}, tags: <"p">, z: {q: 1}}`)},
		{"SET m.inr.x = m.a, m.a = m.inr.x, m.inr.w = :1", changedMap(`{a: "y", inr: {w: 1, x: 1}, tags: <"p">}`)},
		{"REMOVE m.a, m.inr.x, m.non", changedMap(`{inr: {}, tags: <"p">}`)},
		{"ADD m.a :2, m.nu :1", changedMap(`{a: 3, inr: {x: "y"}, nu: 1, tags: <"p">}`)},
		{"DELETE m.tags :p, m.non :a", changedMap(`{a: 1, inr: {x: "y"}}`)},

		// Numbers and sets.
		{"ADD n :2", changedNumber("7")},
		{"ADD n :dot", changedNumber("5.1")},
		{"ADD ss :ac", changedSet(`, ss: <"a", "b", "c">`)},
		{"ADD ss :a", changedSet(`, ss: <"a", "b">`)},
		{"DELETE ss :ac", changedSet(`, ss: <"b">`)},
		{"DELETE ss :ab", changedSet("")},
		{"DELETE ss :p", changedSet(`, ss: <"a", "b">`)},
		{"ADD ns :ns", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1, 2, 7>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"DELETE ns :ns", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"ADD bs :bs", `{bs: <b:AQ==, b:Ag==, b:Aw==>, ` + rest + `, n: 5, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`},
		{"DELETE non :a", changedSet(`, ss: <"a", "b">`)},
		{"ADD o :1, p :ac", `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1, 2>, o: 1, p: <"a", "c">, pk: "k", s: "x", ss: <"a", "b">}`},

		// Sections in any order.
		{"REMOVE s, non DELETE ss :a ADD n :1, o :2 SET a = n", `{a: 5, bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 6, ns: <1, 2>, o: 2, pk: "k", ss: <"b">}`},
	}
	for _, tt := range tests {
		u, err := scope(t, "", operands).ParseUpdate(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		old := item(t, before)
		got, err := u.Apply(old)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if show(got) != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.text, show(got), tt.want)
		}
		if show(old) != show(item(t, before)) {
			t.Errorf("%s changed the old item to %s", tt.text, show(old))
		}
	}
}

func changed(list string) string {
	return `{bs: <b:AQ==, b:Ag==>, ` + list + `, m: {a: 1, inr: {x: "y"}, tags: <"p">}, n: 5, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`
}

func changedMap(m string) string {
	return `{bs: <b:AQ==, b:Ag==>, l: [1, 2, 3], m: ` + m + `, n: 5, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`
}

func changedNumber(n string) string {
	return `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: ` + n + `, ns: <1, 2>, pk: "k", s: "x", ss: <"a", "b">}`
}

func changedSet(ss string) string {
	return `{bs: <b:AQ==, b:Ag==>, ` + rest + `, n: 5, ns: <1, 2>, pk: "k", s: "x"` + ss + `}`
}

func TestUpdateCreatesItem(t *testing.T) {
	for text, want := range map[string]string{
		"SET a = pk, b = if_not_exists(b, :1)": `{a: "k", b: 1, pk: "k"}`,
		"ADD n :1, ss :ac":                     `{n: 1, pk: "k", ss: <"a", "c">}`,
		"REMOVE a":                             `{pk: "k"}`,
		"DELETE a :a":                          `{pk: "k"}`,
		"SET zz = :1, aa = :2":                 `{aa: 2, pk: "k", zz: 1}`,
	} {
		u, err := scope(t, "", operands).ParseUpdate(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := u.Apply(item(t, `{"pk":{"S":"k"}}`))
		if err != nil || show(got) != want {
			t.Errorf("%s gives %s, %v; want %s", text, show(got), err, want)
		}
	}
}

func TestUpdateErrors(t *testing.T) {
	const (
		missing   = "The provided expression refers to an attribute that does not exist in the item"
		wrong     = "An operand in the update expression has an incorrect data type"
		badPath   = "The document path provided in the update expression is invalid for update"
		precision = "Attempting to store more than 38 significant digits in a Number"
		overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
		underflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	)
	for _, tt := range []refusal{
		{"SET a = non", missing},
		{"SET a = non + :1", missing},
		{"SET a = list_append(non, :l)", missing},
		{"SET a = if_not_exists(non, nope)", missing},
		{"SET a = m.non", missing},
		{"SET a = l[3]", missing},
		{"SET a = s.x", missing},
		{"SET a = s + :1", wrong},
		{"SET a = :1 - ss", wrong},
		{"SET a = list_append(s, :l)", wrong},
		{"SET a = list_append(:l, ss)", wrong},
		{"SET a = if_not_exists(s, :1) + :1", wrong},
		{"SET a = non, b = s + :1", wrong}, // a wrong type is reported before a missing operand
		{"ADD s :1", wrong},
		{"ADD n :a", wrong},
		{"ADD ss :ns", wrong},
		{"ADD l :1", wrong},
		{"DELETE ns :a", wrong},
		{"DELETE n :a", wrong},
		{"DELETE m :a", wrong},
		{"ADD m.inr :1", wrong},
		{"SET non.b = :1", badPath},
		{"SET non[0] = :1", badPath},
		{"SET s.b = :1", badPath},
		{"SET s[0] = :1", badPath},
		{"SET m[0] = :1", badPath},
		{"SET l.x = :1", badPath},
		{"SET m.non.x = :1", badPath},
		{"SET l[0].x = :1", badPath},
		{"SET l[3].x = :1", badPath},
		{"REMOVE non.a", badPath},
		{"REMOVE s[0]", badPath},
		{"REMOVE m[1]", badPath},
		{"REMOVE l.x", badPath},
		{"DELETE non.a :a", badPath},
		{"DELETE l.x :a", badPath},
		{"ADD non.a :1", badPath},
		{"ADD m[1] :1", badPath},
		{"SET a = :big + :dot", precision},
		{"ADD n :big SET a = :max + :max", overflow},
		{"SET a = :tin - :tiny", underflow},
	} {
		u, err := scope(t, "", operands).ParseUpdate(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		got, err := u.Apply(item(t, before))
		if message(t, err) != tt.want || got != nil {
			t.Errorf("%s:\n got %s, %v\nwant %s", tt.text, show(got), err, tt.want)
		}
	}
}

func TestTouched(t *testing.T) {
	tests := []struct{ text, old, new string }{
		{"SET n = :1, o = :2", `{n: 5}`, `{n: 1, o: 2}`},
		{"REMOVE n, o", `{n: 5}`, `nil`},
		{"SET o = :1", `nil`, `{o: 1}`},
		{"DELETE ss :ab", `{ss: <"a", "b">}`, `nil`},
		{"SET m.a = :2, m.inr.w = :1", `{m: {a: 1}}`, `{m: {a: 2, inr: {w: 1}}}`},
		{"SET l[1] = :s, l[4] = :w", `{l: [2]}`, `{l: ["v"]}`},
		{"REMOVE l[0]", `{l: [1]}`, `{l: [2]}`},
		{"REMOVE m.inr.x", `{m: {inr: {x: "y"}}}`, `nil`},
		{"ADD n :1 SET l[0] = :s REMOVE s", `{l: [1], n: 5, s: "x"}`, `{l: ["v"], n: 6}`},
	}
	for _, tt := range tests {
		u, err := scope(t, "", operands).ParseUpdate(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		old := item(t, before)
		after, err := u.Apply(old)
		if err != nil {
			t.Fatal(err)
		}
		if got := show(u.Touched(old)); got != tt.old {
			t.Errorf("%s touched %s of the old item, want %s", tt.text, got, tt.old)
		}
		if got := show(u.Touched(after)); got != tt.new {
			t.Errorf("%s touched %s of the new item, want %s", tt.text, got, tt.new)
		}
	}
}

func TestOnlyRemoves(t *testing.T) {
	for text, want := range map[string]bool{
		"REMOVE a": true, "REMOVE m.a, l[0]": true, "DELETE ss :ab": true, "DELETE ss :ab REMOVE a": true,
		"SET a = :1": false, "ADD n :1": false, "REMOVE a SET b = :1": false, "DELETE ss :ab ADD n :1": false,
	} {
		u, err := scope(t, "", operands).ParseUpdate(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.OnlyRemoves(); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
	if (*Update)(nil).OnlyRemoves() {
		t.Error("no update removes nothing")
	}
}

// TestUpdateOfDocuments checks a long example known from the service: positions
// and operands refer to the old item, and the touched values are read from the
// new one at the positions of the text.
func TestUpdateOfDocuments(t *testing.T) {
	u, err := scope(t, "", `{":a":{"N":"2"}, ":b":{"SS":["a"]}}`).ParseUpdate(
		"set b.c=((c[1])+(b.a)),b.a = a,c[1] = a, c[4] = b.a - b.b, c[2] = b.c add c[8] :b, c[6] :a")
	if err != nil {
		t.Fatal(err)
	}
	got, err := u.Apply(item(t, `{"a":{"S":"k"}, "b":{"M":{"a":{"N":"1"},"b":{"N":"2"},"c":{"N":"3"}}}, "c":{"L":[{"N":"1"},{"N":"3"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{a: "k", b: {a: "k", b: 2, c: 4}, c: [1, "k", 3, -1, 2, <"a">]}`; show(got) != want {
		t.Errorf("got %s, want %s", show(got), want)
	}
	if want := `{b: {a: "k", c: 4}, c: ["k", 3, 2]}`; show(u.Touched(got)) != want {
		t.Errorf("touched %s, want %s", show(u.Touched(got)), want)
	}
}
