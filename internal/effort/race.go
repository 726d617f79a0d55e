//go:build race

package effort

// UnderRace reports whether the race detector is on, which is about ten times slower.
const UnderRace = true
