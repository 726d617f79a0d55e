package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestGeneratedPackagesAreFresh checks that the packages of the systems and of their platform
// match their designs.
func TestGeneratedPackagesAreFresh(t *testing.T) {
	designs, err := filepath.Glob("../../apps/*/*.design.yaml")
	if err != nil || len(designs) != 4 {
		t.Fatalf("found %v, %v; want four designs", designs, err)
	}
	designs = append(designs, "../../apps/internal/platform/platform.design.yaml", "../../bench/internal/exams/exams.design.yaml")
	for _, design := range designs {
		t.Run(filepath.Base(design), func(t *testing.T) {
			var out bytes.Buffer
			if code := Run([]string{"generate", "--check", design}, strings.NewReader(""), &out, &out); code != exitOK {
				t.Errorf("run go run ./cmd/sortkey generate %s\n%s", strings.TrimPrefix(filepath.ToSlash(design), "../../"), &out)
			}
		})
	}
}
