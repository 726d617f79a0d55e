// Command crossvet vets the packages of a module for several operating systems: it type-checks
// them and their tests as they are built there, and runs the analyzers of go vet on them. What is
// the same on every system is checked on the first.
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

	"golang.org/x/tools/go/analysis"
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
	ok := true
	for i, system := range slices.Compact(slices.Sorted(slices.Values(flag.Args()))) { // the system of this machine may be named twice
		chosen := analyzers
		if i == 0 {
			chosen = slices.Concat(analyzers, alike)
		}
		n, err := vet(*dir, system, chosen)
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

// vet prints the problems of the module in dir on a system, and returns their number.
func vet(dir, system string, analyzers []*analysis.Analyzer) (int, error) {
	config := &packages.Config{
		Dir:   dir,
		Env:   append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		Mode:  packages.LoadAllSyntax | packages.NeedModule,
		Tests: true,
	}
	all, err := packages.Load(config, "./...")
	if err != nil {
		return 0, err
	}
	if n := packages.PrintErrors(all); n > 0 {
		return n, nil
	}
	graph, err := checker.Analyze(analyzers, all, nil)
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
