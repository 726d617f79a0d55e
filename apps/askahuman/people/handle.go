package people

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// The words of invented names. The order is part of the names: only append.
var (
	handleFirst = []string{
		"Amber", "Azure", "Bold", "Brave", "Breezy", "Bright", "Calm", "Cheerful", "Clever", "Coral", "Cosy", "Crimson", "Curious", "Dapper", "Eager",
		"Early", "Emerald", "Fair", "Fearless", "Gentle", "Gleaming", "Golden", "Grand", "Happy", "Hazel", "Honest", "Humble", "Indigo", "Ivory", "Jolly",
		"Keen", "Kind", "Lively", "Lucky", "Lunar", "Merry", "Mellow", "Mighty", "Misty", "Nimble", "Noble", "Olive", "Patient", "Plucky", "Polite",
		"Proud", "Quick", "Quiet", "Radiant", "Rosy", "Ruby", "Rustic", "Sage", "Silver", "Sincere", "Snowy", "Solar", "Steady", "Sunny", "Swift",
		"Tidy", "Velvet", "Wise", "Witty",
	}
	handleSecond = []string{
		"Alpaca", "Badger", "Beaver", "Bison", "Bumblebee", "Camel", "Cat", "Cricket", "Crane", "Deer", "Dolphin", "Dove", "Duck", "Eagle", "Elk",
		"Falcon", "Ferret", "Finch", "Fox", "Gecko", "Goose", "Hare", "Hedgehog", "Heron", "Horse", "Ibex", "Jackdaw", "Kestrel", "Kiwi", "Koala",
		"Lark", "Lemur", "Llama", "Lynx", "Magpie", "Marmot", "Marten", "Mole", "Moose", "Newt", "Octopus", "Orca", "Otter", "Owl", "Panda",
		"Pelican", "Penguin", "Pony", "Puffin", "Quail", "Rabbit", "Raven", "Robin", "Salmon", "Seal", "Sparrow", "Squirrel", "Stork", "Swan", "Tapir",
		"Toad", "Turtle", "Wombat", "Wren",
	}
)

// handleOf returns the invented name of a person who chose another one a number of times, with a
// number of digits behind it. The name tells nothing about the person.
func handleOf(personHash string, chosen int64, digits int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "handle %s %d", personHash, chosen))
	name := handleFirst[int(sum[0])%len(handleFirst)] + " " + handleSecond[int(sum[1])%len(handleSecond)]
	if digits == 0 {
		return name
	}
	text := fmt.Sprintf("%020d", binary.BigEndian.Uint64(sum[2:]))
	return name + " " + text[len(text)-digits:]
}

// handlesOf returns the names of different people, no two alike: those who would share a name have
// digits behind it.
func handlesOf(hashes []string, chosen map[string]int64) []string {
	names := make([]string, len(hashes))
	for i, hash := range hashes {
		names[i] = handleOf(hash, chosen[hash], 0)
	}
	for digits := 2; digits <= 19; digits++ {
		count := make(map[string]int, len(names))
		for _, name := range names {
			count[name]++
		}
		alike := false
		for i, hash := range hashes {
			if count[names[i]] > 1 {
				names[i], alike = handleOf(hash, chosen[hash], digits), true
			}
		}
		if !alike {
			break
		}
	}
	return names
}

// nameRows sets the names of a board's rows. hashes are the people of the rows.
func (s *Service) nameRows(ctx context.Context, rows []BoardRow, hashes []string) error {
	if len(rows) == 0 {
		return nil
	}
	stored, err := s.StoredOf(ctx, hashes)
	if err != nil {
		return err
	}
	chosen := make(map[string]int64, len(stored))
	for hash, stats := range stored {
		chosen[hash] = chosenOf(stats)
	}
	for i, name := range handlesOf(hashes, chosen) {
		rows[i].Handle = name
	}
	return nil
}

// chosenOf returns how often a person chose another name.
func chosenOf(stats askahumandb.UserStats) int64 {
	if stats.Handle == nil {
		return 0
	}
	return *stats.Handle
}

// ChangeHandle gives a person another invented name on all boards and returns it.
func (s *Service) ChangeHandle(ctx context.Context, p askahuman.Person) (string, error) {
	var name string
	err := access.RetryOnConflict(ctx, func() (again bool, err error) {
		stats, known, err := s.Stored(ctx, p)
		if err != nil {
			return false, err
		}
		if !known {
			return false, askahuman.ErrNobody
		}
		next := chosenOf(stats) + 1
		for handleOf(p.Hash, next, 0) == handleOf(p.Hash, next-1, 0) {
			next++
		}
		_, err = s.env.DB.ChangeHandle(ctx, stats.Key(), askahumandb.ChangeHandleParams{Handle: &next, UpdatedAt: s.env.Now(), Version: stats.Version})
		name = handleOf(p.Hash, next, 0)
		return askahuman.Changed[askahumandb.UserStats](err), err
	})
	if err != nil {
		return "", fmt.Errorf("change the name of a person: %w", err)
	}
	return name, nil
}
