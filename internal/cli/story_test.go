package cli

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// The commands that the scenarios add to those of testscript:
//
//	start NAME ARGS...            run "sortkey ARGS" beside the story until it prints its URL; sets $NAME and $NAME_addr
//	end NAME [SIGNAL]             send INT (or TERM), wait for exit code 0, and write NAME.out and NAME.err
//	door NAME URL POLICY          let only requests through to an endpoint that the policy in a file allows; sets $NAME
//	call URL OPERATION JSON [KEY/REGION]
//	                              send one DynamoDB request, with this access key in this region; the answer's status and
//	                              body become the file "answer"

// serversKey is the key of the servers of one scenario.
type serversKey struct{}

// servers holds the programs that a scenario has started, by name.
type servers map[string]*server

// A server is one program that runs beside a scenario.
type server struct {
	process  *exec.Cmd
	out, err bytes.Buffer
	drained  chan struct{} // closed when all of stdout is in out
}

var urlPattern = regexp.MustCompile(`https?://[^" \x1b]+`)

func startServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: start NAME ARGS...")
	}
	s := &server{drained: make(chan struct{})}
	s.process = exec.Command(program(ts), args[1:]...)
	s.process.Dir = ts.MkAbs(".")
	s.process.Env = append(os.Environ(), "NO_COLOR="+ts.Getenv("NO_COLOR"))
	s.process.Stderr = &s.err
	stdout, err := s.process.StdoutPipe()
	ts.Check(err)
	ts.Check(s.process.Start())
	ts.Defer(func() { s.process.Process.Kill() })

	lines := bufio.NewReader(io.TeeReader(stdout, &s.out))
	for {
		line, err := lines.ReadString('\n')
		if url := urlPattern.FindString(line); url != "" {
			ts.Setenv(args[0], strings.TrimSpace(url))
			ts.Setenv(args[0]+"_addr", strings.TrimPrefix(strings.TrimSpace(url), "http://"))
			break
		}
		if err != nil {
			s.process.Wait()
			ts.Fatalf("%s ended before it printed a URL: %v\n%s%s", args[0], err, &s.out, &s.err)
		}
	}
	go func() {
		defer close(s.drained)
		io.Copy(io.Discard, lines)
	}()
	ts.Value(serversKey{}).(servers)[args[0]] = s
}

func endServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: end NAME [SIGNAL]")
	}
	s := ts.Value(serversKey{}).(servers)[args[0]]
	if s == nil {
		ts.Fatalf("nothing was started as %s", args[0])
	}
	sig := syscall.SIGINT
	if len(args) > 1 && args[1] == "TERM" {
		sig = syscall.SIGTERM
	}
	ts.Check(s.process.Process.Signal(sig))
	<-s.drained
	if err := s.process.Wait(); err != nil {
		ts.Fatalf("%s did not stop cleanly: %v\n%s", args[0], err, &s.err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), s.out.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".err"), s.err.Bytes(), 0o644))
}

func callEndpoint(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 && len(args) != 4 {
		ts.Fatalf("usage: call URL OPERATION JSON [KEY/REGION]")
	}
	key, region := "story", "us-east-1"
	if len(args) == 4 {
		slash := strings.LastIndexByte(args[3], '/')
		key, region = args[3][:slash], args[3][slash+1:]
	}
	r, err := http.NewRequest(http.MethodPost, args[0], strings.NewReader(args[2]))
	ts.Check(err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+args[1])
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+key+"/20260101/"+region+"/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("answer"), append([]byte(answer.Status+"\n"), body...), 0o644))
}

// program returns the path of the sortkey that the scenario would run with exec.
func program(ts *testscript.TestScript) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		for _, name := range []string{"sortkey", "sortkey.exe"} {
			file := filepath.Join(dir, name)
			if _, err := os.Stat(file); err == nil {
				return file
			}
		}
	}
	ts.Fatalf("no sortkey in PATH")
	return ""
}
