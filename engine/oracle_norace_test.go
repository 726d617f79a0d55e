//go:build !race

package engine_test

// oracleRuns is the number of sequences that [TestOracle] plays in each way.
const oracleRuns = 4
