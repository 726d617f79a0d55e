//go:build race

package engine

// underRace says that everything takes ten times as long.
const underRace = true
