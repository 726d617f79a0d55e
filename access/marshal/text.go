package marshal

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FormatInt returns a whole number as text.
func FormatInt(n int64) string { return strconv.FormatInt(n, 10) }

// FormatFloat returns the shortest text that reads as the number; "" for what is no number,
// which DynamoDB refuses and a key too.
func FormatFloat(f float64) string {
	var digits [32]byte
	return string(appendFloat(digits[:0], f))
}

// FormatBool returns true or false.
func FormatBool(b bool) string { return strconv.FormatBool(b) }

// Lower returns a text as the filter lower writes it.
func Lower(s string) string { return strings.ToLower(s) }

// Upper returns a text as the filter upper writes it.
func Upper(s string) string { return strings.ToUpper(s) }

// Cut returns the first n characters of a text, as the filter prefix writes them.
func Cut(s string, n int) string {
	if !utf8.ValidString(s) {
		runes := []rune(s)
		return string(runes[:min(max(n, 0), len(runes))])
	}
	for at := range s {
		if n <= 0 {
			return s[:at]
		}
		n--
	}
	return s
}

// ShardOf returns the shard of a value among n, as the filter shard writes it: FNV-1a of its
// bytes, modulo n.
func ShardOf(s string, n int) string {
	if n <= 0 {
		return "0"
	}
	hash := uint32(2166136261)
	for i := range len(s) {
		hash = (hash ^ uint32(s[i])) * 16777619
	}
	return strconv.FormatUint(uint64(hash)%uint64(n), 10)
}

// AnyShard returns one of n shards by chance: additions to a counter spread over them.
func AnyShard(n int) string {
	if n <= 0 {
		return "0"
	}
	return strconv.Itoa(rand.IntN(n))
}

// Before returns the last text that sorts before another: its last character lowered by one,
// then the largest character there is. Only texts that go on with that character, which
// is not assigned and never will be, lie between the two.
func Before(text string) string {
	last, size := utf8.DecodeLastRuneInString(text)
	rest := text[:len(text)-size]
	switch {
	case last == 0 || text == "":
		return rest
	case last == 0xE000: // surrogates are no characters
		return rest + "\uD7FF" + string(utf8.MaxRune)
	}
	return rest + string(last-1) + string(utf8.MaxRune)
}
