// Package webhook tells programs about events, by the Standard Webhooks specification: each
// message is an HTTP POST with an id, a timestamp and signatures, and is delivered at least once
// with the same id. Owners register endpoints and choose events; every attempt is recorded where
// the owner can see it.
//
// Deliveries are jobs of the system's queue, which repeats and finally gives up those that fail.
// Requests go only to the public internet (package publichttp). What events mean and who may manage endpoints is decided by the
// systems' domains, which call it.
package webhook
