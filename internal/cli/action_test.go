package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// An actionFile is the part of action.yml that a runner executes.
type actionFile struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Name, Shell, Run string
			Env              map[string]string
		}
	}
}

// A runner executes the steps of the action in a repository that uses it, as a runner of GitHub does.
type runner struct {
	t                *testing.T
	action           actionFile
	root, repository string // the checkouts of sortkey and of the repository
	temp, paths      string // RUNNER_TEMP and the file GITHUB_PATH
	values           map[string]string
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{t: t, root: root, repository: t.TempDir(), temp: t.TempDir(), values: map[string]string{"github.action_ref": "v9.8.7", "github.event.pull_request.base.sha": ""}}
	if err := yaml.Unmarshal(text, &r.action); err != nil {
		t.Fatal(err)
	}
	r.paths = filepath.Join(r.temp, "paths")
	for name, input := range r.action.Inputs {
		r.values["inputs."+name] = input.Default
	}
	return r
}

var actionExpression = regexp.MustCompile(`\$\{\{ *([a-z._-]+) *\}\}`)

// evaluate replaces the expressions of a value.
func (r *runner) evaluate(value string) string {
	return actionExpression.ReplaceAllStringFunc(value, func(found string) string {
		name := actionExpression.FindStringSubmatch(found)[1]
		value, ok := r.values[name]
		if !ok {
			r.t.Fatalf("the runner has no value of %s", name)
		}
		return value
	})
}

// run executes a command in the repository with the PATH that earlier steps have extended.
func (r *runner) run(env map[string]string, name string, args ...string) (string, error) {
	path := os.Getenv("PATH")
	added, _ := os.ReadFile(r.paths) // missing before the first step
	for _, folder := range strings.Fields(string(added)) {
		path = folder + string(os.PathListSeparator) + path
	}
	command := exec.CommandContext(r.t.Context(), "/usr/bin/env", append([]string{name}, args...)...) // looks the command up in the new PATH
	command.Dir = r.repository
	command.Env = append(os.Environ(), "GOPROXY=off", "PATH="+path, "RUNNER_TEMP="+r.temp, "GITHUB_PATH="+r.paths, "GITHUB_ACTION_PATH="+r.root)
	for key, value := range env {
		command.Env = append(command.Env, key+"="+r.evaluate(value))
	}
	said, err := command.CombinedOutput()
	return string(said), err
}

// step executes one step of the action.
func (r *runner) step(number int) (string, error) {
	r.t.Helper()
	step := r.action.Runs.Steps[number]
	if step.Shell != "bash" {
		r.t.Fatalf("the step %s has no shell that all runners have", step.Name)
	}
	return r.run(step.Env, "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", r.evaluate(step.Run))
}

// TestThePullRequestActionRunsFromItsRepository: there is no release that could be installed.
func TestThePullRequestActionRunsFromItsRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("links the command")
	}
	t.Parallel()
	r := newRunner(t)
	if said, err := r.step(0); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if said, err := r.run(nil, "sortkey", "version"); err != nil || !strings.Contains(said, "v9.8.7") {
		t.Fatalf("sortkey version: %v\n%s", err, said)
	}
	if said, err := r.run(nil, "sortkey", "init"); err != nil {
		t.Fatalf("sortkey init: %v\n%s", err, said)
	}
	r.values["inputs.designs"] = "shop.design.yaml"
	if said, err := r.step(1); err != nil {
		t.Errorf("a design without findings fails the job: %v\n%s", err, said)
	}
	findings := filepath.Join(r.repository, r.values["inputs.sarif"])
	if text, err := os.ReadFile(findings); err != nil || !bytes.Contains(text, []byte("sarif")) {
		t.Errorf("the findings are not in %s: %v\n%s", findings, err, text)
	}

	design := filepath.Join(r.repository, "shop.design.yaml")
	text, err := os.ReadFile(design)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(design, append(text, "\nunknown: 1\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if said, err := r.step(1); err == nil || !strings.Contains(said, "unknown") {
		t.Errorf("a design with an error does not fail the job: %v\n%s", err, said)
	}
	if text, err := os.ReadFile(findings); err != nil || !bytes.Contains(text, []byte("unknown")) {
		t.Errorf("the error is not in %s: %v\n%s", findings, err, text)
	}
}
