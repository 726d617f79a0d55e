// Package conformance holds the behaviour of DynamoDB as data and as tests: each
// behaviour once, run through every door of the engine. It contains no code
// that others call; FORMAT.md explains its case files and DIFFERENCES.md lists
// where the engine is known to differ from the service.
package conformance
