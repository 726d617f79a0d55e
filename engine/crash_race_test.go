//go:build race

package engine

// underRace reports whether the race detector is on, which is about ten times slower.
const underRace = true
