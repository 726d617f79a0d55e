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
	for _, system := range systems(flag.Args()) {
		n, err := vet(l, system)
		if err != nil {
			fmt.Fprintf(os.Stderr, "crossvet: %s: %v\n", system, err)
		} else if n > 0 {
			fmt.Printf("%s: %d problems\n", system, n)
		}
		ok = ok && err == nil && n == 0
	}
	if !ok {
		os.Exit(1)
	}
}

// systems returns the names without repetitions: the system of this machine may be named twice.
func systems(names []string) []string {
	var once []string
	for _, name := range names {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

// vet prints the problems of a module on a system, and returns their number.
func vet(l *loader, system string) (int, error) {
	fresh, err := l.load(system)
	if err != nil {
		return 0, err
	}
	graph, err := checker.Analyze(analyzers, fresh, nil)
	if err != nil {
		return 0, err
	}
	return report(graph)
}

// report prints the diagnostics of the packages of the module, and returns their number. A file
// that belongs to a package and to its test has each diagnostic twice.
func report(graph *checker.Graph) (int, error) {
	seen := map[string]bool{}
	for action := range graph.All() {
		if !action.IsRoot {
			continue
		}
		if action.Err != nil {
			return 0, fmt.Errorf("%s of %s: %w", action.Analyzer.Name, action.Package.PkgPath, action.Err)
		}
		for _, d := range action.Diagnostics {
			line := fmt.Sprintf("%s: %s", action.Package.Fset.Position(d.Pos), d.Message)
			if !seen[line] {
				seen[line] = true
				fmt.Println(line)
			}
		}
	}
	return len(seen), nil
}
