//go:build race

package engine_test

// oracleRuns is the number of sequences that [TestOracle] plays in each way. The race
// detector makes them many times slower.
const oracleRuns = 1
