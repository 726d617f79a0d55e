// Package exambuddy is the ground of ExamBuddy's domain: admins build exams, candidates sit them.
// It has what the rooms of the domain share: the environment, callers, limits, refusals, and how
// questions and keys are stored. The rules of each subject are in the rooms on top of it: package
// people for profiles, groups and extra time, package bank for exams and their questions, package
// images for their images, package sitting for sessions, package results for attempts, regrades and
// statistics.
// No room knows a transport, and every rule that can race is enforced inside one transaction of
// the generated package exambuddydb.
//
// Package domain opens all rooms for the doors. Packages question and analysis have the pure rules
// of grading and of item analysis.
package exambuddy

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/secret"
)

// Options configures an Env.
type Options struct {
	// Platform has the data that every system needs. The environment uses its clock, its log and
	// its secret.
	Platform *platform.Platform
	// Jobs, Audit and Limits are the queue, the trail and the limiter of a process that has them; new
	// ones by default. The queue has the lanes of Lanes.
	Jobs   *jobs.Queue
	Audit  *audit.Trail
	Limits *limits.Limiter
	// Random returns a text that cannot be guessed, for writers of sessions and seeds of papers; the
	// default is a random one.
	Random func() string
}

// An Env holds what the rooms of the domain share: the database, the job queue, the audit trail, the
// limiter, the receipts of forms, the secret, the log and the clock. Only the rooms and the worker hold it; doors hold the rooms.
// It is safe for concurrent use by many goroutines, and by many processes on the same tables.
type Env struct {
	DB     *exambuddydb.DB
	Box    *secret.Box
	Log    *slog.Logger
	Audit  *audit.Trail
	Jobs   *jobs.Queue
	Limits *limits.Limiter
	Random func() string
	// Receipts makes a form that is sent twice count once.
	Receipts *receipt.Receipts

	platform *platform.Platform
}

// The lanes of the job queue. Imports do not wait for regrades.
const (
	LaneImport = "import"
	LaneTidy   = "tidy"
)

// The kinds of jobs. Package worker handles them.
const (
	JobParse   = "parse-document"
	JobPublish = "publish-import"
	JobDiscard = "discard-paper"
	JobRegrade = "regrade"
	JobErase   = "erase-person"
	JobLearn   = "learn-attempt"
	JobRelearn = "learn-project"
)

// A JobPayload holds the arguments of a job. Its kind determines which fields are set.
type JobPayload struct {
	ProjectID  string `json:"project_id,omitempty"`
	AdminID    string `json:"admin_id,omitempty"`
	DocumentID string `json:"document_id,omitempty"`
	AttemptID  string `json:"attempt_id,omitempty"`
	RegradeID  string `json:"regrade_id,omitempty"`
	PersonID   string `json:"person_id,omitempty"`
}

// Lanes returns the lanes of background jobs.
func Lanes() []jobs.Lane { return []jobs.Lane{{Name: LaneImport, AtOnce: 2}, {Name: LaneTidy}} }

// New returns an environment on a database whose tables exist.
func New(db *exambuddydb.DB, options Options) (*Env, error) {
	p := options.Platform
	if p == nil {
		return nil, errors.New("exambuddy: an environment needs a platform")
	}
	trail, queue, limiter := options.Audit, options.Jobs, options.Limits
	if trail == nil {
		trail = audit.New(p, audit.Options{Keep: KeepAudit})
	}
	if queue == nil {
		var err error
		if queue, err = jobs.New(p, jobs.Options{Lanes: Lanes(), Trail: trail}); err != nil {
			return nil, err
		}
	}
	if limiter == nil {
		limiter = limits.New(p)
	}
	random := options.Random
	if random == nil {
		random = secret.NewID
	}
	return &Env{DB: db, Box: p.Box, Log: p.Log, Audit: trail, Jobs: queue, Limits: limiter, Random: random, Receipts: receipt.New(p), platform: p}, nil
}

// Now returns the current time of the environment's clock, in UTC.
func (e *Env) Now() time.Time { return e.platform.Now() }

// Writable returns nil if the database accepts writes, and otherwise the reason.
func (e *Env) Writable(ctx context.Context) error { return e.platform.Writable(ctx) }

// NewFileID returns an id that cannot be guessed, of characters that keys of files may have.
func NewFileID() string { return "f" + strings.ToLower(secret.NewID()) }

// NewID returns a new id, made at a time.
func (e *Env) NewID(at time.Time) string { return access.NewULID(at) }

// Record adds an action about a project to a transaction, so that the change and its event are
// committed together.
func (e *Env) Record(tx access.Tx, actor, action, target, project string, detail map[string]string) {
	e.Audit.Record(tx, audit.Event{Actor: actor, Action: action, Target: target, About: project, Detail: detail})
}

// Changed reports whether a conditional write failed because an item of type T is not as the write
// needs it.
func Changed[T any](err error) bool {
	var unmet *access.ConditionError[T]
	return errors.As(err, &unmet)
}

// Stale reports whether a write failed because another write changed the item since it was read.
func Stale(err error) bool {
	var changed *access.VersionError
	return errors.As(err, &changed)
}
