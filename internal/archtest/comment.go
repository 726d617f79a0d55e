package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A folder collects the package clauses of one package's files.
type folder struct {
	path     string
	code     []source // files that a build compiles
	tests    []source // files that only "go test" compiles
	packages []string // the names the files give, without duplicates
}

// A source is one file and its package comment, if it has one.
type source struct {
	name, comment string
}

// collect records the package clause and comment of a file.
func (c *checker) collect(name string, syntax *ast.File) {
	dir := path.Dir(name)
	f := c.folders[dir]
	if f == nil {
		f = &folder{path: dir}
		c.folders[dir] = f
	}
	s := source{name: name, comment: syntax.Doc.Text()}
	if strings.HasSuffix(name, "_test.go") {
		f.tests = append(f.tests, s)
	} else {
		f.code = append(f.code, s)
	}
	if p := strings.TrimSuffix(syntax.Name.Name, "_test"); !slices.Contains(f.packages, p) {
		f.packages = append(f.packages, p)
	}
}

// sentenceEnd matches the end of a sentence in a comment.
var sentenceEnd = regexp.MustCompile(`[.!?][)"]?(\s|$)`)

// comment checks that a package has exactly one comment of at least two sentences. A
// folder that holds only tests is documented in a test file.
func (c *checker) comment(f *folder) {
	files := f.code
	if len(files) == 0 {
		files = f.tests
	}
	var documented []source
	for _, s := range files {
		if s.comment != "" {
			documented = append(documented, s)
		}
	}
	switch len(documented) {
	case 0:
		c.report(f.path, "no package comment; say what the package is, what it is not and who calls it")
		return
	case 1:
	default:
		c.report(f.path, "%d package comments, the second in %s; keep one", len(documented), documented[1].name)
		return
	}
	name := f.packages[0]
	opening := "Package " + name + " "
	if name == "main" {
		opening = "Command " + path.Base(f.path) + " " // as the Go tools expect it
	}
	text := documented[0].comment
	if !strings.HasPrefix(text, opening) {
		c.report(documented[0].name, "the package comment must start with %q", strings.TrimSpace(opening))
	}
	if len(sentenceEnd.FindAllString(text, -1)) < 2 {
		c.report(documented[0].name, "the package comment is one sentence; say also what the package is not and who calls it")
	}
	if slices.Contains(c.EmptyNames, name) {
		c.report(f.path, "the package name %q says nothing; name it after the thing it holds", name)
	}
}
