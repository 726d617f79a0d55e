package sample

import (
	"encoding/hex"
	"strings"
	"time"

	"sortkey.dev/design/internal/model"
)

// stamp is the stored format of timestamps: always 24 characters.
const stamp = "2006-01-02T15:04:05.000Z"

// crockford are the digits of a ULID, hexadecimal those of a UUID.
const (
	crockford   = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	hexadecimal = "0123456789abcdef"
)

// timeValue returns a time as a timestamp or as seconds.
func timeValue(at time.Time, base model.Base) Value {
	if base == model.Unixtime {
		return number(at.Unix())
	}
	return text(at.UTC().Format(stamp))
}

// madeAt returns the time an id carries: that of the attribute it was made from.
func (g *generator) madeAt(d *draft, a *model.Attribute) time.Time {
	if a.Time != nil {
		if v, ok := d.values[a.Time]; ok {
			if at, err := time.Parse(stamp, instant(a.Time.Type.Base, v, v.Text)); err == nil {
				return at
			}
		}
	}
	return d.at
}

// idTime returns the time a ULID or a UUID of version 7 begins with.
func idTime(v Value, base model.Base) (time.Time, bool) {
	digits, alphabet, length := v.Text, crockford, 10
	switch base {
	case model.ULID:
	case model.UUIDv7:
		digits, alphabet, length = strings.ReplaceAll(v.Text, "-", ""), hexadecimal, 12
	default:
		return time.Time{}, false
	}
	if len(digits) < length {
		return time.Time{}, false
	}
	ms := int64(0)
	for _, c := range digits[:length] {
		ms = ms*int64(len(alphabet)) + int64(max(0, strings.IndexRune(alphabet, c)))
	}
	return time.UnixMilli(ms).UTC(), true
}

func (g *generator) ulid(at time.Time) string {
	var b [26]byte
	ms := uint64(at.UnixMilli())
	for i := 9; i >= 0; i-- {
		b[i] = crockford[ms&31]
		ms >>= 5
	}
	for i := 10; i < len(b); i++ {
		b[i] = crockford[g.rng.IntN(len(crockford))]
	}
	return string(b[:])
}

func (g *generator) uuid() string { return dashed(g.bytes(16), 4) }

func (g *generator) uuidv7(at time.Time) string {
	b := g.bytes(16)
	ms := uint64(at.UnixMilli())
	for i := 5; i >= 0; i-- {
		b[i] = byte(ms)
		ms >>= 8
	}
	return dashed(b, 7)
}

func dashed(b []byte, version byte) string {
	b[6] = b[6]&0x0f | version<<4
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (g *generator) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.rng.UintN(256))
	}
	return b
}
