package main

import (
	"os/exec"
	"regexp"
	"strings"
)

// A block is one fenced block of a document.
type block struct {
	language string
	line     int // of its first command
	text     string
}

// A command is run at once.
type command struct {
	language string
	line     int
	text     string
}

// blocks returns the blocks of commands of a document.
func blocks(document string) []block {
	var all []block
	var open *block
	for i, line := range strings.Split(document, "\n") {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open == nil:
			open = &block{language: fence, line: i + 2}
		case isFence:
			if open.language == "sh" || open.language == "python" {
				all = append(all, *open)
			}
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return all
}

// serving matches commands that run until they are stopped.
var serving = regexp.MustCompile(`^(sortkey (serve|run \S)|go run \./cmd/sortkey demo)`)

// commands returns the commands of a block. One that starts a server in the background is a program
// of its own; so is a program in another language.
func (b block) commands() []command {
	if b.language != "sh" || strings.Contains(b.text, "$!") {
		return []command{{b.language, b.line, strings.TrimSpace(b.text)}}
	}
	var all []command
	pending, first := "", b.line
	for i, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		if pending == "" {
			first = b.line + i
		}
		pending += line + "\n"
		if !complete(pending) {
			continue
		}
		if text := strings.TrimSpace(pending); text != "" && !strings.HasPrefix(text, "#") {
			all = append(all, command{b.language, first, text})
		}
		pending = ""
	}
	return all
}

// complete reports whether a text is a whole command.
func complete(text string) bool {
	if strings.HasSuffix(text, "\\\n") {
		return false
	}
	return exec.Command("bash", "-n", "-c", text).Run() == nil
}
