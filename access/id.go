package access

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strconv"
	"sync"
	"time"
)

// NewULID makes an id that begins with an instant, to the millisecond: 26 characters that
// sort by it. Of the ids one process makes for the same millisecond each is greater than
// the one before, also if ids for a few other milliseconds come in between, as they do when
// the clock is set back. The next id can be guessed from one: an id is no secret. An instant
// outside of what fits, 1970 to 10889, counts as the nearest.
func NewULID(at time.Time) string {
	id := ulids.next(milliseconds(at))
	return ulidText(id)
}

// NewUUIDv7 makes a UUID of version 7, which begins with an instant as a ULID does.
func NewUUIDv7(at time.Time) string {
	id := uuids.next(milliseconds(at))
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return uuidText(id)
}

// NewUUID makes a random UUID, of version 4.
func NewUUID() string {
	var id [16]byte
	rand.Read(id[:]) // it never fails
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return uuidText(id)
}

// mostMilliseconds is the largest time that fits into 48 bits.
const mostMilliseconds = 1<<48 - 1

func milliseconds(at time.Time) uint64 {
	return uint64(min(max(at.UnixMilli(), 0), mostMilliseconds))
}

// A sequence makes the ids of one kind: random, but within a millisecond one after the
// other. Callers do not come in the order of their clocks, so it remembers the last id of
// some milliseconds, not only of one.
type sequence struct {
	mu     sync.Mutex
	recent [16][16]byte
	oldest int // the one to forget next
}

var ulids, uuids sequence

// rising is the first of the bytes that count up within a millisecond. Neither the version
// nor the variant of a UUID is behind it.
const rising = 9

func (s *sequence) next(ms uint64) [16]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.recent {
		last := &s.recent[i]
		if *last != ([16]byte{}) && binary.BigEndian.Uint64(last[:8])>>16 == ms {
			rise(last)
			return *last
		}
	}
	first := &s.recent[s.oldest]
	s.oldest = (s.oldest + 1) % len(s.recent)
	rand.Read(first[:])
	binary.BigEndian.PutUint64(first[:8], ms<<16|uint64(first[6])<<8|uint64(first[7]))
	first[rising] &= 0x7f // room to count up: more ids than a process makes in a millisecond
	return *first
}

// rise makes an id the next one.
func rise(id *[16]byte) {
	for i := len(id) - 1; i >= rising; i-- {
		if id[i]++; id[i] != 0 {
			return
		}
	}
}

// ulidText writes 128 bits in 26 characters of five bits; the first has three.
func ulidText(id [16]byte) string {
	high, low := binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(id[8:])
	var text [26]byte
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = crockford[low&31]
		low = low>>5 | high<<59
		high >>= 5
	}
	return string(text[:])
}

func uuidText(id [16]byte) string {
	var text [36]byte
	hex.Encode(text[:8], id[:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:], id[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}

var errNoTimeInID = errors.New("is no ulid and no uuidv7, which begin with a time")

// crockford are the digits of a ulid.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const noDigit = 0xFF

// crockfordDigits maps bytes to the values they have in a ulid.
var crockfordDigits = func() (digits [256]byte) {
	for i := range digits {
		digits[i] = noDigit
	}
	for i := range len(crockford) {
		digits[crockford[i]] = byte(i)
	}
	return digits
}()

// TimeOfID returns the instant a ulid or a uuidv7 begins with.
func TimeOfID(id string) (time.Time, error) {
	switch len(id) {
	case len("01ARZ3NDEKTSV4RRFFQ69G5FAV"):
		millis := int64(0)
		for i := range 10 {
			digit := crockfordDigits[id[i]]
			if digit == noDigit {
				return time.Time{}, errNoTimeInID
			}
			millis = millis<<5 | int64(digit)
		}
		if millis >= 1<<48 {
			return time.Time{}, errNoTimeInID
		}
		return time.UnixMilli(millis).UTC(), nil
	case len("018bfcd0-0b1c-7cc3-98c4-dc0c0c07398f"):
		millis, err := strconv.ParseUint(id[:8]+id[9:13], 16, 64)
		if err != nil || id[8] != '-' || id[13] != '-' || id[14] != '7' {
			return time.Time{}, errNoTimeInID
		}
		return time.UnixMilli(int64(millis)).UTC(), nil
	}
	return time.Time{}, errNoTimeInID
}
