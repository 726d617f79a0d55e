package randomdesign

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"sortkey.dev/design"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/engine"
)

// diff compares the design that was changed with the mutant and back, and runs both on each other's items. Where
// the checker takes both, a compatible change that shows what goes wrong is a defect, and in a soak also what
// goes wrong without a change.
func (x *trial) diff() error {
	if x.from == nil {
		return nil
	}
	from := func() *design.Design { return design.Parse(x.name, x.from) }
	is := func() *design.Design { return design.Parse(x.name, x.text) }
	sound := isSound(from()) && isSound(is())
	for _, pair := range [][2]*design.Design{{from(), is()}, {is(), from()}} {
		if err := compared(pair[0], pair[1], sound); err != nil {
			return err
		}
	}
	return nil
}

// isSound reports whether the checker finds no error in a design.
func isSound(d *design.Design) bool {
	findings, err := design.Check([]*design.Design{d}, design.CheckOptions{})
	if err != nil {
		return false
	}
	for _, f := range findings.Findings.Findings {
		if f.Severity == diag.Error {
			return false
		}
	}
	return true
}

func compared(before, after *design.Design, sound bool) error {
	db, err := engine.Open("", nil)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience/2)
	defer cancel()
	changes, err := design.Diff(ctx, design.Version{Name: "old", Design: before}, design.Version{Name: "new", Design: after}, design.DiffOptions{Memory: db.API()})
	if err != nil {
		return nil
	}
	for _, write := range []func(io.Writer) error{changes.JSON, changes.Markdown, func(w io.Writer) error { return changes.SARIF(w, "v0") }} {
		if err := write(io.Discard); err != nil {
			return err
		}
	}
	_ = written(changes)
	if !sound {
		return nil
	}
	if changes.NotRun != "" {
		return fmt.Errorf("not run: %s", changes.NotRun)
	}
	if len(changes.Seen) > 0 && os.Getenv("MUTANT_DIR") != "" {
		return fmt.Errorf("no change explains: %s", strings.Join(changes.Seen, "\n"))
	}
	for _, c := range changes.Changes.Changes {
		if c.Class == diag.Compatible && !c.Dangerous && c.Evidence != "" && c.Code != "E031" {
			return fmt.Errorf("%s is compatible (%s), and running shows %s", c.Code, c.Message, c.Evidence)
		}
	}
	return nil
}
