package call

import (
	"errors"
	"fmt"
	"strings"

	"sortkey.dev/access"
)

// resume puts a new walk behind a cursor, where it is to read one page.
func (l *listing) resume(w *walk, cursor string) (cursorCodec, error) {
	codec, err := newCursorCodec(l.c, &l.q, l.path)
	if err != nil {
		return cursorCodec{}, fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	places, err := codec.decode(cursor)
	if err != nil {
		return cursorCodec{}, fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	if w.onePage = w.size == 0; !w.onePage {
		w.left = w.size
	}
	w.resume(places)
	return codec, nil
}

// takes reports whether the list can go on behind a cursor.
func (l *listing) takes(cursor string) bool {
	codec, err := newCursorCodec(l.c, &l.q, l.path)
	if err == nil {
		_, err = codec.decode(cursor)
	}
	return err == nil
}

// refused returns the error of reading the page behind a cursor: if DynamoDB refuses where the page begins, the cursor is bad.
func (l *listing) refused(err error, cursor string) error {
	if cursor != "" && aboutStart(err) {
		return fmt.Errorf("%s: %w: %w", l.q.Pattern.Name, access.ErrBadCursor, errors.Unwrap(err))
	}
	return err
}

// next returns the cursor of the page behind what a walk has read; "" at the end.
func (l *listing) next(w *walk, codec cursorCodec) (string, error) {
	if w.ended() {
		return "", nil
	}
	next, err := codec.encode(w.places())
	if err != nil {
		return "", fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	return next, nil
}

// A place says how far a request has been read.
type place struct {
	key   access.Item // of the item to go on behind; nil: from the beginning
	ended bool
}

// resume puts the readers of a new walk where an earlier one stopped.
func (w *walk) resume(places []place) {
	w.waiting = 0
	for i := range w.readers {
		r := &w.readers[i]
		if places != nil {
			r.next, r.ended = places[i].key, places[i].ended
		}
		if !r.ended {
			w.waiting++
		}
	}
}

// places returns how far each reader has read.
func (w *walk) places() []place {
	all := make([]place, len(w.readers))
	for i := range w.readers {
		all[i] = w.readers[i].place(w.q.Pattern.Keys)
	}
	return all
}

// place returns how far a reader has read: behind the item used last, also in the middle of an
// answer.
func (r *reader) place(keys []string) place {
	switch {
	case len(r.items) == 0:
		return place{key: r.next, ended: r.ended}
	case r.last == nil:
		return place{key: r.from}
	}
	key := make(access.Item, len(keys))
	for _, name := range keys {
		key[name] = r.last[name]
	}
	return place{key: key}
}

// ended reports whether nothing can follow.
func (w *walk) ended() bool {
	for i := range w.readers {
		if r := &w.readers[i]; !r.ended || len(r.items) > 0 {
			return false
		}
	}
	return true
}

// aboutStart reports whether DynamoDB refused where a request should begin: the only key a
// query carries.
func aboutStart(err error) bool {
	var refused interface {
		error
		ErrorCode() string
		ErrorMessage() string
	}
	if !errors.As(err, &refused) || refused.ErrorCode() != "ValidationException" {
		return false
	}
	text := strings.ToLower(refused.ErrorMessage())
	for _, about := range []string{"starting key", "start key", "exclusivestartkey", "key element does not match the schema", "size of hashkey", "size of rangekey"} {
		if strings.Contains(text, about) {
			return true
		}
	}
	return false
}
