package main

import (
	"fmt"
	"go/types"
	"os"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
	"honnef.co/go/tools/analysis/facts/directives"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/unused"
)

// A run runs analyzers on packages of one system, each after those that it imports. Unlike the checker of x/tools, it keeps
// only the facts about a package, not the results of its analyzers, which for a large module take gigabytes.
type run struct {
	analyzers []*analysis.Analyzer
	ofFacts   []*analysis.Analyzer // those among them, and among what they require, that tell importers of a package about it
	mu        sync.RWMutex
	facts     map[reflect.Type]knowledge
	names     census
	calls     *graph // nil if dead functions are not looked for
}

// A knowledge holds facts of one type by what they are about: a types.Object or a *types.Package.
type knowledge map[any]analysis.Fact

func newRun(analyzers []*analysis.Analyzer) *run {
	r := &run{analyzers: analyzers, facts: map[reflect.Type]knowledge{}, names: newCensus()}
	seen := map[*analysis.Analyzer]bool{}
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		if len(a.FactTypes) > 0 {
			r.ofFacts = append(r.ofFacts, a)
		}
		for _, kind := range a.FactTypes {
			r.facts[reflect.TypeOf(kind)] = knowledge{}
		}
		for _, required := range a.Requires {
			visit(required)
		}
	}
	for _, a := range analyzers {
		visit(a)
	}
	return r
}

// A finding is what an analyzer found in a package.
type finding struct {
	by *analysis.Analyzer
	analysis.Diagnostic
}

// A visit is a package in a run.
type visit struct {
	*run
	*packages.Package
	results  map[*analysis.Analyzer]any
	findings []finding
}

// analyze runs the analyzers on a package, and returns what they find in it. For a unit that is not analyzed itself, it runs
// only those that tell about it.
func (r *run) analyze(u *unit) (problems []string) {
	v := &visit{run: r, Package: u.Package, results: map[*analysis.Analyzer]any{}}
	analyzers := r.ofFacts
	if u.part == everything {
		analyzers = slices.Concat(r.analyzers, []*analysis.Analyzer{directives.Analyzer})
	}
	for _, a := range analyzers {
		if err := v.analyze(a); err != nil {
			return []string{fmt.Sprintf("%s: %s: %v", u.PkgPath, a.Name, err)}
		}
	}
	if u.part < everything {
		return nil
	}
	if names, ok := v.results[unused.Analyzer.Analyzer].(unused.Result); ok {
		r.mu.Lock()
		r.names.add(names)
		r.mu.Unlock()
	}
	if r.calls != nil && u.Module.Main {
		r.calls.add(u.Package, v.codeOf())
	}
	off := newIgnoreList(v.results[directives.Analyzer].([]lint.Directive), u.Fset)
	for _, f := range v.findings {
		if at := u.Fset.Position(f.Pos); !off.has(f.by.Name, at) && slices.Contains(r.analyzers, f.by) {
			problems = append(problems, fmt.Sprintf("%s: %s (%s)", at, f.Message, f.by.Name))
		}
	}
	return append(problems, off.problems(r.analyzers)...)
}

// analyze runs an analyzer on the package after those that it requires, once.
func (v *visit) analyze(a *analysis.Analyzer) error {
	if _, done := v.results[a]; done {
		return nil
	}
	inputs := map[*analysis.Analyzer]any{}
	for _, required := range a.Requires {
		if err := v.analyze(required); err != nil {
			return err
		}
		inputs[required] = v.results[required]
	}
	result, err := a.Run(v.pass(a, inputs))
	v.results[a] = result
	return err
}

func (v *visit) pass(a *analysis.Analyzer, inputs map[*analysis.Analyzer]any) *analysis.Pass {
	module := &analysis.Module{}
	if m := v.Module; m != nil {
		module = &analysis.Module{Path: m.Path, Version: m.Version, GoVersion: m.GoVersion}
	}
	return &analysis.Pass{
		Analyzer: a, Fset: v.Fset, Files: v.Syntax, OtherFiles: v.OtherFiles, IgnoredFiles: v.IgnoredFiles, Pkg: v.Types,
		TypesInfo: v.TypesInfo, TypesSizes: v.TypesSizes, Module: module, ResultOf: inputs, ReadFile: os.ReadFile,
		Report:            func(d analysis.Diagnostic) { v.findings = append(v.findings, finding{a, d}) },
		ImportObjectFact:  func(o types.Object, f analysis.Fact) bool { return v.fact(o, f) },
		ImportPackageFact: func(p *types.Package, f analysis.Fact) bool { return v.fact(p, f) },
		ExportObjectFact:  func(o types.Object, f analysis.Fact) { v.setFact(o, f) },
		ExportPackageFact: func(f analysis.Fact) { v.setFact(v.Types, f) },
		AllObjectFacts:    func() []analysis.ObjectFact { return v.objectFacts(a) },
		AllPackageFacts:   func() []analysis.PackageFact { return v.packageFacts(a) },
	}
}

// fact sets f to what is known, and reports whether anything is.
func (r *run) fact(about any, f analysis.Fact) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	known, ok := r.facts[reflect.TypeOf(f)][about]
	if ok {
		reflect.ValueOf(f).Elem().Set(reflect.ValueOf(known).Elem())
	}
	return ok
}

func (r *run) setFact(about any, f analysis.Fact) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.facts[reflect.TypeOf(f)][about] = f
}

// objectFacts returns all facts of an analyzer about objects, those about packages that it does not import, too: no code can name them.
func (r *run) objectFacts(a *analysis.Analyzer) (all []analysis.ObjectFact) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, kind := range a.FactTypes {
		for about, f := range r.facts[reflect.TypeOf(kind)] {
			if object, ok := about.(types.Object); ok {
				all = append(all, analysis.ObjectFact{Object: object, Fact: f})
			}
		}
	}
	return all
}

// packageFacts returns all facts of an analyzer about packages.
func (r *run) packageFacts(a *analysis.Analyzer) (all []analysis.PackageFact) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, kind := range a.FactTypes {
		for about, f := range r.facts[reflect.TypeOf(kind)] {
			if p, ok := about.(*types.Package); ok {
				all = append(all, analysis.PackageFact{Package: p, Fact: f})
			}
		}
	}
	return all
}
