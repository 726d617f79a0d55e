package apptest

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"sortkey.dev/apps"
)

// Serve opens a system at the URL of a server of a test, such as httptest.NewServer, and runs it until the test ends.
func Serve(t *testing.T, listen func(http.Handler) *httptest.Server, open func(ctx context.Context, base string) (apps.System, error)) (*httptest.Server, apps.System) {
	t.Helper()
	var system apps.System
	site := listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { system.ServeHTTP(w, r) }))
	ctx, stop := context.WithCancel(t.Context())
	system, err := open(ctx, site.URL)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- system.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		site.Close()
	})
	return site, system
}

// ServeChild opens a system and serves it until the process is killed. A test program calls it in TestMain if its environment
// says that it is a child.
func ServeChild(open func(ctx context.Context, base string) (apps.System, error)) {
	fmt.Fprintln(os.Stderr, serveChild(context.Background(), open))
	os.Exit(1)
}

func serveChild(ctx context.Context, open func(ctx context.Context, base string) (apps.System, error)) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	system, err := open(ctx, base)
	if err != nil {
		return err
	}
	go func() { _ = system.Run(ctx) }()
	fmt.Println(serving + base)
	return http.Serve(listener, system)
}

const serving = "serving "

// A Child is the program of a test, run again as a server that the test can kill.
type Child struct {
	URL     string
	process *exec.Cmd
}

// StartChild runs the program of the test again with variables of the environment, such as "NAME=value", and waits until it
// serves. It is killed after the test.
func StartChild(t *testing.T, variables ...string) *Child {
	t.Helper()
	c := &Child{process: exec.Command(os.Args[0])}
	c.process.Env = append(os.Environ(), variables...)
	c.process.Stderr = os.Stderr
	out, err := c.process.StdoutPipe()
	if err == nil {
		err = c.process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var ok bool
		if _, c.URL, ok = strings.Cut(lines.Text(), serving); ok {
			go func() { // the pipe must not fill up
				for lines.Scan() {
				}
			}()
			return c
		}
	}
	t.Fatal("the server did not start")
	return nil
}

// Kill ends the process without a chance to finish anything. It does nothing to a dead one.
func (c *Child) Kill() {
	if c.process.ProcessState == nil {
		_ = c.process.Process.Kill()
		_ = c.process.Wait() // it says that it was killed
	}
}
