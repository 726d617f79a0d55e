// Command walk runs the shell commands of Markdown documents in a checkout, as a newcomer would: each must
// succeed. A command that serves runs until the next one starts or the document ends. The command sortkey is that
// of PATH, which a document may export.
//
//	go run ./walk -C CHECKOUT README.md docs/guide/serve.md
//
// It does not run what needs an account of AWS or takes hours, and names it. Blocks with shown
// output (console) are compared by the tests of internal/cli. Files in the checkout that git does not
// know are deleted before each document.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	checkout := flag.String("C", ".", "the `directory` of the checkout")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if failed := walk(ctx, *checkout, flag.Args()); failed > 0 {
		fmt.Printf("walk: %d failed\n", failed)
		os.Exit(1)
	}
}

// walk runs the commands of the documents and returns how many failed.
func walk(ctx context.Context, checkout string, documents []string) (failed int) {
	for _, document := range documents {
		text, err := os.ReadFile(filepath.Join(checkout, document))
		if err != nil {
			fmt.Println(err)
			return failed + 1
		}
		clean := exec.CommandContext(ctx, "git", "clean", "-dfxq") // what earlier documents left
		clean.Dir = checkout
		if err := clean.Run(); err != nil {
			fmt.Println("git clean:", err)
			return failed + 1
		}
		shell := newShell(checkout)
		for _, block := range blocks(string(text)) {
			for _, command := range block.commands() {
				failed += shell.report(ctx, document, command)
			}
		}
		shell.stop()
	}
	return failed
}

// report runs one command and prints a line about it. It returns 1 if the command failed.
func (s *shell) report(ctx context.Context, document string, c command) int {
	shown := fmt.Sprintf("%s:%d: %s", document, c.line, firstLine(c.text))
	if why := leftOut(c.text); why != "" {
		fmt.Printf("left out  %s (%s)\n", shown, why)
		return 0
	}
	start := time.Now()
	if err := s.run(ctx, c); err != nil {
		fmt.Printf("FAILED    %s\n%s\n", shown, indent(err.Error()))
		return 1
	}
	fmt.Printf("ok %6.1fs %s\n", time.Since(start).Seconds(), shown)
	return 0
}

// leftOut returns why a command is not run; "" if it is.
func leftOut(text string) string {
	switch {
	case strings.Contains(text, "--aws"):
		return "needs an account of AWS"
	case strings.Contains(text, "scripts/libraries"):
		return "needs the sources of other libraries"
	case strings.HasPrefix(text, "tail -f"):
		return "waits for records"
	case strings.HasPrefix(text, "./scripts/test"):
		return "is timed apart"
	}
	return ""
}

func firstLine(text string) string {
	line, more, _ := strings.Cut(text, "\n")
	if more != "" {
		line += " …"
	}
	return line
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
