// Package handle invents the names under which people stand on boards, such as "Brave Otter". A name belongs to a person as long
// as the person does not choose another one, and tells nothing about the person.
package handle

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// The words of invented names. The order is part of the names: only append.
var (
	first = []string{
		"Amber", "Azure", "Bold", "Brave", "Breezy", "Bright", "Calm", "Cheerful", "Clever", "Coral", "Cosy", "Crimson", "Curious", "Dapper", "Eager",
		"Early", "Emerald", "Fair", "Fearless", "Gentle", "Gleaming", "Golden", "Grand", "Happy", "Hazel", "Honest", "Humble", "Indigo", "Ivory", "Jolly",
		"Keen", "Kind", "Lively", "Lucky", "Lunar", "Merry", "Mellow", "Mighty", "Misty", "Nimble", "Noble", "Olive", "Patient", "Plucky", "Polite",
		"Proud", "Quick", "Quiet", "Radiant", "Rosy", "Ruby", "Rustic", "Sage", "Silver", "Sincere", "Snowy", "Solar", "Steady", "Sunny", "Swift",
		"Tidy", "Velvet", "Wise", "Witty",
	}
	second = []string{
		"Alpaca", "Badger", "Beaver", "Bison", "Bumblebee", "Camel", "Cat", "Cricket", "Crane", "Deer", "Dolphin", "Dove", "Duck", "Eagle", "Elk",
		"Falcon", "Ferret", "Finch", "Fox", "Gecko", "Goose", "Hare", "Hedgehog", "Heron", "Horse", "Ibex", "Jackdaw", "Kestrel", "Kiwi", "Koala",
		"Lark", "Lemur", "Llama", "Lynx", "Magpie", "Marmot", "Marten", "Mole", "Moose", "Newt", "Octopus", "Orca", "Otter", "Owl", "Panda",
		"Pelican", "Penguin", "Pony", "Puffin", "Quail", "Rabbit", "Raven", "Robin", "Salmon", "Seal", "Sparrow", "Squirrel", "Stork", "Swan", "Tapir",
		"Toad", "Turtle", "Wombat", "Wren",
	}
)

// Of returns the name of a person who chose another one a number of times.
func Of(personHash string, chosen int64) string { return withDigits(personHash, chosen, 0) }

// withDigits returns the name with a number of digits behind it.
func withDigits(personHash string, chosen int64, digits int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "handle %s %d", personHash, chosen))
	name := first[int(sum[0])%len(first)] + " " + second[int(sum[1])%len(second)]
	if digits == 0 {
		return name
	}
	text := fmt.Sprintf("%020d", binary.BigEndian.Uint64(sum[2:]))
	return name + " " + text[len(text)-digits:]
}

// OfAll returns the names of different people, no two alike: those who would share a name have
// digits behind it.
func OfAll(hashes []string, chosen map[string]int64) []string {
	names := make([]string, len(hashes))
	for i, hash := range hashes {
		names[i] = Of(hash, chosen[hash])
	}
	for digits := 2; digits <= 19; digits++ {
		count := make(map[string]int, len(names))
		for _, name := range names {
			count[name]++
		}
		alike := false
		for i, hash := range hashes {
			if count[names[i]] > 1 {
				names[i], alike = withDigits(hash, chosen[hash], digits), true
			}
		}
		if !alike {
			break
		}
	}
	return names
}
