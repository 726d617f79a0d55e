package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
}

// String and Set make choice a flag.Value.
func (c *choice) String() string { return c.value }

// Set accepts one of the allowed words.
func (c *choice) Set(word string) error {
	if slices.Contains(c.allowed, word) {
		c.value = word
		return nil
	}
	return fmt.Errorf("choose one of %s", strings.Join(c.allowed, ", "))
}

// byteSize is a flag that takes a size such as 64MiB, 1GB or a number of bytes.
type byteSize int64

// sizeUnits are tried in order, so a longer unit comes before its suffix.
var sizeUnits = []struct {
	suffix string
	bytes  int64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9},
	{"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30},
	{"b", 1}, {"", 1},
}

// String returns "" for zero, which means the default.
func (b *byteSize) String() string {
	if *b == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Set accepts an integer with an optional unit.
func (b *byteSize) Set(text string) error {
	lower := strings.ToLower(text)
	for _, unit := range sizeUnits {
		digits, ok := strings.CutSuffix(lower, unit.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/unit.bytes {
			break
		}
		*b = byteSize(n * unit.bytes)
		return nil
	}
	return fmt.Errorf("want a size such as 64MiB, 1GB or a number of bytes")
}

// bounded is a flag that takes an integer within bounds.
type bounded struct {
	value       *int
	least, most int
}

// boundedVar returns a flag for a number with a default.
func boundedVar(value *int, usual, least, most int) *bounded {
	*value = usual
	return &bounded{value, least, most}
}

// String and Set make bounded a flag.Value.
func (b *bounded) String() string {
	if b.value == nil {
		return ""
	}
	return strconv.Itoa(*b.value)
}

// Set accepts a number within the bounds.
func (b *bounded) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < b.least || n > b.most {
		return fmt.Errorf("want a whole number from %d to %d", b.least, b.most)
	}
	*b.value = n
	return nil
}

// seed is a flag that takes a random seed.
type seed uint64

// String and Set make seed a flag.Value.
func (s *seed) String() string { return strconv.FormatUint(uint64(*s), 10) }

// Set accepts an unsigned 64-bit number.
func (s *seed) Set(text string) error {
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return fmt.Errorf("want a whole number from 0 to %d", uint64(math.MaxUint64))
	}
	*s = seed(n)
	return nil
}
