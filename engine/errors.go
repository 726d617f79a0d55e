package engine

import "sortkey.dev/engine/internal/kv"

// Errors that programs can match with errors.Is. They are wrapped in errors that say which
// operation failed.
//
// An operation after Close fails with an InternalServerError of the SDK, like every failure of
// the database. In the process, through [DB.API], [DB.Client] and [DB.Streams], it also
// matches ErrClosed.
var (
	// ErrClosed is returned by operations after [DB.Close].
	ErrClosed = kv.ErrClosed

	// ErrLocked is returned by [Open] for a directory that another DB has open, in this
	// process or in another one.
	ErrLocked = kv.ErrLocked

	// ErrFormat is returned by [Open] for a directory that was written by a newer version.
	ErrFormat = kv.ErrFormat

	// ErrForeign is returned by [Open] for a directory that is not empty and holds no
	// database.
	ErrForeign = kv.ErrForeign
)
