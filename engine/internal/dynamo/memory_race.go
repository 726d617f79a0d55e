//go:build race

package dynamo

// spoilReleased makes builds with the race detector, which the tests use,
// overwrite released memory, so that a later use is noticed.
const spoilReleased = true
