package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// patience is the longest time that a command may take, compilation included.
const patience = 15 * time.Minute

// A shell runs the commands of one document, one after the other.
type shell struct {
	dir      string
	exports  []string
	question string // id in the last response that has one
	server   *server
}

// A server is a command that runs until it is stopped.
type server struct {
	port    string
	command *exec.Cmd
	output  bytes.Buffer
	ended   chan error
}

func newShell(dir string) *shell { return &shell{dir: dir} }

var (
	questionID = regexp.MustCompile(`"question_id": ?"([^"]+)"`)
	address    = regexp.MustCompile(`--addr \S+:(\d+)`)
	localCall  = regexp.MustCompile(`(?:127\.0\.0\.1|localhost):(8000|8080)`)
	tableName  = regexp.MustCompile(`(?:--table-name |"TableName": ")(\w+)`)
)

// run runs a command. Where a reader has to put something in, it does.
func (s *shell) run(ctx context.Context, c command) error {
	text := strings.ReplaceAll(strings.ReplaceAll(c.text, "=... ", "=walk-of-a-newcomer "), "QUESTION_ID", s.question)
	switch {
	case strings.HasPrefix(text, "export "):
		s.exports = append(s.exports, text)
		return nil
	case serving.MatchString(text):
		return s.serve(ctx, text)
	}
	if err := s.prepare(ctx, text); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	output, err := s.command(ctx, c.language, text).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	if found := questionID.FindSubmatch(output); found != nil {
		s.question = string(found[1])
	}
	return nil
}

// prepare starts the endpoint and makes the table that a command takes for granted.
func (s *shell) prepare(ctx context.Context, text string) error {
	call := localCall.FindStringSubmatch(text)
	if call != nil && (s.server == nil || s.server.port != call[1]) && call[1] == "8000" {
		if err := s.serve(ctx, "sortkey serve"); err != nil {
			return err
		}
	}
	table := tableName.FindStringSubmatch(text)
	if table == nil {
		return nil
	}
	request := fmt.Sprintf(`{"TableName":%q,"BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
		"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`, table[1])
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1:8000", strings.NewReader(request))
	if err != nil {
		return err
	}
	post.Header.Set("X-Amz-Target", "DynamoDB_20120810.CreateTable")
	post.Header.Set("Content-Type", "application/x-amz-json-1.0")
	response, err := http.DefaultClient.Do(post)
	if err != nil {
		return err
	}
	return response.Body.Close() // it may exist already
}

// serve starts a command that serves, and waits until it responds. An endpoint that the command itself
// needs keeps running.
func (s *shell) serve(ctx context.Context, text string) error {
	port := "8080"
	if strings.HasPrefix(text, "sortkey serve") {
		port = "8000"
	}
	if given := address.FindStringSubmatch(text); given != nil {
		port = given[1]
	}
	if strings.Contains(text, "--endpoint") {
		endpoint := &shell{dir: s.dir, exports: s.exports}
		defer endpoint.stop()
		if err := endpoint.serve(ctx, "sortkey serve"); err != nil {
			return err
		}
		defer s.stop()
	}
	s.stop()
	if other, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
		other.Close()
		return fmt.Errorf("another program listens on port %s; its response would be taken for that of the command", port)
	}
	started := &server{port: port, command: s.command(ctx, "sh", "exec "+text), ended: make(chan error, 1)}
	started.command.Stdout, started.command.Stderr = &started.output, &started.output
	if err := started.command.Start(); err != nil {
		return err
	}
	go func() { started.ended <- started.command.Wait() }()
	s.server = started
	if port == "0" {
		return nil
	}
	return started.await(ctx)
}

// await waits until the server responds.
func (s *server) await(ctx context.Context) error {
	for ctx.Err() == nil {
		select {
		case err := <-s.ended:
			s.ended <- err
			return fmt.Errorf("it ended: %v\n%s", err, &s.output)
		case <-time.After(50 * time.Millisecond):
		}
		response, err := http.Get("http://" + net.JoinHostPort("127.0.0.1", s.port) + "/")
		if err == nil {
			return response.Body.Close()
		}
	}
	return ctx.Err()
}

// stop stops the server, if one runs.
func (s *shell) stop() {
	if s.server == nil {
		return
	}
	// The whole group: go run does not pass the signal on.
	if err := syscall.Kill(-s.server.command.Process.Pid, syscall.SIGINT); !errors.Is(err, syscall.ESRCH) {
		<-s.server.ended
	}
	s.server = nil
}

// command returns a command in the directory of the shell, with what was exported before.
func (s *shell) command(ctx context.Context, language, text string) *exec.Cmd {
	c := exec.CommandContext(ctx, "python3", "-c", text)
	if language != "python" {
		c = exec.CommandContext(ctx, "bash", "-euc", strings.Join(append(s.exports, text), "\n"))
	}
	c.Dir = s.dir
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c
}
