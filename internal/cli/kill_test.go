//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/internal/effort"
	"sortkey.dev/internal/retrytest"
)

// The environment of TestKill: the number of kills, and the random seed of the writes and
// times. scripts/kill sets the first.
const (
	killRounds = "SORTKEY_KILL_ROUNDS"
	killSeed   = "SORTKEY_KILL_SEED"
)

const killWriters = 6

// TestKill kills the real program under load repeatedly, and checks each time that every
// acknowledged write is there, and none in part.
func TestKill(t *testing.T) {
	if effort.UnderRace {
		t.Skip("the program under test is built without the race detector")
	}
	rounds := environment(t, killRounds, 3)
	seed := environment(t, killSeed, rand.Uint64())
	k := &killer{t: t, seed: seed, rnd: rand.New(rand.NewPCG(seed, 0)), dir: filepath.Join(t.TempDir(), "data")}
	for i := range killWriters {
		k.writers = append(k.writers, newKillWriter(i, seed))
	}
	k.reader = newStreamReader()
	k.start()
	k.createTables()
	for k.round = 1; k.round <= int(rounds) && !t.Failed(); k.round++ {
		k.load()
		k.restart()
		k.check()
	}
	t.Logf("%s: %d writes were answered, %d changes read", k.label(), k.answered(), k.reader.changes)
	k.end()
}

// environment returns a number from the environment.
func environment(t *testing.T, name string, otherwise uint64) uint64 {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// A killer runs the program and kills it.
type killer struct {
	t     *testing.T
	seed  uint64
	rnd   *rand.Rand
	dir   string
	round int

	process *exec.Cmd
	stderr  *bytes.Buffer
	client  *dynamodb.Client
	patient *dynamodb.Client // retries calls
	streams *dynamodbstreams.Client

	writers []*killWriter
	indexer killIndexer
	reader  *streamReader
}

func (k *killer) label() string {
	return fmt.Sprintf("%s=%d, round %d", killSeed, k.seed, k.round)
}

func (k *killer) fail(format string, args ...any) {
	k.t.Helper()
	k.t.Errorf("%s: %s", k.label(), fmt.Sprintf(format, args...))
}

// launch starts the program, which is that of TestMain, without waiting for anything.
func (k *killer) launch() *bufio.Reader {
	k.process = exec.Command("sortkey", "serve", "--addr", "127.0.0.1:0", "--data", k.dir, "--json")
	k.stderr = &bytes.Buffer{}
	k.process.Stderr = k.stderr
	out, err := k.process.StdoutPipe()
	if err == nil {
		err = k.process.Start()
	}
	if err != nil {
		k.t.Fatalf("%s: start: %v", k.label(), err)
	}
	process := k.process.Process
	k.t.Cleanup(func() { process.Kill() })
	return bufio.NewReader(out)
}

// start runs the program until it is ready.
func (k *killer) start() {
	line, err := k.launch().ReadBytes('\n')
	var ready struct{ URL string }
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		k.process.Wait()
		k.t.Fatalf("%s: the program does not start: %v\n%s", k.label(), err, k.stderr)
	}
	config := aws.Config{
		Region: "us-east-1", BaseEndpoint: &ready.URL, Credentials: credentials.NewStaticCredentialsProvider("key", "secret", ""),
		// A write that is sent twice could be executed twice, which is not the server's fault.
		Retryer: func() aws.Retryer { return aws.NopRetryer{} },
	}
	k.client = dynamodb.NewFromConfig(config)
	config.Retryer = func() aws.Retryer { return retrytest.BrokenConnections }
	k.patient, k.streams = dynamodb.NewFromConfig(config), dynamodbstreams.NewFromConfig(config)
}

// kill kills the program, like a crash.
func (k *killer) kill() {
	if err := k.process.Process.Kill(); err != nil {
		k.t.Fatalf("%s: kill: %v", k.label(), err)
	}
	k.process.Wait()
	if k.stderr.Len() > 0 {
		k.fail("the program said: %s", k.stderr)
	}
}

// restart starts the program again. Every other time it is killed once more while it starts.
func (k *killer) restart() {
	if k.round%2 == 0 {
		k.launch()
		time.Sleep(time.Duration(k.rnd.IntN(30)) * time.Millisecond) // only varies the moment of the kill
		k.kill()
	}
	k.start()
}

// end stops the program gracefully.
func (k *killer) end() {
	k.process.Process.Signal(os.Interrupt)
	if err := k.process.Wait(); err != nil {
		k.fail("the program ended with %v: %s", err, k.stderr)
	}
}

// load runs all workers, and kills the program after a random number of responses.
func (k *killer) load() {
	var writers, others sync.WaitGroup
	answers := make(chan struct{}, 1000)
	for _, w := range k.writers {
		writers.Go(func() {
			for w.work(k) == nil {
				answers <- struct{}{}
			}
		})
	}
	go func() {
		writers.Wait()
		close(answers)
	}()
	index, read := make(chan struct{}, 1), make(chan struct{}, 1)
	others.Go(func() { inTurn(index, func() error { return k.indexer.work(k) }) })
	others.Go(func() { inTurn(read, func() error { return k.reader.read(k) }) })
	n, last := 0, 1+k.rnd.IntN(600)
	for range answers {
		n++
		switch {
		case n == last:
			k.kill()
		case n%40 == 0:
			giveTurn(index)
		case n%40 == 20:
			giveTurn(read)
		}
	}
	close(index)
	close(read)
	if n < last {
		k.fail("the writers stopped before the program was killed")
		k.kill()
	}
	others.Wait()
}

// inTurn calls work at each turn, until it fails.
func inTurn(turns <-chan struct{}, work func() error) {
	for range turns {
		if work() != nil {
			return
		}
	}
}

// giveTurn signals the next turn, unless it is already signalled.
func giveTurn(turns chan<- struct{}) {
	select {
	case turns <- struct{}{}:
	default:
	}
}

// answered counts the acknowledged writes.
func (k *killer) answered() (n int) {
	for _, w := range k.writers {
		n += w.answers
	}
	return n
}
