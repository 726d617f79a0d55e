package verify

import "sortkey.dev/design/internal/program"

// agreeing gives values that must be the same the same value, before items are chosen by
// them.
func (s *arrangement) agreeing() {
	for _, agree := range s.c.Agreements {
		from, to := agree.Mine, agree.Theirs
		v, ok := s.a.at(from, 0)
		if !ok {
			from, to = to, from
			v, ok = s.a.at(from, 0)
		}
		for i := range s.a.howOften(to.Input) {
			s.set(to, i, v, ok)
		}
	}
}

// howOften is how many values of one kind an input gives.
func (a *arguments) howOften(input *program.Input) int {
	if !input.Repeated {
		return 1
	}
	return a.times(input)
}
