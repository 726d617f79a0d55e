package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2/dynamodbiface"

	"sortkey.dev/access/provision"
	"sortkey.dev/bench/internal/exams/examsdb"
	"sortkey.dev/engine"
)

const (
	handSystem   = "hand-written"
	gureguSystem = "guregu/dynamo"

	// againSystem measures the hand-written code a second time: the deviation of its
	// ratio from 1 is the error of this run.
	againSystem = "hand-written, again"

	examTable = "ExamBuddyTable"

	callCandidates = 100
	callAttempts   = 30 // of a candidate
	callPage       = 20 // attempts of a list
	callSessions   = 64 // of a caller
)

// A way calls the engine in one way. All ways send the same requests, as far as they
// can, and return the same data. A look function is given what was returned; nil
// without an observer.
type way interface {
	get(ctx context.Context, candidateID, attemptID string, look func(examsdb.Attempt) error) error
	list(ctx context.Context, candidateID string, look func([]examsdb.Attempt) error) error
	page(ctx context.Context, candidateID string, look func([]examsdb.Attempt) error) (next string, err error)
	create(ctx context.Context, token examsdb.RefreshToken) error
	put(ctx context.Context, question examsdb.PaperQuestion) error
	present(ctx context.Context, attemptID string, p examsdb.PresentQuestionParams, look func(examsdb.ExamSession) error) error
	answer(ctx context.Context, answer examsdb.AnswerSelection, at time.Time) error
}

// callKinds lists the measured calls.
var callKinds = []struct {
	id, title string
	prepare   func(*callsCaller) error
	do        func(c *callsCaller, check bool) error
}{
	{id: "get", title: "Get", do: (*callsCaller).get},
	{id: "list", title: "List 20", do: (*callsCaller).list},
	{id: "page", title: "Page of 20 with cursor", do: (*callsCaller).page},
	{id: "create", title: "Create", do: (*callsCaller).create},
	{id: "put", title: "Put", do: (*callsCaller).put},
	{id: "update", title: "Update with condition", prepare: (*callsCaller).storeSessions, do: (*callsCaller).present},
	{id: "transact", title: "Transaction of 2", prepare: (*callsCaller).storeSessions, do: (*callsCaller).answer},
}

// The doors of the engine that are called, as suffixes of a row's id.
const (
	doorAPI    = "-api"
	doorClient = "-client"
)

// callsWorkloads returns all kinds through both doors.
func callsWorkloads() []workload {
	var all []workload
	for _, kind := range callKinds {
		all = append(all,
			workload{id: kind.id + doorAPI, title: kind.title + ", API"},
			workload{id: kind.id + doorClient, title: kind.title + ", Client"})
	}
	return all
}

// callsSection compares generated code with code written by hand for the SDK and
// with guregu/dynamo. Every row has an engine of its own, as some make it grow.
func (b *bench) callsSection(ctx context.Context) error {
	rows := plannedRows(sectionCalls, callsWorkloads(), []int{1}, b.only)
	if len(rows) == 0 {
		return nil
	}
	if err := verifyWays(ctx); err != nil {
		return err
	}
	var errs []error
	for _, r := range rows {
		if ctx.Err() != nil {
			break
		}
		errs = append(errs, b.measureCalls(ctx, r))
	}
	return errors.Join(errs...)
}

// measureCalls measures one row.
func (b *bench) measureCalls(ctx context.Context, r row) (err error) {
	db, err := openExams(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, s := range callsSystems(db, r.work) {
		r.systems = append(r.systems, s)
	}
	r.bases = []base{{name: handSystem}, {name: gureguSystem}}
	return b.measureRows(ctx, []row{r})
}

// A callsSystem is a way to call an engine.
type callsSystem struct {
	inThisProcess
	title string
	owner string // a part of keys, so that systems do not write each other's items
	way   way
	store *engine.API
}

var _ interface {
	system
	cpuMeter
	allocMeter
} = callsSystem{}

// callsSystems returns the ways through the door that the row names.
func callsSystems(db *engine.DB, w workload) []callsSystem {
	var api dynamodbiface.DynamoDBAPI = db.API()
	if strings.HasSuffix(w.id, doorClient) {
		api = db.Client()
	}
	return []callsSystem{
		{title: handSystem, owner: "h", way: handWay{api}, store: db.API()},
		{title: generatedSystem, owner: "g", way: generatedWay{examsdb.New(api)}, store: db.API()},
		{title: gureguSystem, owner: "d", way: newGureguWay(api), store: db.API()},
		{title: againSystem, owner: "a", way: handWay{api}, store: db.API()},
	}
}

func (s callsSystem) name() string { return s.title }

func (s callsSystem) caller(w workload, seed uint64) (caller, error) {
	kind, _, _ := strings.Cut(w.id, "-")
	c := &callsCaller{way: s.way, store: s.store, rnd: newRandom(seed), owner: fmt.Sprintf("%s%d", s.owner, seed)}
	for _, k := range callKinds {
		if k.id != kind {
			continue
		}
		c.call = k.do
		if k.prepare != nil {
			return c, k.prepare(c)
		}
		return c, nil
	}
	return nil, fmt.Errorf("no call %s", w.id)
}

// A callsCaller does one kind of call, over and over.
type callsCaller struct {
	way      way
	store    *engine.API
	call     func(*callsCaller, bool) error
	rnd      *rand.Rand
	owner    string
	count    int // calls so far
	sessions []examsdb.ExamSession
}

func (c *callsCaller) close() error { return nil }

func (c *callsCaller) do(check bool) error {
	c.count++
	return c.call(c, check)
}

func (c *callsCaller) get(check bool) error {
	candidate, n := c.rnd.IntN(callCandidates), c.rnd.IntN(callAttempts)
	var look func(examsdb.Attempt) error
	if check {
		look = func(got examsdb.Attempt) error { return sameItem(got.Item, newAttempt(candidate, n).Item) }
	}
	return c.way.get(context.Background(), id("C", candidate), madeID("A", n), look)
}

func (c *callsCaller) list(check bool) error {
	candidate := c.rnd.IntN(callCandidates)
	return c.way.list(context.Background(), id("C", candidate), lookAtNewest(candidate, check))
}

func (c *callsCaller) page(check bool) error {
	candidate := c.rnd.IntN(callCandidates)
	next, err := c.way.page(context.Background(), id("C", candidate), lookAtNewest(candidate, check))
	if err == nil && next == "" {
		err = errors.New("a page has no cursor")
	}
	return err
}

// lookAtNewest checks the newest attempts of a candidate, newest first.
func lookAtNewest(candidate int, check bool) func([]examsdb.Attempt) error {
	if !check {
		return nil
	}
	return func(got []examsdb.Attempt) error {
		if len(got) != callPage {
			return fmt.Errorf("%d attempts, want %d", len(got), callPage)
		}
		for i := range got {
			if err := sameItem(got[i].Item, newAttempt(candidate, callAttempts-1-i).Item); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c *callsCaller) create(bool) error {
	return c.way.create(context.Background(), newToken(id(c.owner, c.count), c.count))
}

func (c *callsCaller) put(bool) error {
	return c.way.put(context.Background(), newPaper(id(c.owner, c.rnd.IntN(1000)), c.rnd.IntN(50)))
}

// storeSessions gives the caller exams that run.
func (c *callsCaller) storeSessions() error {
	for n := range callSessions {
		session := newSession(madeID(c.owner, n), n)
		c.sessions = append(c.sessions, session)
		if err := store(c.store, session.Item); err != nil {
			return err
		}
	}
	return nil
}

func (c *callsCaller) present(check bool) error {
	session := &c.sessions[c.count%callSessions]
	previous, at := session.CurrentPosition, moment(c.count%100_000)
	session.CurrentPosition, session.LastSeenAt, session.PresentedAt = previous+1, at, &at
	var look func(examsdb.ExamSession) error
	if check {
		look = func(got examsdb.ExamSession) error { return sameItem(got.Item, session.Item) }
	}
	return c.way.present(context.Background(), session.AttemptID, examsdb.PresentQuestionParams{
		CurrentPosition: previous + 1, PresentedAt: &at, LastSeenAt: at, PreviousPosition: previous,
	}, look)
}

func (c *callsCaller) answer(bool) error {
	session := &c.sessions[c.count%callSessions]
	at := moment(c.count % 100_000)
	return c.way.answer(context.Background(), newAnswer(session.AttemptID, id("Q", c.count), c.count), at)
}

// openExams opens an engine in memory with the tables of the design and the attempts
// that are read. Streams are left out: their records would only fill the memory.
func openExams(ctx context.Context) (*engine.DB, error) {
	db, err := engine.Open("", nil)
	if err != nil {
		return nil, err
	}
	tables := examsdb.Tables()
	for i := range tables {
		tables[i].Stream = ""
	}
	_, err = provision.Apply(ctx, db.API(), tables, provision.Options{Poll: time.Millisecond})
	for candidate := range callCandidates {
		for n := range callAttempts {
			if err == nil {
				err = store(db.API(), newAttempt(candidate, n).Item)
			}
		}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
