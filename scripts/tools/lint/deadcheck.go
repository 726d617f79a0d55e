package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A deadCheck says which functions may be dead.
type deadCheck struct {
	dir     string         // of the module
	called  *regexp.Regexp // paths of packages whose functions must be called by more than tests
	file    string
	allowed []*allowed
}

// An allowed line of the file is an expression for "file: function".
type allowed struct {
	line int
	*regexp.Regexp
	useful bool // it matched something
}

func newDeadCheck(dir, file, called string) (*deadCheck, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &deadCheck{dir: absolute, file: file}
	if c.called, err = regexp.Compile(called); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		expression, err := regexp.Compile(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		c.allowed = append(c.allowed, &allowed{line: i + 1, Regexp: expression})
	}
	return c, nil
}

// problems returns the functions that are dead and not allowed, and the lines of the file that allow nothing.
func (c *deadCheck) problems(g *graph) (problems []string) {
	all, programs := g.live(true), g.live(false)
	for n, f := range g.declared {
		why := "nothing calls"
		if all[n] {
			if programs[n] || f.test || !c.called.MatchString(f.pkgPath) {
				continue
			}
			why = "only tests call"
		}
		if !c.allows(f) {
			problems = append(problems, fmt.Sprintf("%s: %s %s; remove it, or say in %s why it stays (dead)", f.place, why, f.name, c.file))
		}
	}
	for _, a := range c.allowed {
		if !a.useful {
			problems = append(problems, fmt.Sprintf("%s:%d: this line allows nothing; remove it (dead)", c.file, a.line))
		}
	}
	return problems
}

func (c *deadCheck) allows(f *function) (ok bool) {
	file, err := filepath.Rel(c.dir, f.place.Filename)
	if err != nil {
		file = f.place.Filename // on another volume
	}
	for _, a := range c.allowed {
		if a.MatchString(filepath.ToSlash(file) + ": " + f.name) {
			a.useful, ok = true, true
		}
	}
	return ok
}
