package design

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCheckedDesignsGenerate checks that code that compiles and infrastructure code can be
// generated from every design without errors. It takes the designs of the tests of the
// rules, the pages and the generators.
func TestCheckedDesignsGenerate(t *testing.T) {
	if passed := keepsPromise(t, promised(t)); passed < 200 {
		t.Errorf("only %d designs pass check; are they still where this test looks?", passed)
	}
}

// TestEveryTypeEverywhere checks the same for an attribute of every type in every position of
// a design. Check must reject those that make no sense.
func TestEveryTypeEverywhere(t *testing.T) {
	all := map[string]string{}
	for _, kind := range []string{
		"string", "int", "number", "decimal", "bool", "bytes", "timestamp", "unixtime", "date", "week", "uuid", "uuidv7", "ulid",
		"geohash", "json", "enum(X, Y)", "list<string>", "set<string>", "set<int>", "map<string>", "Place", "list<Place>",
	} {
		for use, parts := range usesOfAType {
			all[kind+" "+use] = strings.NewReplacer(
				"TYPE", kind, "ENTITY", parts.entity, "INDEXES", parts.indexes, "KEYS", parts.keys, "GUARDS", parts.guards, "PATTERNS", parts.patterns,
			).Replace(anyType)
		}
	}
	if passed := keepsPromise(t, all); passed < 250 {
		t.Errorf("only %d designs pass check; are they still designs?", passed)
	}
}

// anyType is a template of a design with an attribute of any type and its uses.
const anyType = `design: Any
types: { Place: { street: string, city: string? } }
entities:
  Team:
    id: team_id
    attributes: { team_id: ulid, total: int }
    count: 10
  Task:
    id: [team_id, task_id]
    attributes: { team_id: ulid, task_id: ulid, title: string, x: "TYPE", maybe: "TYPE?" }
    ENTITY
    per: { team_id: 5 }
tables:
  any:
    pk: PK
    sk: SK
    indexes: { ByTask: { pk: task_id }INDEXES }
    items:
      Team: { PK: "TEAM#{team_id}", SK: "TEAM" }
      Task: { PK: "TEAM#{team_id}", SK: "TASK#{task_id}"KEYS }
    GUARDS
patterns:
  GetTeam: { get: Team, where: { team_id: $ }, rate: 1/day }
  AddTask: { create: Task, rate: 1/day }
  Find: { list: Task, where: { task_id: $ }, limit: 5, rate: 1/day }
  Title: { update: Task, where: { team_id: $, task_id: $ }, set: [title], rate: 1/day }
  Drop: { delete: Task, where: { team_id: $, task_id: $ }, rate: 1/day }
PATTERNS
`

// usesOfAType maps uses of the attribute to the text they insert into anyType.
var usesOfAType = map[string]struct{ entity, indexes, keys, guards, patterns string }{
	"set":        {patterns: "  Set: { update: Task, where: { team_id: $, task_id: $ }, set: { x: $new, maybe: $ }, rate: 1/day }"},
	"remove":     {patterns: "  Remove: { update: Task, where: { team_id: $, task_id: $ }, remove: [maybe], rate: 1/day }"},
	"add":        {patterns: "  Add: { update: Task, where: { team_id: $, task_id: $ }, add: { x: 1, maybe: $by }, rate: 1/day }"},
	"add half":   {patterns: "  Add: { update: Task, where: { team_id: $, task_id: $ }, add: { x: 0.5 }, rate: 1/day }"},
	"if":         {patterns: "  If: { update: Task, where: { team_id: $, task_id: $ }, set: [title], if: x = $old and maybe != $no, rate: 1/day }"},
	"if less":    {patterns: "  If: { update: Task, where: { team_id: $, task_id: $ }, set: [title], if: x < $most, rate: 1/day }"},
	"if equal":   {patterns: "  If: { delete: Task, where: { team_id: $, task_id: $ }, if: x = maybe, rate: 1/day }"},
	"filter":     {patterns: "  Filter: { list: Task, where: { team_id: $ }, filter: { x: $, maybe: $ }, rate: 1/day }"},
	"filter two": {patterns: "  Filter: { list: Task, where: { team_id: $ }, filter: { x: $v, title: $v }, rate: 1/day }"},
	"begins":     {patterns: "  Filter: { list: Task, where: { team_id: $ }, filter: { x: begins_with $start }, rate: 1/day }"},
	"empty":      {patterns: "  Filter: { list: Task, where: { team_id: $ }, filter: { x: '' }, rate: 1/day }"},
	"select":     {patterns: "  Select: { list: Task, where: { team_id: $ }, select: [x, maybe], rate: 1/day }"},
	"each":       {patterns: "  Each: { transact: [{ update: Task, where: { team_id: $, task_id: $ }, set: [x], each: 3 }], rate: 1/day }"},
	"requires":   {patterns: "  Needs: { update: Team, where: { team_id: $ }, add: { total: 1 }, requires: [{ entity: Task, where: { team_id: $, task_id: $ }, change: { x: $ } }], rate: 1/day }"},
	"natural":    {indexes: ", ByX: { pk: x, sk: maybe }", patterns: "  ByX: { list: Task, where: { x: $ }, limit: 5, rate: 1/day }\n  Set: { update: Task, where: { team_id: $, task_id: $ }, set: [x, maybe], rate: 1/day }"},
	"template":   {indexes: ", ByX: { pk: X }", keys: `, X: "X#{x}"`, patterns: "  ByX: { list: Task, where: { x: $ }, limit: 5, rate: 1/day }\n  Set: { update: Task, where: { team_id: $, task_id: $ }, set: [x], rate: 1/day }"},
	"padded":     {indexes: ", ByX: { pk: X }", keys: `, X: "X#{x|pad 5}"`},
	"sharded":    {indexes: ", ByX: { pk: X }", keys: `, X: "X#{x|pad 5|shard 4}"`},
	"day":        {indexes: ", ByX: { pk: X }", keys: `, X: "X#{x|date}"`},
	"when":       {indexes: ", ByX: { pk: X }", keys: `, X: { value: ALL, when: maybe exists }`},
	"when equal": {indexes: ", ByX: { pk: X }", keys: `, X: { value: ALL, when: x = maybe }`},
	"when given": {indexes: ", ByX: { pk: X }", keys: `, X: { value: ALL, when: x = $x }`},
	"unique":     {entity: "unique: [x]", guards: `guards: { Task.x: { PK: "X#{x}", SK: X } }`},
	"encrypt":    {entity: "encrypt: [x, maybe]", patterns: "  Set: { update: Task, where: { team_id: $, task_id: $ }, set: [x], if: maybe = $old, rate: 1/day }"},
	"hidden":     {entity: "encrypt: [x]", indexes: ", ByX: { pk: X }", keys: `, X: "X#{x}"`},
	"version":    {entity: "version: x"},
	"ttl":        {entity: "ttl: x"},
}

// keepsPromise generates code for the designs that pass check and returns their number.
func keepsPromise(t *testing.T, designs map[string]string) int {
	t.Helper()
	compiler, passed := newCompiler(t), 0
	for _, name := range slices.Sorted(maps.Keys(designs)) {
		d := Parse("promise.design.yaml", []byte(designs[name]))
		findings, err := Check([]*Design{d}, CheckOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if findings.Summary().Errors > 0 {
			continue
		}
		passed++
		files, err := d.Generate(GenerateOptions{Package: "promisedb", ImportPath: "example.com/promisedb"})
		if err != nil {
			t.Errorf("%s passes check, but there is no Go for it: %v", name, err)
			continue
		}
		if err := compiler.compile(files); err != nil {
			t.Errorf("%s passes check, but its Go does not compile: %v", name, err)
		}
		for _, format := range InfrastructureFormats() {
			if _, err := d.Infrastructure(InfrastructureOptions{Format: format, KMSKey: "arn:aws:kms:eu-west-1:123456789012:key/promise"}); err != nil {
				t.Errorf("%s passes check, but there is no %s for it: %v", name, format, err)
			}
		}
	}
	return passed
}

// promised maps the names of the designs in this repository to their texts.
func promised(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{
		"../apps/*/*.design.yaml", "testdata/seeds/*.design.yaml", "testdata/strangers/*.design.yaml",
		"internal/check/testdata/*/*.yaml", "internal/gogen/testdata/*/design.yaml", "internal/gogen/internal/*/*.design.yaml",
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no designs (%v)", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[path] = string(text)
		}
	}
	pages, err := filepath.Glob("../docs/reference/findings/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages (%v)", err)
	}
	for _, path := range pages {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "```yaml\n")[1:] {
			block, _, _ = strings.Cut(block, "```")
			all[path+" "+string(rune('1'+i))] = block
		}
	}
	return all
}

// A compiler type-checks generated packages. It imports other packages from the export data
// of the Go command.
type compiler struct {
	fset    *token.FileSet
	imports types.Importer
}

func newCompiler(t *testing.T) *compiler {
	t.Helper()
	// An existing generated package imports all packages that generated packages import.
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./internal/gogen/internal/shop/shopdb").Output()
	if err != nil {
		t.Fatalf("cannot ask for built packages: %v", err)
	}
	built := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			built[path] = file
		}
	}
	fset := token.NewFileSet()
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(built[path]) }
	return &compiler{fset: fset, imports: importer.ForCompiler(fset, "gc", lookup)}
}

// compile type-checks the package; its test package is the same for all designs.
func (c *compiler) compile(files []GeneratedFile) error {
	var parsed []*ast.File
	for _, f := range files {
		if strings.Contains(f.Name, "/") {
			continue
		}
		file, err := parser.ParseFile(c.fset, f.Name, f.Text, 0)
		if err != nil {
			return err
		}
		parsed = append(parsed, file)
	}
	var wrong []error
	config := types.Config{Importer: c.imports, Error: func(err error) { wrong = append(wrong, err) }}
	_, _ = config.Check("promisedb", c.fset, parsed, nil) // the error is the first of those noted
	return errors.Join(wrong...)
}
