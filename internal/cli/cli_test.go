package cli

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sortkey.dev/internal/effort"
)

func TestMain(m *testing.M) {
	// On a busy machine any call can take long, and notices about waiting would change the
	// compared output. Tests of notices and progress set their own times.
	defaultTimeouts.notice, logInterval = time.Hour, time.Hour
	os.Setenv("AWS_EC2_METADATA_DISABLED", "true") // no test looks for the role of a virtual machine
	testscript.Main(m, map[string]func(){
		"sortkey": func() { os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestStories runs testdata/script: each file is one scenario with the real
// program. UPDATE=1 go test ./internal/cli rewrites the expected output.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               stories(t),
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Values[serversKey{}] = servers{}
			root, err := filepath.Abs("../..")
			env.Setenv("ROOT", root) // of the repository
			env.Setenv("AWS_EC2_METADATA_DISABLED", "true")
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"call":  callEndpoint,
			"end":   endServer,
			"start": startServer,
			"door":  openDoor,
		},
	})
}

// stories returns the files of the scenarios; under the race detector only those with a
// server, because the others have no concurrency.
func stories(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no stories: %v", err)
	}
	if !effort.UnderRace {
		return files
	}
	return slices.DeleteFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return !strings.Contains("\n"+string(text), "\nstart ")
	})
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args string
		want int
	}{
		{"version", exitOK},
		{"help serve", exitOK},
		{"serve -h", exitOK},
		{"serve --addr 192.0.2.1:8000", exitFailure}, // a documentation address, never assigned
		{"", exitUsage},
		{"sevre", exitUsage},
		{"help sevre", exitUsage},
		{"serve --nope", exitUsage},
		{"serve --addr nowhere", exitUsage},
		{"serve --addr 127.0.0.1:99999", exitUsage},
		{"serve --addr 127.0.0.1:-1", exitUsage},
		{"run ask-a-human --addr 127.0.0.1:65536", exitUsage},
		{"demo --addr 127.0.0.1:65536", exitUsage},
		{"version extra", exitUsage},
		{"cost --region mars-1 ../../apps/ecobid/ecobid.design.yaml", exitUsage},
	} {
		if got := Run(strings.Fields(c.args), strings.NewReader(""), io.Discard, io.Discard); got != c.want {
			t.Errorf("sortkey %s: exit code %d, want %d", c.args, got, c.want)
		}
	}
}

func TestCommandsAreSortedAndExplained(t *testing.T) {
	all := commands()
	if !slices.IsSortedFunc(all, func(a, b command) int { return strings.Compare(a.name, b.name) }) {
		t.Error("commands() is not sorted by name")
	}
	for _, c := range all {
		if c.summary == "" || c.about == "" || strings.HasSuffix(c.summary, ".") {
			t.Errorf("%s: needs a summary without a full stop and a text about it", c.name)
		}
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "1b": 1, "64MiB": 64 << 20, "64mib": 64 << 20, "1GB": 1e9, "2g": 2 << 30, "3 k": 3 << 10,
	} {
		var got byteSize
		if err := got.Set(text); err != nil || int64(got) != want {
			t.Errorf("Set(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "-1MiB", "1.5GB", "12 parsecs", "9223372036854775807k", "99999999999999999999"} {
		got := byteSize(7)
		if err := got.Set(text); err == nil || got != 7 {
			t.Errorf("Set(%q) was accepted as %d", text, got)
		}
	}
}
