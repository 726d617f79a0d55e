// Package platformtest opens a platform for a test: a real database and a clock that the test
// moves. Only tests import it.
package platformtest

import (
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/secret"
)

// Start is the initial time of a new clock: a Monday at noon, UTC. It is in the future, because
// a database deletes expired items by its own clock.
var Start = time.Date(2037, time.February, 2, 12, 0, 0, 0, time.UTC)

// A World is a platform under test.
type World struct {
	*platform.Platform
	Database apptest.Database
	Clock    *apptest.Clock
}

// Open returns an empty platform.
func Open(t testing.TB, options ...access.Option) *World {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Database: apptest.Open(t, platformdb.Tables()), Clock: apptest.NewClock(Start)}
	w.Platform = On(t, w.Database, box, w.Clock, options...)
	return w
}

// On returns a platform on a database that has its table.
func On(t testing.TB, database apptest.Database, box *secret.Box, clock *apptest.Clock, options ...access.Option) *platform.Platform {
	t.Helper()
	sealer, err := access.NewSealer(box.Key("seal", 32))
	if err != nil {
		t.Fatal(err)
	}
	options = append([]access.Option{access.WithSealer(sealer), access.WithTablePrefix(database.Prefix), access.WithoutState()}, options...)
	p, err := platform.New(platformdb.New(database.DynamoDB, options...), box, nil, clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
