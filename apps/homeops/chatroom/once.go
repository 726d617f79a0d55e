package chatroom

import (
	"slices"
	"sync"
)

// keptKeys is the number of idempotency keys that a room remembers.
const keptKeys = 1000

// A request is what was sent under an idempotency key.
type request struct {
	key   string
	mutex sync.Mutex // held while it is done
	done  bool
}

// Once calls do, which speaks in a chat, unless a call with the same idempotency key has succeeded. A call waits
// while another with its key runs. The key may be "".
func (r *Room) Once(key string, do func() error) error {
	if key == "" {
		return do()
	}
	q := r.request(key)
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.done {
		return nil
	}
	if err := do(); err != nil {
		return err
	}
	q.done = true
	return nil
}

// request returns the request of a key. The oldest one is forgotten.
func (r *Room) request(key string) *request {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if i := slices.IndexFunc(r.requests, func(q *request) bool { return q.key == key }); i >= 0 {
		return r.requests[i]
	}
	if len(r.requests) == keptKeys {
		r.requests = slices.Delete(r.requests, 0, 1)
	}
	q := &request{key: key}
	r.requests = append(r.requests, q)
	return q
}
