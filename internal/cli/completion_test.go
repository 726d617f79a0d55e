package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine"
)

// completeIn is code of shells: it loads the script $1 and prints what the last word of the line $2 completes to.
var completeIn = map[string]string{
	"bash": `source "$1"; COMP_WORDS=($2); [[ $2 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sortkey; echo "${COMPREPLY[*]}"`,
	"fish": `source $argv[2]; echo (complete -C $argv[3] | string split -f 1 \t)`,
}

// writeScript writes the completion script of a shell to a file and returns its path.
func writeScript(t *testing.T, shell, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(completions[shell](completed())), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// bash, which scripts/test needs, too, and fish, if it is here, complete commands, flags, values and systems.
func TestCompletionInShells(t *testing.T) {
	for shell, code := range completeIn {
		program, err := exec.LookPath(shell)
		if err != nil && shell != "bash" {
			continue
		}
		script := writeScript(t, shell, "sortkey."+shell)
		for line, want := range map[string]string{
			"sortkey ch":                       "check",
			"sortkey run home":                 "homeops",
			"sortkey check --fail-":            "--fail-on",
			"sortkey check x --fail-on w":      "warning",
			"sortkey completion z":             "zsh",
			"sortkey help ver":                 "verify version",
			"sortkey run ask-a-human --endp":   "--endpoint",
			"sortkey report shop.design.yaml ": "",
		} {
			if shell == "fish" && want == "" {
				continue // it lists the files of this directory
			}
			run := exec.Command(program, "-c", code, shell, script, line)
			run.Env = append(os.Environ(), "HOME="+t.TempDir())
			out, err := run.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != want {
				t.Errorf("%s: %q completes to %q, want %q (%v)", shell, line, got, want, err)
			}
		}
	}
}

// zsh loads a script in its path of functions only at the first Tab, which has to complete, too.
func TestZshCompletesAtTheFirstTab(t *testing.T) {
	const whenLoaded = "\nif [[ $funcstack[1] == _sortkey ]]; then\n  _sortkey \"$@\"\n"
	if !strings.Contains(zshCompletion(completed()), whenLoaded) {
		t.Errorf("the script does not end with\n%s", whenLoaded)
	}
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		return
	}
	const firstTab = `fpath=($1 $fpath); autoload -Uz _sortkey; _describe() { print $1 }; words=(sortkey ch); CURRENT=2; _sortkey`
	out, err := exec.Command(zsh, "-f", "-c", firstTab, "zsh", filepath.Dir(writeScript(t, "zsh", "_sortkey"))).CombinedOutput()
	if err != nil || string(out) != "command\n" {
		t.Errorf("the first word is not completed: %q, %v", out, err)
	}
}

// Every script names every command and every flag, and the shells that are here accept it.
func TestCompletionIsWhole(t *testing.T) {
	for shell, print := range completions {
		script := print(completed())
		for _, c := range completed() {
			if !strings.Contains(script, c.name) {
				t.Errorf("%s: no command %s", shell, c.name)
			}
			for _, f := range c.flags {
				if !strings.Contains(script, strings.TrimPrefix(f.name, "--")) {
					t.Errorf("%s: %s has no flag %s", shell, c.name, f.name)
				}
			}
		}
		program, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		check := exec.Command(program, "-n")
		check.Stdin = strings.NewReader(script)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s does not accept its script: %v: %s", shell, err, out)
		}
	}
}

// The manual has a page for every command, and no line of text is taken for a request of roff.
func TestManualPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	if code, _, errs := runAlone("man", "--dir", dir); code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	requests := []string{".TH ", ".nh", ".ad l", ".SH ", ".PP", ".TP", ".B ", ".BI ", ".BR ", ".I ", ".nf", ".fi"}
	for _, c := range commands() {
		text, err := os.ReadFile(filepath.Join(dir, "sortkey-"+c.name+".1"))
		if err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(string(text)) {
			known := !strings.HasPrefix(line, ".") && !strings.HasPrefix(line, "'")
			for _, request := range requests {
				known = known || strings.HasPrefix(line, request)
			}
			if !known {
				t.Errorf("sortkey-%s.1: unexpected request %q", c.name, line)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "sortkey.1")); err != nil {
		t.Error(err)
	}
}

// A command line that makes no sense exits with 2, in every command.
func TestInvalidCommandLines(t *testing.T) {
	for _, line := range []string{
		"cost DESIGN --tags nope", "cost DESIGN --scale abc", "cost DESIGN --profile nope", "report DESIGN --alternative nope",
		"check DESIGN --tags nope", "check DESIGN --profile nope", "verify DESIGN --alternative nope", "generate DESIGN --tags nope", "infra DESIGN --alternative nope",
		"explain", "explain O999", "explain ListOrders", "completion tcsh", "completion", "man nope", "man check --dir x",
		"generate DESIGN DESIGN --out x", "demo ecobid", "demo --addr x", "run nope", "health", "health 127.0.0.1:8000",
	} {
		args := strings.Split(strings.ReplaceAll(line, "DESIGN", smallDesign), " ")
		if code, _, errs := runAlone(args...); code != exitUsage {
			t.Errorf("%s: exit code %d, want %d: %s", line, code, exitUsage, errs)
		}
	}
}

// health tells a server that responds from one that does not.
func TestHealth(t *testing.T) {
	clock := engine.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	db, err := engine.Open("", &engine.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	server := httptest.NewServer(db)
	if code, out, errs := runAlone("health", server.URL); code != exitOK || out != "" {
		t.Errorf("a server: exit code %d: %s%s", code, out, errs)
	}
	table := []byte(`{"TableName": "Events", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}`)
	if status, body := sendCreateTable(t, server.URL, table); status != http.StatusOK {
		t.Fatalf("create a table: status %d: %s", status, body)
	}
	clock.Set(clock.Now().Add(-time.Hour))
	if code, out, _ := runAlone("health", server.URL); code != exitOK || !strings.HasPrefix(out, "warning: the newest time in the database") {
		t.Errorf("a server with a clock that was set back: exit code %d: %s", code, out)
	}
	away := httptest.NewServer(http.NotFoundHandler())
	defer away.Close()
	if code, _, errs := runAlone("health", away.URL); code != exitFailure || !strings.Contains(errs, "responds with status") {
		t.Errorf("no page: exit code %d: %s", code, errs)
	}
	server.Close()
	if code, _, errs := runAlone("health", server.URL); code != exitFailure || !strings.Contains(errs, "no response") {
		t.Errorf("no server: exit code %d: %s", code, errs)
	}
}
