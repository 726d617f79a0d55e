package access

import (
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A StateRow says where the state row of a design with a history is.
type StateRow struct {
	Table     string // as the design names it
	Partition KeyValue
	Sort      KeyValue // the zero value: the table has no sort key
}

// A KeyValue is a key attribute and the text it has.
type KeyValue struct{ Name, Text string }

// Key returns the primary key of the row.
func (r StateRow) Key() Item {
	key := Item{r.Partition.Name: &types.AttributeValueMemberS{Value: r.Partition.Text}}
	if r.Sort.Name != "" {
		key[r.Sort.Name] = &types.AttributeValueMemberS{Value: r.Sort.Text}
	}
	return key
}

// A State holds what the state row of a design says: which version is in force, and which phase of which migration. Processes read it and
// package migrate writes it.
type State struct {
	Version   int    // the version that the design has, or that the migration starts from
	Migration string // "" or the migration to the next version
	Phase     Phase  // of the migration
	Epoch     int64  // rises with every change but that of Settled; at least 1
	Settled   int64  // the last epoch of which was waited until no request of an earlier one can be carried out
	Least     int    // the least version of code that may send requests
	// Paths holds the paths that are served, see LayoutPath, each with the epoch that opened it: the old one until one settled epoch before
	// PhaseAfter, the new one from PhaseRead, or on the way back until one settled epoch before PhasePrepare. Empty: as the phase says.
	Paths   map[string]int64
	Lease   time.Duration // how long a process may send requests after it has begun to read the row
	Longest time.Duration // the longest lease that any row gave since the last settled epoch
	Paused  string        // "" or why the migration is paused
	// Verified is the epoch in which the new parts of all items were verified; another epoch: they are not. It is written without a
	// new epoch.
	Verified int64
}

// The lengths of leases. A lease is renewed when a third of it has passed.
const (
	LeaseInPeace    = 5 * time.Minute
	LeaseMigrating  = 30 * time.Second
	LeaseOnMachine  = 10 * time.Second // of an endpoint on the machine of the process
	maxClockAhead   = 20 * time.Second
	stateReadExpiry = 10 * time.Second // of one attempt to read the row
)

// Item returns the row with its key. ParseState reads it.
func (s State) Item(key Item) Item {
	item := Item{
		"version": stateNumber(int64(s.Version)), "epoch": stateNumber(s.Epoch), "settled": stateNumber(s.Settled),
		"least": stateNumber(int64(s.Least)), "phase": &types.AttributeValueMemberS{Value: s.Phase.String()},
		"lease": stateNumber(s.Lease.Milliseconds()), "longest": stateNumber(s.Longest.Milliseconds()),
	}
	for name, text := range map[string]string{"migration": s.Migration, "paused": s.Paused} {
		if text != "" {
			item[name] = &types.AttributeValueMemberS{Value: text}
		}
	}
	paths := &types.AttributeValueMemberM{Value: Item{}}
	for path, epoch := range s.Paths {
		paths.Value[path] = stateNumber(epoch)
	}
	item["paths"] = paths
	for name, value := range key {
		item[name] = value
	}
	return item
}

func stateNumber(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// IsStateRow reports whether an item is the state row of a design. Several designs may have theirs in one table, such as a system and
// the platform under it; nothing that goes through items takes them for items of its design.
func IsStateRow(item Item) bool {
	for _, name := range []string{"epoch", "settled", "least", "longest"} {
		if _, ok := item[name].(*types.AttributeValueMemberN); !ok {
			return false
		}
	}
	_, ok := item["paths"].(*types.AttributeValueMemberM)
	return ok
}

// ParseState reads a state row. Attributes that it does not know are left out.
func ParseState(item Item) (State, error) {
	r := stateReader{item: item}
	s := State{
		Version: int(r.number("version")), Migration: r.text("migration"), Epoch: r.number("epoch"), Settled: r.number("settled"),
		Least: int(r.number("least")), Paused: r.text("paused"),
		Lease: time.Duration(r.number("lease")) * time.Millisecond, Longest: time.Duration(r.number("longest")) * time.Millisecond,
	}
	if _, has := item["verified"]; has {
		s.Verified = r.number("verified")
	}
	var err error
	if s.Phase, err = ParsePhase(r.text("phase")); r.err == nil {
		r.err = err
	}
	if paths, ok := item["paths"].(*types.AttributeValueMemberM); ok {
		within := stateReader{item: paths.Value}
		s.Paths = make(map[string]int64, len(paths.Value))
		for path := range paths.Value {
			s.Paths[path] = within.number(path)
		}
		if r.err == nil {
			r.err = within.err
		}
	}
	if r.err == nil && (s.Epoch < 1 || s.Settled > s.Epoch || s.Lease <= 0 || s.Longest < s.Lease) {
		r.err = fmt.Errorf("access: the state row says epoch %d, settled %d, lease %s, longest %s", s.Epoch, s.Settled, s.Lease, s.Longest)
	}
	return s, r.err
}

// A stateReader reads attributes and keeps the first error.
type stateReader struct {
	item Item
	err  error
}

func (r *stateReader) text(name string) string {
	if s, ok := r.item[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

func (r *stateReader) number(name string) int64 {
	n, ok := r.item[name].(*types.AttributeValueMemberN)
	if ok {
		if i, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
			return i
		}
	}
	if r.err == nil {
		r.err = fmt.Errorf("access: the state row has no integer %s", name)
	}
	return 0
}

// phaseOf returns the phase of the migration between the two versions that a package holds, or why the package may not send
// requests.
func (d *Design) phaseOf(s *State) (Phase, string) {
	first, last := d.Versions[0], d.Versions[len(d.Versions)-1]
	switch {
	case s.Least > last:
		return 0, fmt.Sprintf("this code has version %d of the design, and version %d is needed now; deploy newer code", last, s.Least)
	case s.Version < first:
		return 0, fmt.Sprintf("this code has version %d of the design, and the tables have version %d; run: sortkey migrate apply", first, s.Version)
	case s.Version > last:
		return 0, fmt.Sprintf("this code has version %d of the design, and the tables have version %d; deploy newer code", last, s.Version)
	case first == last || s.Version == last:
		return PhaseAfter, ""
	case s.Migration == "":
		return PhaseBefore, ""
	}
	return s.Phase, ""
}
