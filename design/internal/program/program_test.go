package program_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// TestCallsOfTheSystems shows what the caller of every pattern gives, and what each
// value of a write comes from.
func TestCallsOfTheSystems(t *testing.T) {
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		t.Run(name, func(t *testing.T) {
			p := load(t, filepath.Join("../../../apps", name, name+".design.yaml"))
			compare(t, filepath.Join("testdata", name+".calls.txt"), describe(p))
		})
	}
}

// TestValuesOfAnItemAreItsOwn shows that what an index key needs of an item is asked for,
// even if another item of the call has an attribute of that name.
func TestValuesOfAnItemAreItsOwn(t *testing.T) {
	p := load(t, filepath.Join("../randomdesign/testdata/passes", "owner_of_another.yaml"))
	compare(t, filepath.Join("testdata", "owner_of_another.calls.txt"), describe(p))
}

func load(t *testing.T, path string) *program.Program {
	t.Helper()
	sources, err := loader.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var report diag.Report
	d := loader.Load(sources, &report)
	if d == nil || report.Failed() {
		t.Fatalf("%s: %v", path, report.Findings())
	}
	return program.New(resolve.New(d))
}

func describe(p *program.Program) string {
	var b strings.Builder
	for _, c := range p.Calls {
		fmt.Fprintf(&b, "%s(%s)\n", c.Pattern.Name, inputs(c.Inputs))
		if c.Read != nil {
			for _, f := range c.Read.Fans {
				fmt.Fprintf(&b, "  for each %s %d %v\n", f.Attribute.Name, f.Shards, f.Values)
			}
			if len(c.Read.Fans) > 0 { // however few values the design expects
				fmt.Fprintf(&b, "  merged by %v behind %q\n", c.Read.Sort, c.Read.Lead)
			}
			continue
		}
		for _, w := range c.Writes {
			fmt.Fprintf(&b, "  %s%s\n", w.Name, uses(c, w))
		}
	}
	return b.String()
}

func inputs(list []*program.Input) string {
	texts := make([]string, len(list))
	for i, input := range list {
		switch input.Kind {
		case program.Value:
			texts[i] = input.Name + " " + input.Type.String()
		case program.List:
			texts[i] = input.Name + " []" + input.Type.String()
		case program.Key:
			texts[i] = "key{" + inputs(input.Members) + "}"
		case program.Group:
			texts[i] = "each " + input.Name + "{" + inputs(input.Members) + "}"
		case program.Whole:
			texts[i] = input.Name
		}
		if input.Composes {
			texts[i] = "!" + texts[i]
		}
		if input.Kind == program.Whole && input.Repeated {
			texts[i] = "each " + texts[i]
		}
	}
	return strings.Join(texts, ", ")
}

// uses returns the values of a write that come from elsewhere than an input of the same
// name.
func uses(c *program.Call, w *program.WriteStep) string {
	var b strings.Builder
	if w.Repeats != nil {
		b.WriteString(", for each " + w.Repeats.Name)
	}
	for _, v := range w.Statement.Values {
		if v.Operand == nil || v.Operand.Param == "" {
			continue
		}
		for _, term := range v.Sum {
			if term.Param == "" {
				fmt.Fprintf(&b, ", %s from %s each %v", v.Placeholder, term.By, term.Repeated)
				continue
			}
			fmt.Fprintf(&b, ", %s from %s", v.Placeholder, from(c.Term(w, term, v.Attribute)))
		}
		if len(v.Sum) == 0 {
			if text := from(c.Ref(w, v.Operand.Param, v.Attribute)); text != v.Operand.Param {
				fmt.Fprintf(&b, ", %s from %s", v.Placeholder, text)
			}
		}
	}
	return b.String()
}

func from(r program.Ref) string {
	switch {
	case r.IsZero():
		return "NOWHERE"
	case r.Attribute != nil:
		return r.Input.Name + "." + r.Attribute.Name
	case r.Member != nil:
		return r.Input.Name + "." + r.Member.Name
	}
	return r.Input.Name
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
