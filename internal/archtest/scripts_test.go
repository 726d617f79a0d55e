package archtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scripts is the folder of the scripts that people run.
const scripts = "../../scripts"

// Each script says with --help what it does, and does nothing else.
func TestScriptsPrintTheirUsage(t *testing.T) {
	files, err := filepath.Glob(scripts + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, scripts+"/clients/run", scripts+"/libraries/run") {
		if info, err := os.Stat(file); err != nil || info.IsDir() || strings.HasSuffix(file, ".bash") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "usage.bash") {
			t.Errorf("%s does not source usage.bash", file)
			continue
		}
		for _, flag := range []string{"--help", "-h"} {
			usage, err := exec.CommandContext(t.Context(), "bash", file, flag).CombinedOutput()
			if err != nil || !strings.Contains(string(usage), "./"+strings.TrimPrefix(file, "../../")) || strings.HasPrefix(string(usage), "#") {
				t.Errorf("%s %s: %v\n%s", file, flag, err, usage)
			}
		}
	}
}

// scripts/release refuses what it cannot build before it deletes the release that is there.
func TestAReleaseIsKeptWhenArgumentsAreWrong(t *testing.T) {
	work := t.TempDir()
	if err := os.CopyFS(filepath.Join(work, "scripts"), os.DirFS(scripts)); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(work, "dist", "kept")
	if err := os.Mkdir(filepath.Dir(kept), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--version"}, {"1.2.3"}, {"vnext"}, {"v1 2"}, {"v1.2.3", "linux"}, {"v1.2.3", "linux/amd64", "linux/pdp11"}, {"v1.2.3", "--help"}} {
		said, err := exec.CommandContext(t.Context(), "bash", append([]string{filepath.Join(work, "scripts", "release")}, args...)...).CombinedOutput()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(said), "release: ") {
			t.Errorf("release %q: %v\n%s", args, err, said)
		}
		if _, err := os.Stat(kept); err != nil {
			t.Fatalf("release %q: %v", args, err)
		}
	}
}
