package kv

import "errors"

// Errors of stores. They come wrapped with what was being done; match them with errors.Is.
var (
	// ErrClosed: the store is closed.
	ErrClosed = errors.New("store is closed")

	// ErrFailed: an earlier or this write failed, and the store takes no more writes until
	// it is opened again.
	ErrFailed = errors.New("store failed and takes no more writes until it is opened again")

	// ErrLocked: another process, or another store of this process, has the directory open.
	ErrLocked = errors.New("already open in this or another process")

	// ErrForeign: the directory holds something that is not a store.
	ErrForeign = errors.New("directory is not empty and holds no sortkey data")

	// ErrFormat: the data was written by a newer version.
	ErrFormat = errors.New("data format is newer than this program")

	// ErrCorrupt: stored bytes are not what was written.
	ErrCorrupt = errors.New("stored data is corrupt")

	// ErrUnsupported: this kind of store cannot do that.
	ErrUnsupported = errors.New("not supported by this store")

	// ErrKey: a key outside the callers' part of the key space.
	ErrKey = errors.New("invalid key")

	// ErrTooLarge: one commit is larger than the store can take.
	ErrTooLarge = errors.New("commit is too large")
)
