package archtest

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestModuleFollowsTheRules(t *testing.T) {
	findings, err := House.Check(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
}

// good returns a small module that follows every rule of House; each case below breaks one.
func good() map[string]string {
	return map[string]string{
		"go.mod":                              "module sortkey.dev\n\ngo 1.26\n\nrequire github.com/tidwall/btree v1.8.2\n",
		"README.md":                           strings.Repeat("long\n", 1000),
		"cmd/s/main.go":                       "// Command s runs. It holds no logic.\npackage main\n\nimport _ \"sortkey.dev/internal/cli\"\n",
		"engine/db.go":                        "// Package engine opens. It is public.\npackage engine\n\nimport _ \"sortkey.dev/engine/internal/table\"\n",
		"engine/get.go":                       "package engine\n\nimport _ \"github.com/aws/aws-sdk-go-v2/service/dynamodb\"\n",
		"engine/a_test.go":                    "package engine_test\n\nimport _ \"sortkey.dev/design\"\nimport _ \"github.com/google/go-cmp/cmp\"\n",
		"engine/internal/kv/kv.go":            "// Package kv stores. It is a contract.\npackage kv\n",
		"engine/internal/kv/memkv/memkv.go":   "// Package memkv stores. In memory.\npackage memkv\n\nimport _ \"sortkey.dev/engine/internal/kv\"\nimport _ \"github.com/tidwall/btree\"\n",
		"engine/internal/kv/kvtest/kvtest.go": "// Package kvtest checks. For all stores.\npackage kvtest\n\nimport _ \"github.com/google/go-cmp/cmp\"\nimport _ \"sortkey.dev/engine/internal/kv\"\n",
		"engine/internal/table/table.go":      "// Package table writes. One path.\npackage table\n\nimport _ \"sortkey.dev/engine/internal/kv\"\nimport _ \"fmt\"\n",
		"engine/internal/table/big.gen.go":    "package table\n" + strings.Repeat("//\n", 1000),
		"design/design.go":                    "// Package design proves. It is a compiler.\npackage design\n\nimport _ \"sortkey.dev/design/internal/check\"\n",
		"design/internal/check/check.go":      "// Package check finds. It prints nothing.\npackage check\n\nimport _ \"sortkey.dev/design/internal/model\"\n",
		"design/internal/model/model.go":      "// Package model holds. It checks nothing.\npackage model\n",
		"apps/one/one.go":                     "// Package one sells. It is a system.\npackage one\n\nimport _ \"sortkey.dev/access\"\nimport _ \"sortkey.dev/apps/internal/webkit\"\nimport _ \"sortkey.dev/apps/one/onedb\"\n",
		"apps/one/onedb/onedb.go":             "// Package onedb stores. It is generated.\npackage onedb\n\nimport _ \"sortkey.dev/access\"\n",
		"apps/two/two.go":                     "// Package two asks. It is a system.\npackage two\n",
		"apps/internal/webkit/webkit.go":      "// Package webkit draws. For all fronts.\npackage webkit\n",
		"access/access.go":                    "// Package access calls. It links no engine.\npackage access\n\nimport _ \"github.com/aws/smithy-go\"\n",
		"internal/cli/cli.go":                 "// Package cli wires. It holds no logic.\npackage cli\n\nimport _ \"sortkey.dev/engine\"\nimport _ \"sortkey.dev/design\"\n",
		"conformance/get_item_test.go":        "// Package conformance compares. Through every door.\npackage conformance\n",
		"engine/testdata/common/util.go":      "package broken, and nobody reads it",
		".hidden/util.go":                     "package broken, and nobody reads it",
		"scripts/tools/go.mod":                "module sortkey.dev/scripts/tools\n\nrequire example.org/tool v1.0.0\n",
		"scripts/tools/main.go":               "package main\n\nimport _ \"example.org/tool\"\n",
	}
}

func TestChecker(t *testing.T) {
	for _, c := range []struct {
		name       string
		file, text string // replaces or adds this file
		want       string // a part of the only finding; empty: none
	}{
		{name: "a good module"},
		{name: "engine imports design", file: "engine/x.go", text: "package engine\n\nimport _ \"sortkey.dev/design\"\n",
			want: "engine/x.go: may not import design; packages in engine may import: engine/internal/..."},
		{name: "design imports engine", file: "design/internal/check/x.go", text: "package check\n\nimport _ \"sortkey.dev/engine\"\n",
			want: "design/internal/check/x.go: may not import engine"},
		{name: "a room looks up", file: "engine/internal/kv/x.go", text: "package kv\n\nimport _ \"sortkey.dev/engine/internal/table\"\n",
			want: "packages in engine/internal/kv may import: nothing of this module"},
		{name: "a room reaches past the contract", file: "engine/internal/table/x.go", text: "package table\n\nimport _ \"sortkey.dev/engine/internal/kv/memkv\"\n",
			want: "may not import engine/internal/kv/memkv"},
		{name: "one store imports another", file: "engine/internal/kv/kvtest/x.go", text: "package kvtest\n\nimport _ \"sortkey.dev/engine/internal/kv/memkv\"\n",
			want: "packages in engine/internal/kv/kvtest may import: engine/internal/kv"},
		{name: "access imports the engine", file: "access/x.go", text: "package access\n\nimport _ \"sortkey.dev/engine\"\n",
			want: "access/x.go: may not import engine"},
		{name: "an app imports another", file: "apps/one/onedb/x.go", text: "package onedb\n\nimport _ \"sortkey.dev/apps/two\"\n",
			want: "packages in apps/one may import: access/..., apps, apps/internal/..., ./..."},
		{name: "an app imports the engine's inside", file: "apps/one/x.go", text: "package one\n\nimport _ \"sortkey.dev/engine/internal/table\"\n",
			want: "may not import engine/internal/table"},
		{name: "a folder without a rule", file: "internal/clock/clock.go", text: "// Package clock ticks. It does.\npackage clock\n\nimport _ \"sortkey.dev/engine\"\n",
			want: "no rule for folder internal/clock"},
		{name: "main does work", file: "cmd/s/x.go", text: "package main\n\nimport _ \"sortkey.dev/engine\"\n",
			want: "cmd/s/x.go: may not import engine"},
		{name: "a pattern before main", file: "engine/internal/table/x.go", text: "package table\n\nimport \"regexp\"\n\nvar x = []*regexp.Regexp{regexp.MustCompile(`a`)}\n",
			want: "engine/internal/table/x.go: compiles a regular expression before main"},
		{name: "a pattern on first use", file: "engine/internal/table/x.go", text: "package table\n\nimport (\n\t\"regexp\"\n\t\"sync\"\n)\n\nvar x = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`a`) })\n"},
		{name: "a module in the wrong room", file: "engine/internal/table/x.go", text: "package table\n\nimport _ \"github.com/cockroachdb/pebble/v2/vfs\"\n",
			want: "that module may be used in: engine/internal/kv/pebblekv, bench/..."},
		{name: "a module in a test", file: "engine/internal/table/x_test.go", text: "package table\n\nimport _ \"github.com/tidwall/btree\"\n"},
		{name: "an unknown module in a test", file: "engine/x_test.go", text: "package engine\n\nimport _ \"github.com/stretchr/testify\"\n",
			want: "module of github.com/stretchr/testify is not in the table"},
		{name: "an unknown module", file: "engine/x.go", text: "package engine\n\nimport _ \"github.com/pkg/errors\"\n",
			want: "module of github.com/pkg/errors is not in the table"},
		{name: "a test module in the product", file: "engine/x.go", text: "package engine\n\nimport _ \"github.com/google/go-cmp/cmp\"\n",
			want: "engine/x.go: github.com/google/go-cmp/cmp is for tests only"},
		{name: "no package comment", file: "apps/two/two.go", text: "package two\n",
			want: "apps/two: no package comment"},
		{name: "two package comments", file: "apps/two/x.go", text: "// Package two asks. Again.\npackage two\n",
			want: "apps/two: 2 package comments"},
		{name: "a comment about something else", file: "apps/two/two.go", text: "// Copyright Example Inc. All rights reserved.\npackage two\n",
			want: `must start with "Package two"`},
		{name: "a comment of one sentence", file: "apps/two/two.go", text: "// Package two asks\n// and asks.\npackage two\n",
			want: "the package comment is one sentence"},
		{name: "a command with a package comment", file: "cmd/s/main.go", text: "// Package main runs. It does.\npackage main\n",
			want: `must start with "Command s"`},
		{name: "a long file", file: "apps/two/x.go", text: "package two\n" + strings.Repeat("//\n", 500),
			want: "apps/two/x.go: 501 lines, more than 500"},
		{name: "a long test", file: "apps/two/x_test.go", text: "package two\n" + strings.Repeat("//\n", 500),
			want: "apps/two/x_test.go: 501 lines"},
		{name: "a door imports the database", file: "apps/one/web/x.go", text: "// Package web shows. It is a door.\npackage web\n\nimport _ \"sortkey.dev/apps/one/onedb\"\n",
			want: "apps/one/web/x.go: may not import apps/one/onedb: a door calls the domain, never the database"},
		{name: "a test of a door imports the database", file: "apps/one/web/x_test.go", text: "// Package web shows. It is a door.\npackage web\n\nimport _ \"sortkey.dev/apps/one/onedb\"\n"},
		{name: "a folder that says nothing", file: "apps/one/common/x.go", text: "// Package things has. It has.\npackage things\n",
			want: `apps/one/common: the name "common" says nothing`},
		{name: "a package that says nothing", file: "apps/one/things/x.go", text: "// Package util has. It has.\npackage util\n",
			want: `apps/one/things: the package name "util" says nothing`},
		{name: "a file that says nothing", file: "apps/one/helpers_test.go", text: "package one\n",
			want: `apps/one/helpers_test.go: the name "helpers" says nothing`},
		{name: "a doc comment that says is what", file: "apps/two/x.go", text: "package two\n\n// Params are what Call is\n// given.\ntype Params struct{}\n",
			want: `apps/two/x.go: line 3: the doc comment says "are what"; begin with the name and a verb`},
		{name: "a line comment of a field", file: "apps/two/x.go", text: "package two\n\ntype Row struct {\n\tName string // of somebody\n}\n",
			want: `apps/two/x.go: line 4: the doc comment says "somebody"`},
		{name: "a method of a generic type", file: "apps/two/x.go", text: "package two\n\ntype List[T any] struct{}\n\n// Next is how a list goes on.\nfunc (l *List[T]) Next() {}\n",
			want: `says "is how"`},
		{name: "a private doc comment", file: "apps/two/x.go", text: "package two\n\n// f is what somebody calls.\nfunc f() {}\n\ntype t struct{}\n\n// F is what t has.\nfunc (t) F() {}\n"},
		{name: "a comment inside a function", file: "apps/two/x.go", text: "package two\n\n// F returns.\nfunc F() {\n\t// Nobody waits.\n}\n"},
		{name: "a generated file", file: "apps/two/x.go", text: "// Code generated by x; DO NOT EDIT.\n\npackage two\n\n// F is what nobody calls.\nfunc F() {}\n"},
		{name: "a replaced module", file: "go.mod", text: "module sortkey.dev\n\nreplace (\n\ta => ../a\n)\n",
			want: "go.mod: has a replace directive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := good()
			if c.file != "" {
				files[c.file] = c.text
			}
			checkFindings(t, files, c.want)
		})
	}
}

// checkFindings requires exactly one finding that contains want, or none if want is empty.
func checkFindings(t *testing.T, files map[string]string, want string) {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	findings, err := House.Check(tree)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case want == "" && len(findings) > 0:
		t.Errorf("findings in a good module: %v", findings)
	case want != "" && (len(findings) != 1 || !strings.Contains(findings[0].String(), want)):
		t.Errorf("got %v, want one finding with %q", findings, want)
	}
}

// A folder may keep the phrases that are listed for it, but gets no more.
func TestPhrasesLeftOnlyShrink(t *testing.T) {
	rules := House
	rules.PhrasesLeft = map[string]int{"apps/two": 1}
	tree := fstest.MapFS{"apps/two/two.go": &fstest.MapFile{Data: []byte("// Package two asks. Somebody answers.\npackage two\n")}}
	findings, err := rules.Check(tree)
	if err != nil || len(findings) > 0 {
		t.Errorf("one phrase where one is left: %v, %v", findings, err)
	}
	tree["apps/two/x.go"] = &fstest.MapFile{Data: []byte("package two\n\n// F is who calls.\nfunc F() {}\n")}
	findings, err = rules.Check(tree)
	if err != nil || len(findings) != 2 {
		t.Errorf("two phrases where one is left: %v, %v; want both", findings, err)
	}
}

func TestUnreadableCodeIsAnError(t *testing.T) {
	tree := fstest.MapFS{"engine/x.go": &fstest.MapFile{Data: []byte("no Go at all")}}
	if _, err := House.Check(tree); err == nil {
		t.Error("Check accepted a file that is not Go")
	}
}
