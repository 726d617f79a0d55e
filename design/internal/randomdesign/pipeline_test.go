package randomdesign

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access/shape"
	"sortkey.dev/design"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/engine"
)

// A failure is a failed stage of a design that the checker accepts.
type failure struct {
	stage  string
	detail string
}

// classes returns the kinds of a failure: the stage and each line without its values. Of a
// panic only the first line counts; the others are its stack.
func (f *failure) classes() []string {
	if strings.HasPrefix(f.detail, "panic") {
		return []string{f.stage + ": " + class(strings.SplitN(f.detail, "\n", 2)[0])}
	}
	var all []string
	for line := range strings.Lines(f.detail) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " @@ ")
		if c := f.stage + ": " + class(line); !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// class returns a message without its values.
func class(line string) string {
	return values.ReplaceAllString(line, "_")
}

// patience is the timeout of one stage.
const patience = 2 * time.Minute

// admitted returns the design without the patterns that the checker rejects, or nil if the
// rest is still rejected or has no patterns.
func admitted(root *node) *node {
	for range 4 {
		refused, whole := refusals(root)
		if len(refused) == 0 && whole {
			return root
		}
		patterns := root.get("patterns")
		next := root
		for _, p := range slices.Clone(patterns.kids) {
			if refused["pattern "+p.key] {
				next = next.without(next.get("patterns").get(p.key))
			}
		}
		if next == root || len(next.get("patterns").kids) == 0 {
			return nil
		}
		root = next
	}
	return nil
}

// asBad lists warnings about designs whose results do differ: optional attributes in index
// keys, and items stored under two keys.
var asBad = []diag.Code{"I403", "K109"}

// refusals returns the subjects of errors, and whether there are no errors at all.
func refusals(root *node) (subjects map[string]bool, whole bool) {
	d := design.Parse("random.design.yaml", root.text())
	findings, err := design.Check([]*design.Design{d}, design.CheckOptions{})
	if err != nil {
		return nil, false
	}
	subjects = map[string]bool{}
	whole = true
	for _, f := range findings.Findings.Findings {
		if f.Severity == diag.Error || slices.Contains(asBad, f.Code) {
			whole = false
			subjects[f.Subject] = true
		}
	}
	return subjects, whole
}

// A stage is one stage of the pipeline that a design without errors must pass.
type stage struct {
	name string
	run  func(d *design.Design, text []byte) error
}

var stages = []stage{
	{"fmt", formats},
	{"explain", explains},
	{"cost", prices},
	{"report", reports},
	{"infra", infrastructures},
	{"iam", policies},
	{"generate", generates},
	{"compile", compiles},
	{"verify", verifies},
}

// safely runs the stage and returns panics and timeouts as errors.
func (s stage) safely(d *design.Design, text []byte) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		done <- s.run(d, text)
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return fmt.Errorf("does not end")
	}
}

func formats(_ *design.Design, text []byte) error {
	once, err := design.Format("random.design.yaml", text)
	if err != nil {
		return err
	}
	twice, err := design.Format("random.design.yaml", once)
	if err != nil {
		return fmt.Errorf("the second time: %w", err)
	}
	if !bytes.Equal(once, twice) {
		return fmt.Errorf("formatting again changes the text")
	}
	_, whole := refusalsOf(once)
	if !whole {
		return fmt.Errorf("the formatted design has errors")
	}
	return nil
}

func refusalsOf(text []byte) (*design.Findings, bool) {
	findings, err := design.Check([]*design.Design{design.Parse("random.design.yaml", text)}, design.CheckOptions{})
	if err != nil {
		return nil, false
	}
	failed, _ := findings.Failed("error")
	return findings, !failed
}

// writer is a result that can be written as text and as JSON.
type writer interface {
	Text(io.Writer, design.Style) error
	JSON(io.Writer) error
}

func written(w writer) error {
	if err := w.Text(io.Discard, design.Style{}); err != nil {
		return err
	}
	return w.JSON(io.Discard)
}

func explains(d *design.Design, text []byte) error {
	for _, name := range patternsOf(text) {
		x, err := d.Explain(name, design.Workload{})
		if err != nil {
			return err
		}
		if err := written(x); err != nil {
			return err
		}
	}
	return nil
}

// patternsOf returns the names of the patterns of a generated text.
func patternsOf(text []byte) []string {
	var names []string
	_, patterns, _ := strings.Cut(string(text), "\npatterns:\n")
	for line := range strings.Lines(patterns) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "  "), ":"); ok && !strings.HasPrefix(name, " ") {
			names = append(names, name)
		}
	}
	return names
}

func prices(d *design.Design, _ []byte) error {
	for _, w := range []design.Workload{{}, {Scale: "1000"}, {Region: "eu-north-1"}} {
		cost, err := d.Cost(w)
		if err != nil {
			return err
		}
		if err := written(cost); err != nil {
			return err
		}
	}
	return nil
}

func reports(d *design.Design, _ []byte) error {
	for _, form := range []string{"html", "md"} {
		if err := d.Report(io.Discard, design.ReportOptions{Format: form}); err != nil {
			return err
		}
	}
	return nil
}

func infrastructures(d *design.Design, _ []byte) error {
	for _, form := range design.InfrastructureFormats() {
		if _, err := d.Infrastructure(design.InfrastructureOptions{Format: form}); err != nil {
			return fmt.Errorf("%s: %w", form, err)
		}
	}
	return nil
}

func policies(d *design.Design, _ []byte) error {
	p, err := d.Policies(design.PolicyOptions{})
	if err != nil {
		return err
	}
	for _, write := range []func(io.Writer) error{p.Documents, p.CloudFormation, p.Terraform, p.JSON, p.Notes} {
		if err := write(io.Discard); err != nil {
			return err
		}
	}
	return nil
}

// impossible begins the message about writes for which verify finds no arguments: generated
// conditions may contradict each other, and an enum has few values for an id.
const impossible = "no arguments were found with which it can be done"

// verifies runs verify with the design on a new engine.
func verifies(d *design.Design, _ []byte) error {
	db, err := engine.Open("", nil)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	report, err := d.Verify(ctx, db.API(), "", true, design.VerifyOptions{Seed: 1, Roots: 8, Children: 5, Runs: 12})
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, p := range report.Report.Patterns {
		for _, x := range p.Differences {
			// The estimate of a typical call rests on what a designer knows: how many items there
			// are, and in which state they usually are. Random designs know neither.
			if strings.HasPrefix(x.Detail, impossible) || x.Kind == "estimate" {
				continue
			}
			fmt.Fprintf(&b, "%s: %s: %s @@ %s: %s\n", p.Verb, x.Kind, oneLine(x.Detail), p.Name, oneLine(x.Arguments))
		}
	}
	for _, x := range report.Report.Leftover {
		fmt.Fprintf(&b, "afterwards: %s: %s\n", x.Kind, oneLine(x.Detail))
	}
	misfits, err := unlikeShape(ctx, d, db.API())
	if err != nil {
		return err
	}
	if b.WriteString(misfits); b.Len() > 0 {
		return fmt.Errorf("%s", b.String())
	}
	return nil
}

// unlikeShape returns a line for each stored item that is not as the description of its table
// says.
func unlikeShape(ctx context.Context, d *design.Design, api *engine.API) (string, error) {
	tables, err := d.Tables("")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, t := range tables {
		for _, e := range t.Shape.Entities {
			for i := range e.Attributes {
				e.Attributes[i].Sealed = false // verification encrypts nothing
			}
		}
		reader := shape.NewReader(t.Shape)
		out, err := api.Scan(ctx, &dynamodb.ScanInput{TableName: &t.Name})
		if err != nil {
			return "", err
		}
		for _, item := range out.Items {
			if wrong := reader.Check(item); wrong != nil {
				fmt.Fprintf(&b, "shape: %v @@ %s\n", wrong, t.Name)
			}
		}
	}
	return b.String(), nil
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }
