package engine_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/engine"
	"sortkey.dev/engine/internal/oracle"
)

// An oracleWay is a way to open a database and to call it.
type oracleWay struct {
	disk bool
	door string
}

func (w oracleWay) String() string {
	if w.disk {
		return "disk " + w.door
	}
	return "memory " + w.door
}

// play plays steps on a fresh database.
func (w oracleWay) play(t *testing.T, steps []oracle.Step) *oracle.Problem {
	t.Helper()
	db := newJudged(t, w)
	defer db.close()
	return oracle.Play(t.Context(), db, steps)
}

// fails reports whether steps fail in the same way as before.
func (w oracleWay) fails(t *testing.T, steps []oracle.Step, like *oracle.Problem) bool {
	wrong := w.play(t, steps)
	return wrong != nil && wrong.Kind == like.Kind
}

// judged is the engine under test, as the oracle calls it.
type judged struct {
	t      *testing.T
	way    oracleWay
	dir    string
	clock  atomic.Int64
	db     *engine.DB
	tables oracle.Tables
	stream oracle.Streams
}

func newJudged(t *testing.T, way oracleWay) *judged {
	t.Helper()
	j := &judged{t: t, way: way}
	if way.disk {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		j.dir = filepath.Join(dir, "0")
	}
	if err := j.open(); err != nil {
		t.Fatal(err)
	}
	return j
}

func (j *judged) open() (err error) {
	j.db, err = engine.Open(j.dir, &engine.Options{
		ExpiryInterval: time.Millisecond, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Unix(0, j.clock.Load()) },
	})
	if err != nil {
		return err
	}
	j.stream = j.db.Streams()
	switch j.way.door {
	case "API":
		j.tables = j.db.API()
	case "Client":
		j.tables = j.db.Client()
	default:
		client, anybody := handlerClient{j.db}, credentials.NewStaticCredentialsProvider("a", "b", "")
		j.tables = dynamodb.New(dynamodb.Options{HTTPClient: client, Region: "us-east-1", Credentials: anybody, RetryMaxAttempts: 1})
		j.stream = dynamodbstreams.New(dynamodbstreams.Options{HTTPClient: client, Region: "us-east-1", Credentials: anybody, RetryMaxAttempts: 1})
	}
	return nil
}

// handlerClient is an HTTP client that calls a handler directly: a broken connection
// would make the SDK repeat writes.
type handlerClient struct{ http.Handler }

func (w handlerClient) Do(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	return answer.Result(), nil
}

func (j *judged) close() {
	if err := j.db.Close(); err != nil {
		j.t.Error(err)
	}
	if j.dir != "" {
		os.RemoveAll(filepath.Dir(j.dir))
	}
}

func (j *judged) Tables() oracle.Tables   { return j.tables }
func (j *judged) Streams() oracle.Streams { return j.stream }
func (j *judged) SetClock(now time.Time)  { j.clock.Store(now.UnixNano()) }

// Restart reopens the directory. A crash is simulated with a copy of the directory that was
// taken while the database was open.
func (j *judged) Restart(crash bool) (done bool, err error) {
	if !j.way.disk {
		return false, nil
	}
	dir := j.dir
	if crash {
		n, _ := strconv.Atoi(filepath.Base(j.dir))
		dir = filepath.Join(filepath.Dir(j.dir), strconv.Itoa(n+1))
		if err := copyQuiet(j.dir, dir); err != nil {
			return false, err
		}
	}
	if err := j.db.Close(); err != nil {
		return false, err
	}
	j.dir = dir
	return true, j.open()
}

// copyQuiet copies a directory while no write is under way.
func copyQuiet(from, to string) error {
	for range 100 {
		before, err := listing(from)
		if err != nil {
			return err
		}
		os.RemoveAll(to)
		copyErr := os.CopyFS(to, os.DirFS(from))
		after, err := listing(from)
		if err != nil {
			return err
		}
		if copyErr == nil && before == after {
			return nil
		}
	}
	return fmt.Errorf("directory %s keeps changing", from)
}

// listing describes all files below a directory. A file that was deleted meanwhile makes it
// differ from the next listing, which does not have it.
func listing(dir string) (string, error) {
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(&all, path, "deleted")
			return nil
		}
		if err != nil {
			return err
		}
		fmt.Fprintln(&all, path, info.Size(), info.ModTime())
		return nil
	})
	return all.String(), err
}
