// Package platform opens the part of a system's data that is the same in every system: jobs,
// limits, metrics, audit, accounts, sessions and messages. It has tables of its own for each
// system and a generated package, platformdb. The packages jobs, limits, metrics, audit,
// accounts, onetime, receipt, webhook, notify and mail are written on it; they know no system, and a
// system's transaction can include their writes.
//
// It contains no rules. The systems' server packages open it and pass it on.
package platform

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/secret"
)

// A Platform is the shared data of one system.
type Platform struct {
	DB  *platformdb.DB
	Box *secret.Box
	Log *slog.Logger
	// Data is the data of the platform's design; nil if the system has no keeper.
	Data apps.Data

	now    func() time.Time
	health heartbeat
}

// New returns a platform on a database whose tables exist. Log and now may be nil.
func New(db *platformdb.DB, box *secret.Box, log *slog.Logger, now func() time.Time) (*Platform, error) {
	if db == nil || box == nil {
		return nil, errors.New("platform: it needs a database and a secret")
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if now == nil {
		now = time.Now
	}
	return &Platform{DB: db, Box: box, Log: log, now: now}, nil
}

// Open opens the platform of a system and creates its tables if they are missing. They are named
// after the system: exambuddy-platform and exambuddy-platform-counters.
func Open(ctx context.Context, config apps.Config, system string, options ...access.Option) (*Platform, error) {
	box, err := secret.NewBox(config.Secret)
	if err != nil {
		return nil, err
	}
	sealer, err := access.NewSealer(box.Key("seal", 32))
	if err != nil {
		return nil, err
	}
	options = append([]access.Option{
		access.WithSealer(sealer), access.WithCursorKey(box.Key("cursor", 32)),
		access.WithTableNames(TableNames(config.TablePrefix, system)),
	}, options...)
	db := platformdb.New(config.DynamoDB, options...)
	data, err := config.MakeTables(ctx, db.Client(), platformdb.Tables())
	if err != nil {
		return nil, fmt.Errorf("make the tables of the platform: %w", err)
	}
	p, err := New(db, box, config.Log, config.Now)
	if err == nil {
		p.Data = data
	}
	return p, err
}

// TableNames returns the function that names the platform's tables of a system.
func TableNames(prefix, system string) func(string) string {
	return func(name string) string { return prefix + system + "-" + name }
}

// Now returns the current time of the platform's clock, in UTC and as precise as the database
// keeps it.
func (p *Platform) Now() time.Time { return p.now().UTC().Truncate(time.Millisecond) }
