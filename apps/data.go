package apps

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
)

// A Keeper keeps the data of designs at the version that a program needs: it makes tables that are missing, and
// brings data of an older version to that of the program.
type Keeper interface {
	// Keep makes the tables of a design ready for the client of its generated package. When it returns, the client
	// may send requests.
	Keep(ctx context.Context, client *access.Client, tables []provision.Table) (Data, error)
}

// Data is the data of one design of a system. It is safe for concurrent use.
type Data interface {
	// Stand returns where the data stands.
	Stand(ctx context.Context) (*DataStand, error)
	// Continue goes on with a migration that other processes go through too. It returns nil if there is none, or if it waits for an operator.
	Continue(ctx context.Context) error
}

// A DataStand says which version of a design the data has, and how far it is on the way to the next.
type DataStand struct {
	Design   string
	Program  int      // the version that this program has
	Versions []string // of the design's history, the first one first: 0001-baseline
	Version  int      // of the data

	Migration string // that is under way, or that would be next; ""
	Phase     access.Phase
	Epoch     int64
	Settled   bool   // false: the run waits for requests of the epoch before
	Under     bool   // the migration is under way
	Step      string // of the phase: fill, verify, verified, repair, remove, clean; "" before the first
	Waits     string // why the run waits for an operator, with what to do; ""
	Paused    string // why the run is paused; ""
	Back      bool   // the run goes back
	Parts     []DataPart
	Conflicts []DataConflict // the first ones
	More      int            // conflicts that are not listed
}

// A DataPart says how far a step is with a part of items.
type DataPart struct {
	Name           string // Task.GSI2
	Segments, Done int
	Seen, Changed  int64
}

// A DataConflict is an item that cannot get its part. Nothing of the item but its key is shown.
type DataConflict struct{ Part, Table, Key, Reason string }

// MakeTables makes the tables of a generated package ready for its client, with the keeper of the system if it has one. Without one,
// Data is nil: tables are made as they are defined, and the state row of a design with a history says that they have
// the version of the program.
func (c Config) MakeTables(ctx context.Context, client *access.Client, tables []provision.Table) (Data, error) {
	if c.Keeper != nil {
		return c.Keeper.Keep(ctx, client, tables)
	}
	changes, err := provision.Apply(ctx, c.DynamoDB, tables, provision.Options{TableNames: client.Table, AcceptShape: c.AcceptShape})
	for _, change := range changes {
		c.Log.Info("tables", slog.Any("change", change))
	}
	design := client.Design()
	if err != nil || len(design.Versions) == 0 {
		return nil, err
	}
	epochs := migrate.Epochs{API: c.DynamoDB, Design: design, TableName: client.Table}
	if _, err := epochs.Create(ctx, design.Versions[len(design.Versions)-1], access.LeaseInPeace); err != nil && !errors.Is(err, migrate.ErrChanged) {
		return nil, fmt.Errorf("note the version of %s: %w", design.Name, err)
	}
	return nil, nil
}
