// Package call sends the requests of access patterns: gets, queries, scans, conditional
// writes, transactions and batches, with retries and an observer's record of each call.
//
// Generated code calls this package; programs call package access and their generated
// package. A generated method fills a [Get], a [Query], a [Sweep] or an [Action] from its
// arguments and hands it to the function that sends it. Values and keys are made with
// package marshal, and the errors and lists that programs see come from package access.
package call
