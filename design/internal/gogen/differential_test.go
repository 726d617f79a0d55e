package gogen

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	slashed "path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/internal/modtest"
)

// TestGeneratedCodeSendsWhatIsVerified calls every pattern of all designs here with many
// arguments, through generated code and through package verify: both must send the same
// requests and refuse with the same errors.
func TestGeneratedCodeSendsWhatIsVerified(t *testing.T) {
	d := &differential{module: caseModule(t), overlay: overlay{dir: t.TempDir(), Replace: map[string]string{}}}
	for _, name := range cases(t) {
		d.add(t, modtest.Path+"/"+name+"db", filepath.Join("testdata", name, "design.yaml"))
	}
	d.addCommitted(t, "internal/shop/shopdb", "internal/shop/shop.design.yaml")
	designs, err := filepath.Glob("../../../apps/*/*.design.yaml")
	if err != nil || len(designs) < 4 {
		t.Fatalf("the designs of the repository are not there: %v %v", designs, err)
	}
	for _, path := range designs {
		d.addCommitted(t, strings.TrimSuffix(path, ".design.yaml")+"db", path)
	}
	d.compare(t, d.run(t))
}

// A differential is the calls to compare.
type differential struct {
	module   modtest.Module // of the packages that are not committed
	overlay  overlay
	packages []string // their import paths
	calls    []sentCall
	names    []string
	want     []outcome
	shards   []*regexp.Regexp // of each call: numbers that are another each time, or nil
}

// differentialMain is the folder of the program that calls generated code.
const differentialMain = "testdata/differential"

// An overlay is files that the go command sees in this repository and that are elsewhere.
// At their own place packages that did not change are not compiled again.
type overlay struct {
	dir     string            // where they are
	files   int               // how many there are
	Replace map[string]string // "": there is no such file
}

// put lets the go command see a file.
func (o *overlay) put(t *testing.T, path string, text []byte) {
	t.Helper()
	o.files++
	at := filepath.Join(o.dir, fmt.Sprintf("%d.go", o.files))
	write(t, at, text)
	o.set(t, path, at)
}

func (o *overlay) set(t *testing.T, path, at string) {
	t.Helper()
	absolute, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	o.Replace[absolute] = at
}

// putPackage lets the go command see what is generated, and nothing that was before.
func (o *overlay) putPackage(t *testing.T, folder string, files []File) {
	t.Helper()
	before, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range before {
		o.set(t, path, "")
	}
	for _, f := range files {
		if !strings.Contains(f.Name, "/") { // its support for tests is not called
			o.put(t, filepath.Join(folder, f.Name), f.Text)
		}
	}
}

// addCommitted adds all calls of the design in a file, whose package is in a folder of this repository.
func (d *differential) addCommitted(t *testing.T, folder, path string) {
	t.Helper()
	d.overlay.putPackage(t, folder, generated(t, path, filepath.Base(folder)))
	d.add(t, slashed.Join("sortkey.dev/design/internal/gogen", filepath.ToSlash(folder)), path)
}

// add adds all calls of the design in a file, whose package is imported by this path.
func (d *differential) add(t *testing.T, importPath, path string) {
	t.Helper()
	pkg := slashed.Base(importPath)
	d.packages = append(d.packages, importPath)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l := layoutOf(t, path, text)
	methods := map[*program.Call]*patterns.Method{}
	p := &program.Program{Layout: l}
	for _, m := range patterns.New(items.New(l), nil).Methods {
		methods[m.Call] = m
		p.Calls = append(p.Calls, m.Call)
	}
	ctx, api := context.Background(), &recorder{}
	trials, err := verify.Trials(ctx, p, api, 1)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	client := access.NewClient(api, access.Design{}, access.WithSealer(openSealer{}))
	for _, trial := range trials {
		m := methods[trial.Call]
		for _, inTx := range []bool{false, true} {
			if inTx && trial.Call.Pattern.Verb.Reads() {
				continue
			}
			d.calls = append(d.calls, sentCall{Package: pkg, Method: m.Name, InTx: inTx, Args: goArguments(m, trial)})
			d.names = append(d.names, fmt.Sprintf("%s.%s: %s (in a Tx: %t)", pkg, m.Name, trial.Name, inTx))
			d.want = append(d.want, api.during(func() error { return trial.Send(ctx, client, inTx) }))
			d.shards = append(d.shards, shardNumbers(trial.Call))
		}
	}
}

// shardNumbers finds the numbers of shards that a call chooses by chance.
func shardNumbers(c *program.Call) *regexp.Regexp {
	var before []string
	for _, w := range c.Writes {
		for _, k := range w.Statement.Key {
			for i, part := range k.Low {
				if part.Shards > 0 && i > 0 {
					before = append(before, regexp.QuoteMeta(k.Low[i-1].Literal))
				}
			}
		}
	}
	if len(before) == 0 {
		return nil
	}
	return regexp.MustCompile(`(` + strings.Join(before, "|") + `)\d+"`)
}

// run calls the generated code.
func (d *differential) run(t *testing.T) []outcome {
	t.Helper()
	imports := "package main\n\nimport (\n\t\"sortkey.dev/access\"\n"
	table := "var packages = map[string]func(access.API, ...access.Option) any{\n"
	for _, importPath := range d.packages {
		pkg := slashed.Base(importPath)
		imports += fmt.Sprintf("\t%q\n", importPath)
		table += fmt.Sprintf("\t%q: func(api access.API, o ...access.Option) any { return %s.New(api, o...) },\n", pkg, pkg)
	}
	d.overlay.put(t, filepath.Join(differentialMain, "packages.go"), []byte(imports+")\n\n"+table+"}\n"))
	record, err := os.ReadFile("differential_record_test.go")
	if err != nil {
		t.Fatal(err)
	}
	d.overlay.put(t, filepath.Join(differentialMain, "record.go"), []byte(strings.Replace(string(record), "package gogen\n", "package main\n", 1)))
	in := func(name string) string { return filepath.Join(d.overlay.dir, name) }
	writeJSON(t, in("overlay.json"), d.overlay)
	writeJSON(t, in("calls.json"), d.calls)
	run(t, d.module.Go(".", "run", "-overlay", in("overlay.json"), "./"+differentialMain, in("calls.json"), in("outcomes.json")))
	text, err := os.ReadFile(in("outcomes.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got []outcome
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func writeJSON(t *testing.T, path string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, text)
}

// compare compares all outcomes. Of each method the first difference is told.
func (d *differential) compare(t *testing.T, got []outcome) {
	t.Helper()
	told := map[string]int{}
	sent, refused := map[string]bool{}, 0
	for i, c := range d.calls {
		method := c.Package + "." + c.Method
		want, have := d.spelled(i, d.want[i]), d.spelled(i, got[i])
		sent[method] = sent[method] || len(want.Requests) > 0
		if want.Err != "" {
			refused++
		}
		if slices.ContainsFunc(want.Requests, func(r string) bool { return strings.Contains(r, `"unused `) || strings.Contains(r, "undefined ") }) {
			t.Errorf("%s: an expression and its placeholders differ: %v", d.names[i], want.Requests)
		}
		if cmp.Equal(want, have) || refusesValue(have) {
			continue
		}
		if told[method]++; told[method] == 1 {
			args, _ := json.Marshal(c.Args)
			t.Errorf("%s\n%s\n(-verified +generated)\n%s", d.names[i], args, cmp.Diff(want.lines(), have.lines()))
		}
	}
	for _, method := range slices.Sorted(maps.Keys(sent)) {
		if !sent[method] {
			t.Errorf("%s never sent anything", method)
		}
		if told[method] > 1 {
			t.Errorf("%s: %d calls differ in all", method, told[method])
		}
	}
	t.Logf("%d calls of %d methods compared, %d of them fail", len(d.calls), len(sent), refused)
}

// refusesValue reports whether generated code refused a value that the design does not
// know, such as an id of another time than the item's; verification sends those.
func refusesValue(o outcome) bool {
	return len(o.Requests) == 0 && strings.Contains(o.Err, "cannot be stored")
}

// spelled is an outcome without what is another each time.
func (d *differential) spelled(i int, o outcome) outcome {
	if d.shards[i] == nil {
		return o
	}
	all := make([]string, len(o.Requests))
	for n, r := range o.Requests {
		all[n] = d.shards[i].ReplaceAllString(r, `${1}any"`)
	}
	return outcome{Requests: all, Err: o.Err}
}

// lines is an outcome as a difference shows it.
func (o outcome) lines() []string {
	var b bytes.Buffer
	for _, r := range o.Requests {
		_ = json.Indent(&b, []byte(r), "", " ")
		b.WriteByte('\n')
	}
	return append(strings.Split(b.String(), "\n"), "error: "+o.Err)
}

// goArguments are the arguments of a trial as the program reads them: by the names of
// fields, and every value as text.
func goArguments(m *patterns.Method, trial *verify.Trial) []any {
	all := make([]any, len(m.Args))
	params := map[string]any{}
	for _, input := range m.Call.Inputs {
		value := goInput(m, trial, input)
		if member := m.Member(input); member != "" {
			params[member] = value
			continue
		}
		i := slices.IndexFunc(m.Args, func(a syntax.Param) bool { return a.Name == syntax.String(m.Place(input)) })
		all[i] = value
	}
	if len(params) > 0 {
		all[len(all)-1] = params
	}
	return all
}

func goInput(m *patterns.Method, trial *verify.Trial, input *program.Input) any {
	switch input.Kind {
	case program.List:
		return goList(m, input.Attribute.Type, trial.List(input))
	case program.Key, program.Whole:
		items := []any{}
		for _, values := range trial.Items(input) {
			fields := map[string]any{}
			for a, v := range values {
				fields[m.Package.Items.Names.Fields[a]] = goValue(m, a.Type, v)
			}
			items = append(items, fields)
		}
		if !input.Repeated {
			return items[0]
		}
		return items
	case program.Group:
		groups := []any{}
		for _, values := range trial.Groups(input) {
			fields := map[string]any{}
			for member, v := range values {
				fields[m.Member(member)] = goValue(m, member.Type, v)
			}
			groups = append(groups, fields)
		}
		return groups
	}
	if v, ok := trial.Value(input); ok {
		return goValue(m, input.Type, v)
	}
	return nil
}

func goList(m *patterns.Method, t model.Type, values []sample.Value) []any {
	all := []any{}
	for _, v := range values {
		all = append(all, goValue(m, t, v))
	}
	return all
}

func goValue(m *patterns.Method, t model.Type, v sample.Value) any {
	switch t.Base {
	case model.Bool:
		return marshal.FormatBool(v.Truth)
	case model.Bytes, model.JSON:
		return base64.StdEncoding.EncodeToString([]byte(v.Text))
	case model.ListOf, model.SetOf:
		if v.Kind != sample.List && v.Elements == nil && v.Text != "" {
			return goValue(m, *t.Element, v) // one of its elements
		}
		return goList(m, *t.Element, v.Elements)
	case model.MapOf, model.StructOf:
		fields := map[string]any{}
		for _, f := range v.Fields {
			if t.Base == model.MapOf {
				fields[f.Name] = goValue(m, *t.Element, f.Value)
				continue
			}
			i := slices.IndexFunc(t.Struct.Attributes, func(a *model.Attribute) bool { return a.Stored == f.Name })
			fields[m.Package.Items.Names.Fields[t.Struct.Attributes[i]]] = goValue(m, t.Struct.Attributes[i].Type, f.Value)
		}
		return fields
	}
	return v.Text
}
