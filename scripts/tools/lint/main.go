// Command lint runs the analyzers of go vet and those of staticcheck on the packages of a module and on their tests, and
// checks the types of what is built on other operating systems. A package with the same files on another system is analyzed
// only once; its types are checked on each. With -dead, it lists functions that nothing calls, and in packages whose path
// matches -called those that only tests call; the file says which are allowed.
//
//	go run ./lint -C ../.. -dead deadcode.allow -called '/internal/' linux windows darwin
//
// go vet and staticcheck do the same with GOOS set, but each compiles every dependency for that system first, and loads it
// anew for each package that imports it. This takes minutes; to check types from their source, once, takes seconds.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis"
)

func main() {
	dir := flag.String("C", ".", "the folder of the module")
	dead := flag.String("dead", "", "look for dead functions; the file with those that are allowed")
	called := flag.String("called", "^$", "an expression for the packages whose functions must be called by more than tests")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "lint: name at least one system, such as windows or darwin")
		os.Exit(2)
	}
	debug.SetMemoryLimit(3 << 30) // what was loaded for a system is garbage for the next
	checks, err := chosenChecks(*dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(2)
	}
	l := newLoader(*dir)
	if *dead != "" {
		if l.dead, err = newDeadCheck(*dir, *dead, *called); err != nil {
			fmt.Fprintln(os.Stderr, "lint:", err)
			os.Exit(2)
		}
	}
	ok := true
	for i, system := range unique(flag.Args()) {
		analyzers := vetAnalyzers
		if i == 0 {
			analyzers = slices.Concat(vetAnalyzers, checks)
		}
		problems, err := l.lint(system, analyzers)
		if err != nil {
			fmt.Fprintf(os.Stderr, "lint: %s: %v\n", system, err)
			os.Exit(2)
		}
		for _, problem := range problems {
			fmt.Println(problem)
		}
		if len(problems) > 0 {
			fmt.Printf("%s: %d problems\n", system, len(problems))
			ok = false
		}
	}
	if !ok {
		os.Exit(1)
	}
}

// unique returns texts in their order, each once.
func unique(texts []string) (once []string) {
	for _, text := range texts {
		if !slices.Contains(once, text) {
			once = append(once, text)
		}
	}
	return once
}

// lint returns the problems of the module on a system. A file that belongs to a package and to its test has each problem
// twice.
func (l *loader) lint(system string, analyzers []*analysis.Analyzer) ([]string, error) {
	units, err := l.list(system)
	if err != nil {
		return nil, err
	}
	r := newRun(analyzers)
	if l.dead != nil {
		r.calls = newGraph(units)
	}
	problems := append(l.each(units, r.analyze), r.names.problems()...)
	if l.dead != nil && len(problems) == 0 { // what does not compile calls nothing
		problems = l.dead.problems(r.calls)
	}
	l.dead = nil // other systems call the same
	slices.Sort(problems)
	return slices.Compact(problems), nil
}
