package cli

import (
	"bufio"
	"bytes"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sortkey.dev/engine"
	"sortkey.dev/internal/modtest"
)

// TestEvolveUnderTraffic renames an attribute and replaces an index while programs of generated code use the table: at first of the
// old version, then of both, then of the new one. No call fails, every answer is right, and the rest of the old version goes.
func TestEvolveUnderTraffic(t *testing.T) {
	w := newEvolving(t)
	w.sortkey("plan", "--baseline", "tasks.design.yaml")
	w.generate("v1", "Title")
	w.sortkey("apply", "tasks.design.yaml", "--endpoint", w.url)
	old := []*traffic{w.begin("v1", "ann"), w.begin("v1", "bob")}

	w.use("v2")
	w.sortkey("plan", "tasks.design.yaml", "--name", "names", "--accept", "E004")
	w.generate("v2", "Name")
	w.migrate("waits before step deploy")
	new := []*traffic{w.begin("v2", "cleo")} // beside the old version
	for i, program := range old {
		program.end()
		new = append(new, w.begin("v2", []string{"dan", "eve"}[i]))
	}
	w.resume()
	w.migrate("waits before step read")
	w.resume()
	w.migrate("waits before step after")

	// All the way back, and again.
	w.sortkey("migrate", "rollback", "tasks.design.yaml", "--endpoint", w.url)
	w.migrate("the tables have version 1")
	w.resume()
	w.migrate("waits before step read")
	w.resume()
	w.migrate("waits before step after")
	w.resume()
	w.migrate("the tables have version 2")
	for _, program := range new {
		program.end()
	}
	w.sortkey("drift", "tasks.design.yaml", "--endpoint", w.url, "--full")
}

// TestMoveUnderTraffic moves all items to another table while programs of generated code use them.
func TestMoveUnderTraffic(t *testing.T) {
	w := newEvolving(t)
	w.sortkey("plan", "--baseline", "tasks.design.yaml")
	w.generate("v1", "Title")
	w.sortkey("apply", "tasks.design.yaml", "--endpoint", w.url)
	old := w.begin("v1", "ann")

	w.use("moved")
	w.sortkey("plan", "tasks.design.yaml", "--name", "moved", "--accept", "E004")
	w.generate("moved", "Title")
	w.migrate("waits before step deploy")
	old.end()
	w.resume()
	// The table is there from then on.
	w.migrate("waits before step read")
	new := []*traffic{w.begin("moved", "cleo"), w.begin("moved", "dan")}
	w.resume()
	w.migrate("waits before step after")
	w.sortkey("migrate", "rollback", "tasks.design.yaml", "--endpoint", w.url)
	w.migrate("the tables have version 1")
	w.resume()
	w.migrate("waits before step read")
	w.resume()
	w.migrate("waits before step after")
	w.resume()
	w.migrate("the tables have version 2")
	for _, program := range new {
		program.end()
	}
	w.sortkey("drift", "tasks.design.yaml", "--endpoint", w.url, "--full")
}

// evolving is a design that changes while programs use it.
type evolving struct {
	*testing.T
	checkout, url string
	module        modtest.Module
}

func newEvolving(t *testing.T) *evolving {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(db)
	t.Cleanup(func() {
		server.Close()
		_ = db.Close()
	})
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	w := &evolving{T: t, checkout: checkout, url: server.URL, module: modtest.New(t, checkout)}
	t.Chdir(w.module.Dir)
	w.use("v1")
	return w
}

// use makes the design that of a version.
func (w *evolving) use(version string) {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.checkout, "internal/cli/testdata/evolve", version+".design.yaml"))
	if err != nil {
		w.Fatal(err)
	}
	w.module.Write(w, "tasks.design.yaml", text)
}

func (w *evolving) run(args ...string) (int, string) {
	var out bytes.Buffer
	code := Run(args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

func (w *evolving) sortkey(args ...string) {
	w.Helper()
	if code, out := w.run(args...); code != exitOK {
		w.Fatalf("sortkey %s: exit status %d\n%s", strings.Join(args, " "), code, out)
	}
}

// generate builds the program of a version.
func (w *evolving) generate(version, field string) {
	w.Helper()
	w.sortkey("generate", "tasks.design.yaml", "--out", version+"/db")
	text, err := os.ReadFile(filepath.Join(w.checkout, "internal/cli/testdata/evolve/program.go.txt"))
	if err != nil {
		w.Fatal(err)
	}
	program := strings.NewReplacer("VERSION", version, "FIELD", field).Replace(string(text))
	w.module.Write(w, version+"/main.go", []byte(program))
	walk(w.T, "go build -o "+version+"/program ./"+version, w.checkout)
}

// migrate carries the migration on, until the run says something.
func (w *evolving) migrate(want string) {
	w.Helper()
	_, out := w.run("migrate", "apply", "tasks.design.yaml", "--endpoint", w.url, "--lease", "300ms", "--settle", "20ms")
	if !strings.Contains(out, want) {
		w.Fatalf("sortkey migrate apply does not say %q but\n%s", want, out)
	}
}

func (w *evolving) resume() {
	w.Helper()
	w.sortkey("migrate", "resume", "tasks.design.yaml", "--endpoint", w.url)
}

// traffic is a program that uses the tables.
type traffic struct {
	t       *testing.T
	command *exec.Cmd
	stdin   io.Closer
	out     *bufio.Reader
}

// begin starts a program, and returns when it has made some calls.
func (w *evolving) begin(version, name string) *traffic {
	w.Helper()
	p := &traffic{t: w.T, command: exec.Command(filepath.Join(w.module.Dir, version, "program"), w.url, name)}
	var err error
	if p.stdin, err = p.command.StdinPipe(); err != nil {
		w.Fatal(err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	p.command.Stderr, p.out = p.command.Stdout, bufio.NewReader(out)
	if err := p.command.Start(); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = p.command.Process.Kill() })
	if line, _ := p.out.ReadString('\n'); line != "ready\n" {
		w.Fatal(line)
	}
	return p
}

// end stops a program. All its calls were right.
func (p *traffic) end() {
	p.t.Helper()
	_ = p.stdin.Close()
	rest, _ := io.ReadAll(p.out)
	if err := p.command.Wait(); err != nil {
		p.t.Errorf("%v: %s", err, rest)
	}
	p.t.Log(strings.TrimSpace(string(rest)))
}
