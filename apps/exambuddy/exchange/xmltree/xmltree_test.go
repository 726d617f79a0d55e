package xmltree_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/xmltree"
)

func parse(t *testing.T, source string) *xmltree.Node {
	t.Helper()
	root, err := xmltree.Parse(t.Context(), []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestOutermostLeavesOutNestedElements(t *testing.T) {
	root := parse(t, `<a><b i="1"><c><b i="2"/></c></b><c><b i="3"/></c><b i="4"/></a>`)
	var got []string
	for _, n := range root.Outermost("b") {
		got = append(got, n.Attrs["i"])
	}
	if strings.Join(got, " ") != "1 3 4" {
		t.Errorf("got %v", got)
	}
}

func TestExcerptIsBounded(t *testing.T) {
	for size, want := range map[int]int{10: 20, 1000: 2000, 1001: 2000, 5000: 2000} {
		text := strings.Repeat("x", size)
		if got := parse(t, "<a><b>"+text+"</b>"+text+"</a>").Excerpt(); len(got) != want {
			t.Errorf("the excerpt of two texts of %d bytes has %d bytes, want %d", size, len(got), want)
		}
	}
	if got := parse(t, "<a>x"+strings.Repeat("å", 2000)+"</a>").Excerpt(); got != "x"+strings.Repeat("å", 999) {
		t.Errorf("an excerpt ends within a letter: %q", got[len(got)-4:])
	}
}

func TestParseEndsWithTheContext(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := xmltree.Parse(ended, []byte("<a/>")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
