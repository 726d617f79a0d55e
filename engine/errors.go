package engine

import "sortkey.dev/engine/internal/kv"

// Errors that a program may want to tell apart. They come wrapped with what was being
// done; match them with errors.Is.
//
// An operation after Close fails with an InternalServerError of the SDK, as every failure of the database does. In
// the process, through [DB.API], [DB.Client] and [DB.Streams], it matches ErrClosed, too.
var (
	// ErrClosed is the error of operations after [DB.Close].
	ErrClosed = kv.ErrClosed

	// ErrLocked is the error of [Open] for a directory that another DB has open, in this
	// process or in another one.
	ErrLocked = kv.ErrLocked

	// ErrFormat is the error of [Open] for a directory that was written by a newer version.
	ErrFormat = kv.ErrFormat

	// ErrForeign is the error of [Open] for a directory that is not empty and holds no
	// database.
	ErrForeign = kv.ErrForeign
)
