package randomdesign

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/design"
	"sortkey.dev/internal/modtest"
)

// values matches the parts of messages that differ between failures of one kind.
var values = regexp.MustCompile(`"[^"]*"|'[^']*'|[A-Za-z_.-]*[0-9][A-Za-z0-9_.:-]*|\{[^}]*\}|\([^)]*\)|map\[.*|\[.*\]`)

func generated(d *design.Design, pkg string) ([]design.GeneratedFile, error) {
	return d.Generate(design.GenerateOptions{Package: pkg, ImportPath: modtest.Path + "/" + pkg})
}

func generates(d *design.Design, _ []byte) error {
	first, err := generated(d, "roaddb")
	if err != nil {
		return err
	}
	second, err := generated(d, "roaddb")
	if err != nil {
		return err
	}
	for i := range first {
		if !bytes.Equal(first[i].Text, second[i].Text) {
			return fmt.Errorf("%s differs the second time", first[i].Name)
		}
	}
	return nil
}

// exports returns the export data files of the packages that generated code imports.
var exports = sync.OnceValues(func() (map[string]string, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "sortkey.dev/design/internal/gogen/internal/shop/shopdb/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[name] = file
	}
	return files, nil
})

// TestMain builds the packages that generated code imports, which on a new machine takes
// longer than the timeout of a stage.
func TestMain(m *testing.M) {
	if _, err := exports(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// compiles type-checks generated code in process, which is far faster than the compiler.
func compiles(d *design.Design, _ []byte) error {
	files, err := generated(d, "roaddb")
	if err != nil {
		return err
	}
	compiled, err := exports()
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	byFolder := map[string][]*ast.File{}
	for _, f := range files {
		syntax, err := parser.ParseFile(fset, f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("syntax: %w", err)
		}
		folder := filepath.ToSlash(filepath.Dir(filepath.FromSlash(f.Name)))
		byFolder[folder] = append(byFolder[folder], syntax)
	}
	outside := importer.ForCompiler(fset, "gc", func(name string) (io.ReadCloser, error) {
		if compiled[name] == "" {
			return nil, fmt.Errorf("%s is not there", name)
		}
		return os.Open(compiled[name])
	})
	var all []error
	config := types.Config{Importer: outside, Error: func(err error) { all = append(all, err) }}
	own, _ := config.Check(modtest.Path+"/roaddb", fset, byFolder["."], nil)
	config.Importer = withOwn{outside, own}
	for folder, syntax := range byFolder {
		if folder != "." {
			config.Check(modtest.Path+"/roaddb/"+folder, fset, syntax, nil)
		}
	}
	return errors.Join(all...)
}

// withOwn is an importer that also knows one package that was just checked.
type withOwn struct {
	types.Importer
	own *types.Package
}

func (w withOwn) Import(name string) (*types.Package, error) {
	if name == w.own.Path() {
		return w.own, nil
	}
	return w.Importer.Import(name)
}
