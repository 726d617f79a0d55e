package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"

	"sortkey.dev/engine"
)

// engines are the databases that the doors in this process open to: one that
// syncs every commit and one that does not.
type engines struct {
	inThisProcess
	synced, unsynced *engine.DB
	run              dataRun
}

// openEngines loads the datasets into new databases in dir.
func openEngines(dir string, cacheBytes int64, datasets []*dataset, run dataRun) (_ *engines, err error) {
	e := &engines{run: run}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if e.synced, err = openEngine(filepath.Join(dir, "engine-synced"), engine.SyncEveryCommit, cacheBytes, datasets, run); err != nil {
		return nil, err
	}
	e.unsynced, err = openEngine(filepath.Join(dir, "engine-unsynced"), engine.SyncRelaxed, cacheBytes, datasets, run)
	return e, err
}

// openEngine loads the datasets into a new database and opens it.
func openEngine(dir string, policy engine.SyncPolicy, cacheBytes int64, datasets []*dataset, run dataRun) (*engine.DB, error) {
	if err := loadDirectory(dir, datasets, run); err != nil {
		return nil, err
	}
	return engine.Open(dir, engineOptions(policy, cacheBytes))
}

func engineOptions(policy engine.SyncPolicy, cacheBytes int64) *engine.Options {
	return &engine.Options{Sync: policy, CacheBytes: cacheBytes, Logger: slog.New(slog.DiscardHandler)}
}

// loadDirectory makes a database with the tables of the datasets. It is closed
// afterwards, so that everything is on disk when it is opened.
func loadDirectory(dir string, datasets []*dataset, run dataRun) error {
	db, err := engine.Open(dir, engineOptions(engine.SyncRelaxed, 0))
	if err != nil {
		return err
	}
	return errors.Join(prepare([]poster{&handlerPoster{handler: db}}, datasets, run), db.Close())
}

func (e *engines) close() error {
	var errs []error
	for _, db := range []*engine.DB{e.synced, e.unsynced} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// db returns the database for a workload, or the only one there is.
func (e *engines) db(w workload) *engine.DB {
	if w.fsync || w.reads() {
		return cmp.Or(e.synced, e.unsynced)
	}
	return cmp.Or(e.unsynced, e.synced)
}

// jsonDoor is the engine as an http.Handler without HTTP: a JSON request in, a
// JSON answer out, no socket.
type jsonDoor struct{ *engines }

var _ system = jsonDoor{}

func (jsonDoor) name() string { return "JSON" }

func (d jsonDoor) caller(w workload, seed uint64) (caller, error) {
	if w.op == getRecords {
		return newStreamCaller(&handlerPoster{handler: d.db(w)}, w, d.run, func() error { return nil })
	}
	body := w.requestBody(d.run.prefix)
	return &jsonCaller{
		handlerPoster: handlerPoster{handler: d.db(w)},
		work:          w, body: body, rnd: newRandom(seed), keys: w.keys(d.run),
	}, nil
}

// A jsonCaller does a workload on a handler.
type jsonCaller struct {
	handlerPoster
	conflicts
	work workload
	body *template
	rnd  *rand.Rand
	keys int
}

func (c *jsonCaller) close() error { return nil }

func (c *jsonCaller) do(check bool) error {
	key := c.rnd.IntN(c.keys)
	c.body.fill(c.rnd, key, c.keys)
	c.answer.drop = !check // measuring needs no copy
	for try := 1; ; try++ {
		status, answer, err := c.post(string(c.work.op), c.body.text)
		switch {
		case err != nil:
			return err
		case status == http.StatusOK && check:
			return c.work.checkAnswer(key, answer)
		case status == http.StatusOK:
			return nil
		case !c.again(status, answer, try):
			return fmt.Errorf("%s about key %d: status %d: %.300s", c.work.op, key, status, answer)
		}
	}
}

// A handlerPoster calls an http.Handler without a server. It keeps its request
// and its buffers, as a server's connection does.
type handlerPoster struct {
	handler http.Handler
	op      string // the operation the request is set to
	request *http.Request
	body    bodyReader
	answer  memoryAnswer
}

var _ poster = (*handlerPoster)(nil)

// post calls the handler. The answer is valid until the next call.
func (p *handlerPoster) post(op string, body []byte) (int, []byte, error) {
	if p.request == nil {
		p.request = &http.Request{
			Method: http.MethodPost, URL: &url.URL{Path: "/"}, Host: "localhost", Body: &p.body,
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		}
		p.answer.header = http.Header{}
	}
	if p.op != op {
		p.op = op
		p.request.Header["X-Amz-Target"] = []string{targetOf(op)}
	}
	p.body.Reset(body)
	p.request.ContentLength = int64(len(body))
	p.answer.status, p.answer.body = http.StatusOK, p.answer.body[:0]
	p.handler.ServeHTTP(&p.answer, p.request)
	return p.answer.status, p.answer.body, nil
}

// A bodyReader is the body of a request that is used again and again.
type bodyReader struct{ bytes.Reader }

func (*bodyReader) Close() error { return nil }

var _ io.ReadCloser = (*bodyReader)(nil)

// A memoryAnswer keeps an answer in memory, or drops its body.
type memoryAnswer struct {
	header http.Header
	status int
	body   []byte
	drop   bool
}

var _ http.ResponseWriter = (*memoryAnswer)(nil)

func (a *memoryAnswer) Header() http.Header { return a.header }

func (a *memoryAnswer) WriteHeader(status int) { a.status = status }

func (a *memoryAnswer) Write(p []byte) (int, error) {
	if !a.drop || a.status != http.StatusOK {
		a.body = append(a.body, p...)
	}
	return len(p), nil
}
