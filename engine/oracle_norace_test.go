//go:build !race

package engine_test

// oracleRuns is how many sequences [TestOracle] plays in each way.
const oracleRuns = 4
