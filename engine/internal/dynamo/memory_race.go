//go:build race

package dynamo

// spoilReleased makes builds with the race detector, which the tests use,
// overwrite memory that was given back, so that using it afterwards shows.
const spoilReleased = true
