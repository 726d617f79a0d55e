// Package evolve brings the data of systems to the version of their designs that this program has: it does on a system's own
// data, when the system starts, what "sortkey migrate apply" does. It knows where the histories of designs are, which store
// this process has for itself, and when people are to be asked. Package access/migrate carries the migrations out.
//
// The commands that run systems give them a Keeper. Systems know the interface in package apps only.
package evolve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/apps"
	"sortkey.dev/design"
)

// Options configures a Keeper. API and Designs are required.
type Options struct {
	API     apps.DynamoDB
	Designs fs.FS // holds designs with their histories, at any path
	// Alone says that no other process can use the store: data is brought to the version of the program before the
	// system serves, without waiting for anybody.
	Alone bool
	// Resume lets a migration pass the step before which it waits for an operator.
	Resume bool
	// AcceptShape takes tables whose items have another shape than the design gives them; see provision.Options.
	AcceptShape bool
	// Timing returns how long a request can be carried out after the end of its lease, and how long leases are. It is asked
	// before a migration in a store that is not Alone.
	Timing func(ctx context.Context, table string, row access.StateRow) (settle, lease time.Duration, err error)
	// Progress is told how far a migration is; never twice at once. It may be nil.
	Progress func(Progress)
	Log      *slog.Logger
}

// Progress says how far a migration is.
type Progress struct {
	Design    string
	Migration string
	From, To  int
	migrate.Status
	Done bool
}

// A Keeper keeps the data of designs at the versions that this program has. It implements apps.Keeper.
type Keeper struct{ o Options }

// New returns a keeper.
func New(o Options) *Keeper {
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Keeper{o}
}

// A NewerError says that data has a version that this program does not know.
type NewerError struct {
	Design  string
	Version int  // of the data
	Under   bool // the data is on the way to it
	Program int  // the last version that the program knows
}

func (e *NewerError) Error() string {
	has := "has version %d of %s"
	if e.Under {
		has = "is on the way to version %d of %s"
	}
	return fmt.Sprintf("the data "+has+", and this program knows versions up to %d", e.Version, e.Design, e.Program)
}

// A WaitsError says that data has an older version, and that an operator has to let its migration go on.
type WaitsError struct {
	Design, Migration string
	Version, Program  int
	Why               string
}

func (e *WaitsError) Error() string {
	return fmt.Sprintf("the data has version %d of %s, and this program needs version %d: %s waits: %s", e.Version, e.Design, e.Program, e.Migration, e.Why)
}

// A ConflictsError says that items cannot be brought to the next version. The data was taken back to the version that it had.
type ConflictsError struct {
	Design, Migration string
	Version           int
	Conflicts         []apps.DataConflict // the first ones
	More              int
}

func (e *ConflictsError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s cannot be done: %d items do not fit; the data keeps version %d of %s", e.Migration, len(e.Conflicts)+e.More, e.Version, e.Design)
	for _, c := range e.Conflicts {
		fmt.Fprintf(&b, "\n  %s %s: %s", c.Table, c.Key, c.Reason)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\n  and %d more", e.More)
	}
	return b.String()
}

// Keep makes the tables of a design ready for the client of its generated package. The error is a *NewerError, *WaitsError,
// *ConflictsError or *provision.RefusedError where people have to do something.
func (k *Keeper) Keep(ctx context.Context, client *access.Client, tables []provision.Table) (apps.Data, error) {
	d, err := k.open(client, tables)
	if err != nil {
		return nil, err
	}
	if d.history == nil {
		return nil, d.apply(ctx, tables, false)
	}
	if err := d.keep(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// open finds the history of the design of a client.
func (k *Keeper) open(client *access.Client, tables []provision.Table) (*data, error) {
	of := client.Design()
	d := &data{k: k, client: client, tables: tables}
	path, err := find(k.o.Designs, of.Name)
	if err != nil || path == "" {
		return d, err
	}
	file, err := design.OpenFS(k.o.Designs, path)
	if err != nil {
		return nil, err
	}
	h, err := file.History()
	if errors.Is(err, design.ErrNoHistory) {
		return d, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the history of %s: %w", of.Name, err)
	}
	d.history = h
	d.last, _ = h.Last()
	if of.State.Table == "" { // the package was generated before the design had a history
		state, err := h.State()
		if err != nil {
			return nil, fmt.Errorf("the history of %s: %w", of.Name, err)
		}
		of.State = state.State
	}
	d.epochs = &migrate.Epochs{API: k.o.API, Design: of, TableName: client.Table, Control: client.Table(Control), Alone: k.o.Alone}
	return d, nil
}

// Control is the name of the table that holds how far migrations are, without the prefix of the tables of the design.
const Control = "sortkey-control"

// find returns the path of the file of a design; "" if there is none.
func find(designs fs.FS, name string) (path string, err error) {
	err = fs.WalkDir(designs, ".", func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(at, ".design.yaml") {
			return err
		}
		text, err := fs.ReadFile(designs, at)
		if err == nil && nameOf(text) == name {
			path = at
			return fs.SkipAll
		}
		return err
	})
	return path, err
}

// nameOf returns the name of a design, which is on a line of its own.
func nameOf(text []byte) string {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "design:"); ok {
			name, _, _ = strings.Cut(name, "#")
			return strings.Trim(strings.TrimSpace(name), `"'`)
		}
	}
	return ""
}

// serves reports whether a package may send requests while the data has a version.
func serves(versions []int, version int) bool { return slices.Contains(versions, version) }

// noTable reports whether an error says that a table does not exist.
func noTable(err error) bool {
	_, missing := errors.AsType[*types.ResourceNotFoundException](err)
	return missing
}
