package arrange

import (
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
)

// mostActions is the number of actions one transaction may have.
const mostActions = 100

// findShared finds the values that all repeated items share because an action that is not
// repeated uses them.
func (s *arrangement) findShared() {
	s.shared = map[program.Ref]bool{}
	for _, w := range s.Call.Writes {
		for _, u := range bind.UsesOf(s.Call, w) {
			if u.Ref.First {
				ref := u.Ref
				ref.First = false
				s.shared[ref] = true
			}
		}
	}
}

// repeatActions makes one action for each item of a repeated input.
func (s *arrangement) repeatActions() {
	n := s.repetitions()
	for _, input := range s.Call.Inputs {
		switch input.Kind {
		case program.Group:
			for range n {
				s.Arguments.Groups[input] = append(s.Arguments.Groups[input], map[*program.Input]sample.Value{})
			}
		case program.Key:
			s.Arguments.Items[input] = []sample.Values{{}}
		}
	}
	for _, act := range s.templates {
		times := 1
		if act.Write.Repeats != nil {
			times = n
		}
		for i := range times {
			one := *act
			one.Index = i
			s.Actions = append(s.Actions, &one)
		}
	}
}

// repetitions chooses how many items a repeated input has: mostly a few, sometimes as many
// as possible or none.
func (s *arrangement) repetitions() int {
	single, each := 0, 0
	most := int64(mostActions)
	for _, w := range s.Call.Writes {
		if w.Repeats == nil {
			single++
			continue
		}
		each++
		most = min(most, w.Repeats.Most)
		if w.Given != nil {
			most = min(most, int64(identities(w.Given.Entity, mostActions)))
		}
	}
	if each == 0 {
		return 1
	}
	fits := min(int(most), (mostActions-single)/each)
	switch {
	case s.run%8 == 7 || s.assumed != nil:
		return fits
	case s.run%8 == 6 && len(s.shared) == 0 && single > 0:
		return 0
	}
	return 1 + s.gen.rng.IntN(min(fits, 5))
}
