package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/internal/modtest"
)

// tutorialBlock matches a block of the tutorial: commands, a part of the design, a Go file.
var tutorialBlock = regexp.MustCompile("(?s)```(console|yaml|go)\n(.*?)```")

// The test follows the tutorial like a newcomer: every block in order, in an empty folder.
// Commands must print what it shows; the parts of the design and the Go files are saved as
// it says.
func TestTutorial(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	workspace := filepath.Join(t.TempDir(), "go.work")
	modtest.Workspace(t, workspace, checkout, ".")
	files := []string{"main.go", "main_test.go"}
	commands := 0
	for _, block := range tutorialBlock.FindAllStringSubmatch(string(guide), -1) {
		switch block[1] {
		case "yaml":
			rewrite(t, "shop.design.yaml", func(text string) string { return text + "\n" + block[2] })
		case "go":
			if err := os.WriteFile(files[0], []byte(block[2]), 0o644); err != nil {
				t.Fatal(err)
			}
			files = files[1:]
		default:
			for _, command := range strings.Split(block[2], "$ ")[1:] {
				line, want, _ := strings.Cut(command, "\n")
				environment := "GOWORK=off"
				if line == "go run ." || line == "go test ." {
					environment = "GOWORK=" + workspace // does not compile this module again under a version
				}
				expectPieces(t, line, want, walk(t, line, checkout, environment))
				commands++
			}
		}
	}
	walk(t, "go list -deps -test .", checkout, "GOWORK=off") // without the workspace all packages are found, too
	walk(t, "go vet ./...", checkout, "GOWORK="+workspace)
	if commands < 8 || len(files) > 0 {
		t.Errorf("the tutorial shows %d commands and leaves out %v", commands, files)
	}
}

// walk runs one command of the tutorial: sortkey in this process, go in its own with more variables in its environment.
// go test vets with fewer checks than go vet, for which it would vet all dependencies again; so it does not, and the
// tests call go vet.
func walk(t *testing.T, line, checkout string, environment ...string) string {
	t.Helper()
	words := strings.Fields(strings.ReplaceAll(line, "../sortkey", checkout))
	var out bytes.Buffer
	if words[0] == "sortkey" {
		if code := Run(words[1:], strings.NewReader(""), &out, &out); code != exitOK {
			t.Fatalf("%s: exit status %d\n%s", line, code, &out)
		}
		return out.String()
	}
	command := exec.Command(words[0], words[1:]...)
	command.Stdout, command.Stderr = &out, &out
	// Without the paths of folders, what was built for an earlier test is used again.
	command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false -trimpath -vet=off")
	command.Env = append(command.Env, environment...)
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, &out)
	}
	return out.String()
}

// expectPieces looks for the shown output, piece after piece: … matches anything, a whole line
// or the rest of a line.
func expectPieces(t *testing.T, command, shown, got string) {
	t.Helper()
	for piece := range strings.SplitSeq(shown, "…") {
		piece = strings.Trim(piece, "\n")
		i := strings.Index(got, piece)
		if i < 0 {
			t.Fatalf("%s does not print, or not in this order:\n%s\nbut:\n%s", command, piece, got)
		}
		got = got[i+len(piece):]
	}
}
