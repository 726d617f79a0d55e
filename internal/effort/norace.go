//go:build !race

package effort

// UnderRace says that everything takes ten times as long.
const UnderRace = false
