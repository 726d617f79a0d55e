package call

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/source"
)

// Page implements source.List.
func (l *list[T]) Page(ctx context.Context, r source.Range, cursor string) ([]T, string, error) {
	w := newWalk(ctx, l.c, &l.q, pageSize(r), -1)
	if l.q.Err != nil {
		return nil, "", l.failed(w.call)
	}
	items, next, err := l.page(ctx, w, cursor)
	w.call.end(err)
	return items, next, err
}

// page reads the page behind a cursor.
func (l *list[T]) page(ctx context.Context, w *walk, cursor string) ([]T, string, error) {
	codec, err := newCursorCodec(l.c, &l.q)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	places, err := codec.decode(cursor)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	if w.onePage = w.size == 0; !w.onePage {
		w.left = w.size
	}
	w.resume(places)
	items, err := gather(ctx, w, l.decode)
	if err != nil {
		if cursor != "" && aboutStart(err) {
			err = fmt.Errorf("%s: %w: %w", l.q.Pattern.Name, access.ErrBadCursor, errors.Unwrap(err))
		}
		return nil, "", err
	}
	if w.ended() {
		return items, "", nil
	}
	next, err := codec.encode(w.places())
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	return items, next, nil
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
