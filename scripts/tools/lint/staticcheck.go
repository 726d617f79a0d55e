package main

import (
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/config"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

// chosenChecks returns the analyzers of staticcheck that the file staticcheck.conf of a folder leaves on.
func chosenChecks(dir string) ([]*analysis.Analyzer, error) {
	all := slices.Concat(simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers, []*lint.Analyzer{unused.Analyzer})
	config.DefaultConfig.Checks = []string{"all"}
	for _, a := range all {
		if a.Doc.NonDefault {
			config.DefaultConfig.Checks = append(config.DefaultConfig.Checks, "-"+a.Analyzer.Name)
		}
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	settings, err := config.Load(absolute)
	if err != nil {
		return nil, err
	}
	on := map[string]bool{}
	for _, check := range settings.Checks {
		name, off := strings.CutPrefix(check, "-")
		known := false
		for _, a := range all {
			if name == "all" || name == a.Analyzer.Name {
				on[a.Analyzer.Name] = !off
				known = true
			}
		}
		if !known {
			return nil, fmt.Errorf("staticcheck.conf: no check %q; name one check, or all", name)
		}
	}
	var chosen []*analysis.Analyzer
	for _, a := range all {
		if on[a.Analyzer.Name] {
			chosen = append(chosen, a.Analyzer)
		}
	}
	return chosen, nil
}

// An ignore is a comment such as "//lint:ignore SA1019 reason", which turns checks off for a line; with file-ignore, for a
// file, and the line is 0.
type ignore struct {
	file    string
	line    int
	checks  []string
	comment token.Position
	useful  bool // it matched something
}

// An ignoreList holds the comments of a package.
type ignoreList []*ignore

func newIgnoreList(comments []lint.Directive, fset *token.FileSet) (list ignoreList) {
	for _, c := range comments {
		if len(c.Arguments) < 2 || c.Command != "ignore" && c.Command != "file-ignore" {
			continue // without a reason, it ignores nothing
		}
		at := fset.Position(c.Node.Pos())
		i := &ignore{file: at.Filename, line: at.Line, checks: strings.Split(c.Arguments[0], ","), comment: fset.Position(c.Directive.Pos())}
		if c.Command == "file-ignore" {
			i.line, i.useful = 0, true
		}
		list = append(list, i)
	}
	return list
}

// has reports whether a check is turned off where it found something.
func (list ignoreList) has(check string, at token.Position) (off bool) {
	for _, i := range list {
		if i.file != at.Filename || i.line != 0 && i.line != at.Line {
			continue
		}
		for _, pattern := range i.checks {
			if matches, _ := path.Match(pattern, check); matches {
				i.useful, off = true, true
			}
		}
	}
	return off
}

// problems returns which comments turn off what finds nothing, among checks. That of unused names looks for comments
// itself.
func (list ignoreList) problems(checks []*analysis.Analyzer) (problems []string) {
	for _, i := range list {
		could := slices.ContainsFunc(checks, func(a *analysis.Analyzer) bool {
			return a != unused.Analyzer.Analyzer && slices.Contains(i.checks, a.Name)
		})
		if could && !i.useful {
			problems = append(problems, fmt.Sprintf("%s: this comment ignores nothing; remove it (ignore)", i.comment))
		}
	}
	return problems
}

// A declared name is what a package declares. A package and the same package with its tests declare the same names.
type declared struct {
	file string
	line int
	name string
}

// A census of names tells which are used by none of the packages that declare them.
type census struct {
	used   map[declared]bool
	unused map[declared]unused.Object
}

func newCensus() census {
	return census{used: map[declared]bool{}, unused: map[declared]unused.Object{}}
}

func (c census) add(found unused.Result) {
	for _, o := range found.Used {
		c.used[nameOf(o)] = true
	}
	for _, o := range found.Unused {
		c.unused[nameOf(o)] = o
	}
}

func nameOf(o unused.Object) declared {
	return declared{o.Position.Filename, o.Position.Line, o.Name}
}

func (c census) problems() (problems []string) {
	for name, o := range c.unused {
		if !c.used[name] {
			problems = append(problems, fmt.Sprintf("%s: %s %s is unused (U1000)", o.DisplayPosition, o.Kind, o.Name))
		}
	}
	return problems
}
