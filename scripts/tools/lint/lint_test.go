package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// TestFindsWhatIsWrong compares the problems in testdata/faults with the comments there: "// want" and the names of checks.
func TestFindsWhatIsWrong(t *testing.T) {
	const dir = "testdata/faults"
	staticchecks, err := chosenChecks(dir)
	if err != nil {
		t.Fatal(err)
	}
	l := newLoader(dir)
	problems, err := l.lint("linux", slices.Concat(vetAnalyzers, staticchecks))
	if err != nil {
		t.Fatal(err)
	}
	onWindows, err := l.lint("windows", vetAnalyzers)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, dir, slices.Concat(problems, onWindows))
}

// TestFindsDeadFunctions does the same with testdata/dead, where a file allows a function and another that is not there.
func TestFindsDeadFunctions(t *testing.T) {
	const dir = "testdata/dead"
	problems := deadIn(t, dir, dir+"/allow")
	const stale = "testdata/dead/allow:3: this line allows nothing; remove it (dead)"
	if !slices.Contains(problems, stale) {
		t.Errorf("the problems are %q, without %q", problems, stale)
	}
	compare(t, dir, slices.DeleteFunc(problems, func(p string) bool { return p == stale }))
}

// deadIn lints a module without the check of unused names, which finds some of the dead functions, too.
func deadIn(t *testing.T, dir, allow string) []string {
	t.Helper()
	checks, err := chosenChecks(dir)
	if err != nil {
		t.Fatal(err)
	}
	checks = slices.DeleteFunc(checks, func(a *analysis.Analyzer) bool { return a.Name == "U1000" })
	l := newLoader(dir)
	if l.dead, err = newDeadCheck(dir, allow, "/inner$"); err != nil {
		t.Fatal(err)
	}
	problems, err := l.lint("linux", checks)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

// What a package that does not compile calls is not known, so nothing is called dead.
func TestNothingIsDeadInAModuleThatDoesNotCompile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26.0\n", "allow": "",
		"m.go":           "package main\n\nimport \"example.com/m/inner\"\n\nfunc main() { inner.Called(missing) }\n",
		"inner/inner.go": "// Package inner is called.\npackage inner\n\n// Called is called.\nfunc Called(int) {}\n",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if problems := deadIn(t, dir, filepath.Join(dir, "allow")); len(problems) != 1 || !strings.Contains(problems[0], "missing") {
		t.Errorf("the problems are %q, want only that of the name", problems)
	}
}

// compare compares problems with what the comments in a folder want.
func compare(t *testing.T, dir string, problems []string) {
	t.Helper()
	shape := regexp.MustCompile(`([^/\\]+\.go:\d+):\d+: .* (\(.*\))$`)
	var got []string
	for _, problem := range problems {
		found := shape.FindStringSubmatch(problem)
		if found == nil {
			t.Errorf("the problem has no place or no check: %s", problem)
			continue
		}
		got = append(got, found[1]+" "+found[2])
	}
	slices.Sort(got)
	got = slices.Compact(got) // what both systems see
	if want := wanted(t, dir); !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReportsWhatDoesNotCompileElsewhere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26.0\n", "a.go": "package m\n\nvar A = b\n", "b_linux.go": "package m\n\nvar b = 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := newLoader(dir)
	for system, want := range map[string]int{"linux": 0, "darwin": 1} {
		problems, err := l.lint(system, vetAnalyzers)
		if err != nil || len(problems) != want {
			t.Errorf("%s: %q, %v, want %d problems", system, problems, err, want)
		}
	}
}

func TestSettingsNameChecks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "staticcheck.conf"), []byte(`checks = ["inherit", "-SA40l7"]`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := chosenChecks(dir); err == nil || !strings.Contains(err.Error(), `"SA40l7"`) {
		t.Errorf("the error of a check that does not exist is %v", err)
	}
}

// wanted returns what the comments in the files of a folder want.
func wanted(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" {
			return err
		}
		text, err := os.ReadFile(file)
		for i, line := range strings.Split(string(text), "\n") {
			_, checks, _ := strings.Cut(line, "// want ")
			for _, check := range strings.Fields(checks) {
				all = append(all, filepath.Base(file)+":"+strconv.Itoa(i+1)+" ("+check+")")
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}
