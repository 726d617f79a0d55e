package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A child is a server that this program has started.
type child struct {
	url  string
	cmd  *exec.Cmd
	done chan error // the end of the process
}

// startChild starts a server and waits until it prints, as its first line, a
// JSON object with its URL.
func startChild(program string, args ...string) (*child, error) {
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	c := &child{cmd: cmd, done: make(chan error, 1)}
	var ready struct{ URL string }
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	go func() { c.done <- cmd.Wait() }()
	if err != nil {
		_ = c.stop() // the error that matters is the one we have
		return nil, fmt.Errorf("%s %s does not say where it listens: %w", program, strings.Join(args, " "), err)
	}
	c.url = ready.URL
	return c, nil
}

// stopGrace is the time a server has to close its data.
const stopGrace = 30 * time.Second

// stop ends the process and waits for it.
func (c *child) stop() error {
	_ = c.cmd.Process.Signal(syscall.SIGTERM) // fails if it has ended by itself: Wait says how
	timer := time.AfterFunc(stopGrace, func() { _ = c.cmd.Process.Kill() })
	defer timer.Stop()
	if err := <-c.done; err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(c.cmd.Path), err)
	}
	return nil
}

// cpuTime returns the processor time the process has used.
func (c *child) cpuTime() (time.Duration, bool) { return processTime(c.cmd.Process.Pid) }

// processPages is the memory of a process in bytes; 0 is unknown.
type processPages struct {
	resident int64
	private  int64 // without pages of files, such as the program itself
}

// buildServer compiles the server into dir, without C as it is released. The go
// command finds the module by the working directory.
func buildServer(dir string) (string, error) {
	program := filepath.Join(dir, "sortkey")
	build := exec.Command("go", "build", "-o", program, "sortkey.dev/cmd/sortkey")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("build the server (run this inside the repository, or give --server): %w", err)
	}
	return program, nil
}
