package kv

import "errors"

// Errors of stores. They are wrapped in errors that say which operation failed; match them with errors.Is.
var (
	// ErrClosed is returned when the store is closed.
	ErrClosed = errors.New("store is closed")

	// ErrFailed is returned after a failed write: the store takes no more writes until it is
	// opened again.
	ErrFailed = errors.New("store failed and takes no more writes until it is opened again")

	// ErrLocked is returned when another process, or another store of this process, has the directory open.
	ErrLocked = errors.New("already open in this or another process")

	// ErrForeign is returned when the directory holds something that is not a store.
	ErrForeign = errors.New("directory is not empty and holds no sortkey data")

	// ErrFormat is returned when the data was written by a newer version.
	ErrFormat = errors.New("data format is newer than this program")

	// ErrCorrupt is returned when stored bytes are damaged.
	ErrCorrupt = errors.New("stored data is corrupt")

	// ErrUnsupported is returned when this kind of store does not support the call.
	ErrUnsupported = errors.New("not supported by this store")

	// ErrKey is returned for a key outside the callers' part of the key space.
	ErrKey = errors.New("invalid key")

	// ErrTooLarge is returned when one commit is larger than the store can take.
	ErrTooLarge = errors.New("commit is too large")
)
