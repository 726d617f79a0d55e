//go:build race

package engine_test

// oracleRuns is how many sequences [TestOracle] plays in each way. Under the race
// detector they take many times as long.
const oracleRuns = 1
