// Command crossvet vets the packages of a module for several operating systems: it type-checks
// them and their tests as they are built there, and runs the analyzers of go vet on them. A package
// with the same files on another system is analyzed only once; its types are checked on each.
//
//	go run ./crossvet -C ../.. linux windows darwin
//
// go vet does the same with GOOS set, but compiles every dependency for that system first. This
// takes minutes; to check the types of a dependency from its source takes seconds.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

func main() {
	dir := flag.String("C", ".", "the folder of the module")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "crossvet: name at least one system, such as windows or darwin")
		os.Exit(2)
	}
	debug.SetMemoryLimit(3 << 30) // what was loaded for a system is garbage for the next
	l := newLoader(*dir)
	ok := true
	for _, system := range slices.Compact(slices.Sorted(slices.Values(flag.Args()))) { // the system of this machine may be named twice
		n, err := vet(l, system)
		if err != nil {
			fmt.Fprintf(os.Stderr, "crossvet: %s: %v\n", system, err)
			os.Exit(2)
		}
		if n > 0 {
			fmt.Printf("%s: %d problems\n", system, n)
			ok = false
		}
	}
	if !ok {
		os.Exit(1)
	}
}

// vet prints the problems of a module on a system, and returns their number. A file that belongs to a package and to its
// test has each problem twice.
func vet(l *loader, system string) (int, error) {
	fresh, problems, err := l.load(system)
	if err == nil && len(problems) == 0 {
		problems, err = analyze(fresh)
	}
	if err != nil {
		return 0, err
	}
	slices.Sort(problems)
	problems = slices.Compact(problems)
	for _, problem := range problems {
		fmt.Println(problem)
	}
	return len(problems), nil
}

// analyze returns what the analyzers find in packages.
func analyze(all []*packages.Package) (problems []string, err error) {
	graph, err := checker.Analyze(analyzers, all, nil)
	if err != nil {
		return nil, err
	}
	for action := range graph.All() {
		if !action.IsRoot {
			continue
		}
		if action.Err != nil {
			return nil, fmt.Errorf("%s of %s: %w", action.Analyzer.Name, action.Package.PkgPath, action.Err)
		}
		for _, d := range action.Diagnostics {
			problems = append(problems, fmt.Sprintf("%s: %s", action.Package.Fset.Position(d.Pos), d.Message))
		}
	}
	return problems, nil
}
