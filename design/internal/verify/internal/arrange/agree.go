package arrange

// agreeing gives values that must be the same the same value, before items are chosen by
// them.
func (s *arrangement) agreeing() {
	for _, agree := range s.Call.Agreements {
		from, to := agree.Mine, agree.Theirs
		v, ok := s.Arguments.At(from, 0)
		if !ok {
			from, to = to, from
			v, ok = s.Arguments.At(from, 0)
		}
		for i := range s.Arguments.HowOften(to.Input) {
			s.set(to, i, v, ok)
		}
	}
}
