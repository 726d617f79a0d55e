package askahuman

import "hash/fnv"

// maxPartsRead is the maximum number of parts that are read for one person or question.
const maxPartsRead = 4

// Part returns the part of the feed, of the boards or of the queue of subscriptions that an id
// belongs to.
func (e *Env) Part(id string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	return int64(h.Sum32() % uint32(e.parts))
}

// AllParts returns the numbers of all parts.
func (e *Env) AllParts() []int64 {
	all := make([]int64, e.parts)
	for i := range all {
		all[i] = int64(i)
	}
	return all
}

// PartsFor returns the parts to read for an id: a few, beginning with its own, and all if there
// are few.
func (e *Env) PartsFor(id string) []int64 {
	some := make([]int64, min(e.parts, maxPartsRead))
	for i := range some {
		some[i] = (e.Part(id) + int64(i)) % int64(e.parts)
	}
	return some
}
