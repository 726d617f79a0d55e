// Package modtest makes modules of generated code beside this one. The go command sees both in one workspace: so the
// packages of this module are not compiled and vetted again for the other, as those of a dependency would be.
// Only tests import it.
package modtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// Path is the path of the modules.
const Path = "generated.test"

// A Module is a folder with a module.
type Module struct{ Dir string }

// New makes an empty module. The checkout is the folder of this module.
func New(t testing.TB, checkout string) Module {
	t.Helper()
	m := Module{t.TempDir()}
	m.Write(t, "go.mod", []byte("module "+Path+"\n\ngo 1.26.0\n"))
	Workspace(t, filepath.Join(m.Dir, "go.work"), checkout, m.Dir)
	return m
}

// version matches the version of Go in its name. A workspace must not have an older one than go mod gives new modules.
var version = regexp.MustCompile(`go(\d+\.\d+(\.\d+|rc\d+)?)`)

// Workspace writes the file of a workspace of modules, which are given by their folders.
func Workspace(t testing.TB, file string, folders ...string) {
	t.Helper()
	text := "go " + version.FindStringSubmatch(runtime.Version())[1] + "\n"
	for _, folder := range folders {
		absolute, err := filepath.Abs(folder)
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("\nuse %q\n", filepath.ToSlash(absolute))
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Write writes a file of the module.
func (m Module) Write(t testing.TB, name string, text []byte) {
	t.Helper()
	path := filepath.Join(m.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Go returns a go command in a folder, to which the packages of both modules are known.
func (m Module) Go(folder string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = folder
	// With the flags of the test and without the paths of folders, packages that were compiled before are used again.
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath", "GOWORK="+filepath.Join(m.Dir, "go.work"))
	return cmd
}
