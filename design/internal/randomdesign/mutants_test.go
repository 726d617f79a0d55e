package randomdesign

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"sortkey.dev/design"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/engine"
	"sortkey.dev/internal/effort"
)

// A trial is one design that all commands run on, broken or not.
type trial struct {
	*design.Design
	name string
	text []byte
	root *node  // nil: the text is not YAML
	from []byte // the design that was changed; nil: unknown
	seed uint64
}

func newTrial(name string, text []byte, seed uint64) *trial {
	return &trial{name: name, text: text, root: parsed(text), seed: seed}
}

// A command is a command on a design. Its error is a defect: a design that is refused is none.
// A slow one runs on a part of the designs.
type command struct {
	name string
	run  func(*trial) error
	slow bool
}

var commands = []command{
	{"load", func(x *trial) error { x.Design = design.Parse(x.name, x.text); return nil }, false},
	{"check", (*trial).check, false},
	{"generate", (*trial).generate, false},
	{"fmt", func(x *trial) error { _, _ = design.Format(x.name, x.text); return nil }, true},
	{"explain", (*trial).explain, true},
	{"cost", (*trial).cost, true},
	{"report", (*trial).report, true},
	{"infra", (*trial).infrastructure, true},
	{"iam", (*trial).policies, true},
	{"verify", (*trial).verify, true},
	{"diff", (*trial).diff, true},
}

// defect runs all commands and returns the first defect: a panic, a command that does not end,
// generated code that is not Go.
func (x *trial) defect() *failure {
	for _, c := range commands {
		if c.slow && x.seed%4 != 0 {
			continue
		}
		done := make(chan error, 1)
		go func() {
			defer func() {
				if p := recover(); p != nil {
					done <- fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				}
			}()
			done <- c.run(x)
		}()
		select {
		case err := <-done:
			if err != nil {
				return &failure{c.name, err.Error()}
			}
		case <-time.After(patience):
			return &failure{c.name, "does not end"}
		}
	}
	return nil
}

// names returns the keys of a block of the design.
func (x *trial) names(block string) []string {
	if x.root == nil || x.root.get(block) == nil {
		return nil
	}
	var all []string
	for _, kid := range x.root.get(block).kids {
		all = append(all, kid.key)
	}
	return all
}

func (x *trial) check() error {
	options := []design.CheckOptions{{ShowAccepted: true}}
	if x.seed%4 == 0 {
		options = append(options, x.checks()...)
	}
	for _, o := range options {
		findings, err := design.Check([]*design.Design{x.Design}, o)
		if err != nil {
			continue
		}
		_ = written(findings)
		_ = findings.SARIF(io.Discard, "v0")
	}
	return nil
}

// checks returns the options of a check of each profile and alternative.
func (x *trial) checks() []design.CheckOptions {
	var all []design.CheckOptions
	for _, name := range x.names("profiles") {
		all = append(all, design.CheckOptions{Profile: name})
	}
	for _, name := range x.names("alternatives") {
		all = append(all, design.CheckOptions{Alternative: name})
	}
	return all
}

// workloads returns the workloads of the profiles and alternatives of the design.
func (x *trial) workloads() []design.Workload {
	all := []design.Workload{{}, {Scale: "1000", Region: "eu-north-1"}}
	for _, o := range x.checks() {
		all = append(all, design.Workload{Profile: o.Profile, Alternative: o.Alternative})
	}
	return all
}

func (x *trial) explain() error {
	for _, name := range x.names("patterns") {
		if e, err := x.Explain(name, design.Workload{}); err == nil {
			_ = written(e)
		}
	}
	return nil
}

func (x *trial) cost() error {
	for _, w := range x.workloads() {
		if c, err := x.Cost(w); err == nil {
			_ = written(c)
		}
		if c, err := x.Compare(w); err == nil {
			_ = written(c)
		}
	}
	return nil
}

func (x *trial) report() error {
	for _, form := range []string{"html", "md"} {
		_ = x.Report(io.Discard, design.ReportOptions{Format: form})
	}
	return nil
}

func (x *trial) infrastructure() error {
	for _, form := range design.InfrastructureFormats() {
		for _, w := range x.workloads()[1:] {
			_, _ = x.Infrastructure(design.InfrastructureOptions{Format: form, Workload: w})
		}
	}
	return nil
}

func (x *trial) policies() error {
	p, err := x.Policies(design.PolicyOptions{Scans: true})
	if err != nil {
		return nil
	}
	for _, write := range []func(io.Writer) error{p.Documents, p.CloudFormation, p.Terraform, p.JSON, p.Notes} {
		_ = write(io.Discard)
	}
	return nil
}

// generate generates the package of a design and parses it. Of some designs it checks the types.
func (x *trial) generate() error {
	files, err := generated(x.Design, "roaddb")
	if err != nil {
		return nil
	}
	for _, f := range files {
		if _, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Text, parser.SkipObjectResolution); err != nil {
			return fmt.Errorf("syntax: %w", err)
		}
	}
	if x.seed%20 == 0 {
		return compiles(x.Design, nil)
	}
	return nil
}

// verify runs a few calls of some designs that the checker accepts. What it finds is no defect: a
// mutant may claim what is wrong.
func (x *trial) verify() error {
	findings, err := design.Check([]*design.Design{x.Design}, design.CheckOptions{})
	if err != nil || x.seed%40 != 0 {
		return nil
	}
	for _, f := range findings.Findings.Findings {
		if f.Severity == diag.Error {
			return nil
		}
	}
	db, err := engine.Open("", nil)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience/2)
	defer cancel()
	_, _ = x.Verify(ctx, db.API(), "", false, design.VerifyOptions{Seed: 1, Roots: 3, Children: 2, Runs: 3})
	return nil
}

// served returns a mutant without the patterns that the checker rejects, so that the rest is
// generated, or the mutant itself.
func (x *trial) served() *trial {
	if x.root == nil || !x.root.has("patterns") {
		return x
	}
	defer func() { _ = recover() }() // the mutant itself finds it
	if root := admitted(x.root); root != nil && root != x.root {
		return newTrial(x.name, root.text(), x.seed)
	}
	return x
}

// defectOf returns the defect of the mutant of a seed, and its text.
func defectOf(t testing.TB, seed uint64) (*failure, []byte, *mutant) {
	t.Helper()
	all, err := specimens()
	if err != nil || len(all) < 300 {
		t.Fatalf("%d designs: %v", len(all), err)
	}
	m, text := mutantOf(seed, all)
	x := newTrial(filepath.Join(m.from.folder, m.from.name), text, seed)
	x.from = m.from.root.text()
	if f := x.defect(); f != nil {
		return f, text, m
	}
	if seed%4 == 0 {
		if kept := x.served(); kept != x {
			return kept.defect(), kept.text, m
		}
	}
	return nil, text, m
}

// TestMutatedDesignsDoNotPanic changes designs of the repository at random and runs every command
// on them: no command may panic or hang, and generated code must be Go.
func TestMutatedDesignsDoNotPanic(t *testing.T) {
	first := rand.Uint64()
	for seed := first; seed < first+uint64(effort.Rounds(25)); seed++ {
		if f, text, m := defectOf(t, seed); f != nil {
			t.Fatalf("seed %d, %s/%s: %v\n%s: %s\n%s", seed, m.from.folder, m.from.name, m.steps, f.stage, f.detail, text)
		}
	}
	t.Logf("first seed %d", first)
}

// FuzzMutatedDesigns runs every command on mutants of designs.
func FuzzMutatedDesigns(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		if f, text, m := defectOf(t, seed); f != nil {
			t.Fatalf("%s/%s: %v\n%s: %s\n%s", m.from.folder, m.from.name, m.steps, f.stage, f.detail, text)
		}
	})
}

// TestMutantsThatFailed runs every command on mutants that once made one panic, hang or generate
// what is not Go. The first line of each says what went wrong.
func TestMutantsThatFailed(t *testing.T) {
	for _, path := range designsIn(t, "mutants") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if f := newTrial("mutant.design.yaml", read(t, path), 0).defect(); f != nil {
				t.Errorf("%s: %s", f.stage, f.detail)
			}
		})
	}
}

// TestMutantSoak looks for defects for as long as MUTANT_TIME says, and writes the smallest mutant
// of each kind into the folder MUTANT_DIR. It runs only if they are set.
func TestMutantSoak(t *testing.T) {
	folder := os.Getenv("MUTANT_DIR")
	if folder == "" {
		return
	}
	limit, err := time.ParseDuration(os.Getenv("MUTANT_TIME"))
	if err != nil {
		t.Fatal(err)
	}
	seen, tried, first := map[string]int{}, 0, rand.Uint64()>>8
	for end := time.Now().Add(limit); time.Now().Before(end); tried++ {
		f, text, m := defectOf(t, first+uint64(tried))
		if f == nil {
			continue
		}
		class := f.site()
		if seen[class]++; seen[class] > 1 {
			continue
		}
		fmt.Println(tried, class)
		text = smallest(text, m, class)
		name := filepath.Join(folder, fmt.Sprintf("%d.yaml", first+uint64(tried)))
		comment := fmt.Sprintf("# %s\n# %s/%s %v\n# %s\n", class, m.from.folder, m.from.name, m.steps, strings.ReplaceAll(f.detail, "\n", "\n# "))
		if err := os.WriteFile(name, append([]byte(comment), text...), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Println(time.Now().Format(time.TimeOnly), name, class)
	}
	fmt.Println(tried, "mutants", seen)
}

// frame matches the function of the compiler in which a panic happened.
var frame = regexp.MustCompile(`panic\([^\n]*\n[^\n]*\n(?:runtime[^\n]*\n[^\n]*\n)*(?:slices[^\n]*\n[^\n]*\n)*([^\n(]*(?:\([^)]*\))?[^\n(]*)`)

// site returns the kind of a defect: the command, the message and the function that panicked.
func (f *failure) site() string {
	first, _, _ := strings.Cut(f.detail, "\n")
	where := ""
	if m := frame.FindStringSubmatch(f.detail[len(first):]); m != nil {
		where = " in " + m[1]
	}
	return f.stage + ": " + class(first) + where
}

// smallest removes nodes from a mutant as long as it has the same defect.
func smallest(text []byte, m *mutant, class string) []byte {
	root := parsed(text)
	name := filepath.Join(m.from.folder, m.from.name)
	if root == nil {
		return text
	}
	fails := func(text []byte) bool {
		f := newTrial(name, text, 0).defect()
		return f != nil && f.site() == class
	}
	if !fails(root.text()) {
		return text
	}
	until := time.Now().Add(time.Minute)
	for again := true; again; {
		again = false
		for i := 0; i < len(root.all()) && time.Now().Before(until); {
			if smaller := root.without(root.all()[i]); fails(smaller.text()) {
				root, again = smaller, true
			} else {
				i++
			}
		}
	}
	return bytes.TrimLeft(root.text(), "\n")
}
