package homeops

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strconv"
	"time"
)

var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// DeriveID returns the ULID of a time whose other half is a hash of parts: the same id for the
// same parts, so that what is derived from a message is stored once.
func DeriveID(at time.Time, parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		hash.Write(length[:])
		hash.Write([]byte(part))
	}
	digest := hash.Sum(nil)
	var wide [16]byte
	binary.BigEndian.PutUint64(wide[:8], uint64(at.UnixMilli())<<16)
	copy(wide[6:], digest[:10])
	return ulidText(wide)
}

// ulidText returns the 26 characters of an id.
func ulidText(id [16]byte) string {
	var padded [20]byte // 160 bits are 32 characters, of which the first six hold padding only
	copy(padded[4:], id[:])
	return crockford.EncodeToString(padded[:])[6:]
}

// EventID returns the id of the nth event of an activity in a message.
func EventID(chatID string, messageID int64, activity string, n int, at time.Time) string {
	return DeriveID(at, "event", chatID, strconv.FormatInt(messageID, 10), activity, strconv.Itoa(n))
}

// PromiseID returns the id of the nth promise of an activity in a message.
func PromiseID(chatID string, messageID int64, activity string, n int, at time.Time) string {
	return DeriveID(at, "promise", chatID, strconv.FormatInt(messageID, 10), activity, strconv.Itoa(n))
}
