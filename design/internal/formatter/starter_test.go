package formatter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStarterIsCanonical(t *testing.T) {
	text := string(Starter("Shop"))
	if diff := cmp.Diff(text, format(t, text)); diff != "" {
		t.Errorf("formatting the starter changes it (-before +after):\n%s", diff)
	}
	if !strings.HasPrefix(text, "# yaml-language-server: $schema=design.schema.json\n") {
		t.Error("the first line does not tell editors about the schema")
	}
	for i, line := range strings.Split(text, "\n") {
		if n := len([]rune(line)); n > 100 {
			t.Errorf("line %d has %d characters", i+1, n)
		}
	}
}

func TestStarterTakesItsName(t *testing.T) {
	for name, want := range map[string]string{
		"orders": "orders", "my-shop_2": "my-shop_2", "": "Shop", "2nd": "Shop", "a: b": "Shop", "x\ny": "Shop", "true": "Shop", "No": "Shop",
		strings.Repeat("x", 100): strings.Repeat("x", 100), strings.Repeat("x", 101): "Shop",
	} {
		if text := string(Starter(name)); !strings.Contains(text, "\ndesign: "+want+"\n") {
			t.Errorf("the design started as %q has another name than %s", name, want)
		}
	}
	Starter("")[0] = 'x'
	if Starter("")[0] != '#' {
		t.Error("the starter can be changed from outside")
	}
}
