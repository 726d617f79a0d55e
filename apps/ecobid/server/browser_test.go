package server_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// TestMain runs the tests, or the child process of the kill test.
func TestMain(m *testing.M) {
	if directory := os.Getenv(killDirectory); directory != "" {
		fmt.Fprintln(os.Stderr, serveUntilKilled(context.Background(), directory))
		os.Exit(1)
	}
	webtest.Main(m)
}
