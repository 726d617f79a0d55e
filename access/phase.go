package access

import "fmt"

// A Phase is a phase of a migration from one version of a design to the next. At any time, the processes of a design are in
// one phase or in two adjacent ones.
type Phase uint8

// The phases of a migration, in order. Of the part of an item that only the new version has:
const (
	PhaseBefore  Phase = iota // it does not exist; the old part is written and read
	PhasePrepare              // it is absent: writers take it away where they change what it is made of
	PhaseWrite                // it is absent or right: both parts are written, the old one is read
	PhaseRead                 // it is there and right: both parts are written, the new one is read
	PhaseAfter                // the new part alone is written and read
)

var phaseNames = [...]string{"before", "prepare", "write", "read", "after"}

// String returns the name of the phase, as the state row has it.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return fmt.Sprintf("Phase(%d)", uint8(p))
}

// ParsePhase returns the phase of a name.
func ParsePhase(name string) (Phase, error) {
	for i, known := range phaseNames {
		if name == known {
			return Phase(i), nil
		}
	}
	return 0, fmt.Errorf("access: there is no phase %q", name)
}
