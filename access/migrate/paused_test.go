//go:build unix

package migrate_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/migrate"
)

// The environment of the process that is paused.
const (
	pausedEndpoint = "SORTKEY_TEST_ENDPOINT"
	pausedPoint    = "SORTKEY_TEST_POINT"
)

// The points of a call where it is paused.
const (
	begun    = "begun"    // the phase is taken
	unsigned = "unsigned" // compared by package call, not yet signed
	compared = "compared" // signed and compared, not yet sent
	half     = "half"     // half of the body is sent
	stranger = "stranger" // as compared, without a lease
)

const pausedLease = 500 * time.Millisecond

// pad is more than net/http keeps before it sends.
var pad = strings.Repeat("-", 64<<10)

// TestPausedProcess stops a process in the middle of a write with SIGSTOP, lets two epochs pass, and continues it. The write of the
// earlier phase changes nothing, and the next one has the present phase.
func TestPausedProcess(t *testing.T) {
	if os.Getenv(pausedEndpoint) != "" {
		if err := runPaused(os.Getenv(pausedEndpoint), os.Getenv(pausedPoint)); err != nil {
			fmt.Println("failed:", err)
		}
		return
	}
	for _, point := range []string{begun, unsigned, compared, half, stranger} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			p := startPaused(t, point)
			p.expect("at")
			p.signal(syscall.SIGSTOP)
			p.advance(access.PhasePrepare)
			p.advance(access.PhaseWrite)
			if _, err := io.WriteString(p.in, "go\n"); err != nil {
				t.Fatal(err)
			}
			p.signal(syscall.SIGCONT)
			if point == stranger { // the pause is where it should be: without a lease the request is carried out
				p.expect("late: <nil>")
				p.phaseOf("late", "after")
				return
			}
			p.expect("late: fenced")
			p.phaseOf("late", "")
			p.expect("next: <nil>")
			p.phaseOf("next", "write")
		})
	}
}

// A paused is the process that is paused, and the engine that it writes to.
type paused struct {
	*testing.T
	epochs  *migrate.Epochs
	state   access.State
	process *exec.Cmd
	in      io.Writer
	out     *bufio.Scanner
}

func startPaused(t *testing.T, point string) *paused {
	db := openTables(t)
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	epochs, _ := newEpochs(db)
	epochs.Clock, epochs.Settle = migrate.Clock{}, 10*time.Millisecond
	p := &paused{T: t, epochs: epochs, process: exec.Command(os.Args[0], "-test.run=^TestPausedProcess$")}
	var err error
	if p.state, err = epochs.Create(t.Context(), 6, pausedLease); err != nil {
		t.Fatal(err)
	}
	p.advance(access.PhaseBefore)
	p.process.Env = append(os.Environ(), pausedEndpoint+"="+server.URL, pausedPoint+"="+point)
	out, err := p.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.in, err = p.process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewScanner(out)
	if err := p.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.process.Process.Kill() // it may have ended
		_ = p.process.Wait()
	})
	return p
}

func (p *paused) signal(s syscall.Signal) {
	p.Helper()
	if err := p.process.Process.Signal(s); err != nil {
		p.Fatal(err)
	}
}

func (p *paused) advance(phase access.Phase) {
	p.Helper()
	next := into(p.state, phase)
	next.Lease = pausedLease
	var err error
	if p.state, err = p.epochs.Advance(p.Context(), p.state, next); err != nil {
		p.Fatal(err)
	}
}

// expect reads a line of the process.
func (p *paused) expect(want string) {
	p.Helper()
	if !p.out.Scan() || !strings.HasPrefix(p.out.Text(), want) {
		p.Fatalf("the process says %q, want %q", p.out.Text(), want)
	}
}

// phaseOf checks in which phase an item was written; "" is never.
func (p *paused) phaseOf(sk, want string) {
	p.Helper()
	out, err := p.epochs.API.GetItem(p.Context(), &dynamodb.GetItemInput{
		TableName: new("dev-tasks"), Key: access.Item{"pk": text("task"), "sk": text(sk)}, ConsistentRead: new(true),
	})
	if err != nil {
		p.Fatal(err)
	}
	got := ""
	if phase, ok := out.Item["phase"].(*types.AttributeValueMemberS); ok {
		got = phase.Value
	}
	if got != want {
		p.Errorf("item %s was written in phase %q, want %q", sk, got, want)
	}
}

// runPaused is the process: it writes an item and stops at a point, then it writes another one.
func runPaused(endpoint, point string) error {
	armed := true
	pause := func(at string) {
		if !armed || at != point && (at != compared || point != stranger) {
			return
		}
		armed = false
		fmt.Println("at")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // its end is as good
	}
	api := dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint, Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
		HTTPClient: &http.Client{Transport: halfway{pause}}, Retryer: aws.NopRetryer{},
		APIOptions: []func(*middleware.Stack) error{func(stack *middleware.Stack) error {
			if err := stack.Finalize.Insert(pausing{unsigned, pause}, "Signing", middleware.Before); err != nil {
				return err
			}
			return stack.Finalize.Add(pausing{compared, pause}, middleware.After)
		}},
	})
	options := []access.Option{access.WithTablePrefix("dev-")}
	if point == stranger {
		options = append(options, access.WithoutState())
	}
	c := access.NewClient(api, design, options...)
	armed = false // the first read of the row is no call
	if _, err := c.Begin(context.Background()); err != nil {
		return err
	}
	armed = true
	write := func(sk string) error {
		in, err := c.Begin(context.Background())
		if err != nil {
			return err
		}
		pause(begun)
		return call.PutItem(context.Background(), in, &access.Pattern{Name: "Write", Table: "tasks"}, &call.Action{
			Kind: call.Put, Name: "put Task", Table: "tasks",
			Item: access.Item{"pk": text("task"), "sk": text(sk), "phase": text(in.Phase().String()), "pad": text(pad)},
		})
	}
	err := write("late")
	if _, ok := errors.AsType[*access.FencedError](err); ok {
		fmt.Println("late: fenced:", err)
	} else {
		fmt.Println("late:", err)
	}
	err = write("next")
	for range 20 { // a busy machine may take longer than a lease
		if _, late := errors.AsType[*access.FencedError](err); !late {
			break
		}
		err = write("next")
	}
	fmt.Println("next:", err)
	return nil
}

// A pausing is a middleware at a point of a call.
type pausing struct {
	point string
	pause func(string)
}

// ID returns the name of the middleware.
func (p pausing) ID() string { return p.point }

// HandleFinalize pauses.
func (p pausing) HandleFinalize(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
	p.pause(p.point)
	return next.HandleFinalize(ctx, in)
}

// A halfway pauses when half of a body is sent.
type halfway struct{ pause func(string) }

// RoundTrip sends a request.
func (h halfway) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("X-Amz-Target") == "DynamoDB_20120810.PutItem" {
		r = r.Clone(r.Context())
		r.Body = &halfBody{ReadCloser: r.Body, left: r.ContentLength / 2, pause: h.pause}
	}
	return http.DefaultTransport.RoundTrip(r)
}

type halfBody struct {
	io.ReadCloser
	left  int64
	pause func(string)
}

// Read pauses after the first half, which net/http has sent by then.
func (b *halfBody) Read(p []byte) (int, error) {
	if b.left > 0 {
		n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
		b.left -= int64(n)
		return n, err
	}
	b.pause(half)
	return b.ReadCloser.Read(p)
}
