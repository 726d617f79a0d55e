package examples

import (
	"os"
	"testing"

	"sortkey.dev/design"
)

// A team keeps its design clean with a test beside it.
func TestDesign(t *testing.T) {
	d, err := design.Open("../../apps/askahuman/askahuman.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	findings, err := design.Check([]*design.Design{d}, design.CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if failed, _ := findings.Failed("warning"); failed {
		findings.Text(os.Stderr, design.Style{})
		t.Error("the design has findings")
	}
}
