package cli

import (
	"path/filepath"
	"testing"

	"sortkey.dev/apps"
)

// TestASystemKeepsItsFilesWithItsData checks that the files of people are kept exactly where the
// database is.
func TestASystemKeepsItsFilesWithItsData(t *testing.T) {
	var inMemory, kept, shown apps.Config
	shown.Demo = true
	keepIn("", "exambuddy", &inMemory)
	keepIn("data", "exambuddy", &kept)
	keepIn("data", "exambuddy", &shown)
	if inMemory.FilesDir != "" || inMemory.DemoMemory != "" {
		t.Errorf("without a directory: %q, %q", inMemory.FilesDir, inMemory.DemoMemory)
	}
	if want := filepath.Join("data", "exambuddy-files"); kept.FilesDir != want || shown.FilesDir != want {
		t.Errorf("the files are in %q and %q, want %q", kept.FilesDir, shown.FilesDir, want)
	}
	if kept.DemoMemory != "" || shown.DemoMemory != filepath.Join("data", "exambuddy-demo.json") {
		t.Errorf("the demo remembers itself in %q and %q", kept.DemoMemory, shown.DemoMemory)
	}
}
