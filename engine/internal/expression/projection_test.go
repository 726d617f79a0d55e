package expression

import "testing"

func TestProjection(t *testing.T) {
	const stored = `{"pk":{"S":"k"}, "a":{"S":"x"}, "b":{"M":{"a":{"S":"a"},"b":{"S":"b"},"c":{"M":{"d":{"N":"1"},"e":{"N":"2"}}}}},
		"c":{"L":[{"S":"a"},{"S":"b"},{"M":{"x":{"N":"1"},"y":{"N":"2"}}},{"L":[{"N":"3"},{"N":"4"}]}]}, "n":{"NULL":true}}`
	tests := []struct{ text, want string }{
		{"pk", `{pk: "k"}`},
		{"n, pk, a", `{a: "x", n: null, pk: "k"}`},
		{"non", `{}`},
		{"non, pk", `{pk: "k"}`},
		{"b", `{b: {a: "a", b: "b", c: {d: 1, e: 2}}}`},
		{"b.c.d", `{b: {c: {d: 1}}}`},
		{"b.c.e, b.a", `{b: {a: "a", c: {e: 2}}}`},
		{"b.non", `{}`},
		{"b.non.x, b.b", `{b: {b: "b"}}`},
		{"a.x", `{}`},
		{"b[0]", `{}`},
		{"c.x", `{}`},
		{"c[1]", `{c: ["b"]}`},
		{"c[2], c[0]", `{c: ["a", {x: 1, y: 2}]}`},
		{"c[9]", `{}`},
		{"c[9], c[3]", `{c: [[3, 4]]}`},
		{"c[3][1], c[2].y, c[0].x", `{c: [{y: 2}, [4]]}`},
		{"c[3][1], c[3][0]", `{c: [[3, 4]]}`},
		{"b.c, c[2].x, a, pk", `{a: "x", b: {c: {d: 1, e: 2}}, c: [{x: 1}], pk: "k"}`},
		{"#b.#a", `{b: {a: "a"}}`},
	}
	for _, tt := range tests {
		p, err := scope(t, "#a=a, #b=b", "").ParseProjection(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		got := p.Apply(item(t, stored))
		if show(got) != tt.want || got == nil {
			t.Errorf("%s gives %s, want %s", tt.text, show(got), tt.want)
		}
		if nothing := p.Apply(nil); nothing != nil {
			t.Errorf("%s of no item gives %s", tt.text, show(nothing))
		}
	}
}
