package yaml_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/yaml"
)

const repository = "../../.."

// corpus returns every YAML text of the repository: files, and blocks of YAML in Markdown.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(repository, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(repository, path)
		switch filepath.Ext(path) {
		case ".yaml", ".yml":
			text, err := os.ReadFile(path)
			texts[name] = string(text)
			return err
		case ".md":
			text, err := os.ReadFile(path)
			for i, part := range strings.Split(string(text), "```yaml\n") {
				if block, _, closed := strings.Cut(part, "```"); i > 0 && closed {
					texts[name+" block "+string(rune('0'+i))] = block
				}
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 100 {
		t.Fatalf("only %d YAML texts were found", len(texts))
	}
	return texts
}

// TestEveryTextOfTheRepository compares our parser with the library: both accept the same
// texts and parse them the same.
func TestEveryTextOfTheRepository(t *testing.T) {
	for name, text := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			d, problems := yaml.Read([]byte(text))
			want, err := theirs(text)
			if len(problems) > 0 {
				onPurpose := problems[0].Kind != yaml.Syntax || !utf8.ValidString(text) || strings.Contains(text, "\x00")
				if err == nil && !onPurpose {
					t.Errorf("only ours refuses it: %+v", problems[0])
				}
				return
			}
			if err != nil {
				t.Fatalf("only the library refuses it: %v", err)
			}
			if diff := cmp.Diff(want, ours(d.Root)); diff != "" {
				t.Errorf("(-theirs +ours):\n%s", diff)
			}
		})
	}
}
