package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// A Page is a part of a list.
type Page[T any] struct {
	Items []T
	// Next is the cursor of the next page, safe in a URL; "" at the end. A page behind it
	// may turn out empty: DynamoDB does not always know that it has reached the end.
	//
	// It holds a key for each request of the pattern that is under way. One request makes a
	// cursor of the length of a sort key; a pattern that asks for many keys at once makes a
	// long one, which belongs in the body of a POST rather than in a URL.
	Next string
}

// Page reads one page: the first for an empty cursor, else the one behind a page's Next.
// Pages go on past the limit, to the end of what there is.
//
// A cursor is good for its pattern and for the keys it was made for, in whatever order they
// are given, else it is ErrBadCursor. The rest of the arguments may change; but if they leave
// the cursor outside of the range that is read, as time does when a range begins now, it is
// ErrBadCursor too.
func (l List[T]) Page(ctx context.Context, cursor string) (Page[T], error) {
	w := newWalk(ctx, l.c, l.q, l.size(), -1)
	if l.q.Err != nil {
		return Page[T]{}, l.failed(w.call)
	}
	page, err := l.page(ctx, w, cursor)
	w.call.end(err)
	return page, err
}

// page reads the page behind a cursor.
func (l List[T]) page(ctx context.Context, w *walk, cursor string) (Page[T], error) {
	codec, err := newCursorCodec(l.c, l.q)
	if err != nil {
		return Page[T]{}, fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	places, err := codec.decode(cursor)
	if err != nil {
		return Page[T]{}, fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	if w.onePage = w.size == 0; !w.onePage {
		w.left = w.size
	}
	w.resume(places)
	items, err := gather(ctx, w, l.decode)
	if err != nil {
		if cursor != "" && aboutStart(err) {
			err = fmt.Errorf("%s: %w: %w", l.q.Pattern.Name, ErrBadCursor, errors.Unwrap(err))
		}
		return Page[T]{}, err
	}
	page := Page[T]{Items: items}
	if w.ended() {
		return page, nil
	}
	if page.Next, err = codec.encode(w.places()); err != nil {
		return Page[T]{}, fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
	}
	return page, nil
}

// A place is how far a request has been read.
type place struct {
	key   Item // of the item to go on behind; nil: from the beginning
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

// places are where the readers stand.
func (w *walk) places() []place {
	all := make([]place, len(w.readers))
	for i := range w.readers {
		all[i] = w.readers[i].place(w.q.Pattern.Keys)
	}
	return all
}

// place is where a reader stands: behind the item used last, also in the middle of an
// answer.
func (r *reader) place(keys []string) place {
	switch {
	case len(r.items) == 0:
		return place{key: r.next, ended: r.ended}
	case r.last == nil:
		return place{key: r.from}
	}
	key := make(Item, len(keys))
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
