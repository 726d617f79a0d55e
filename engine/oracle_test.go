package engine_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"sortkey.dev/engine/internal/oracle"
	"sortkey.dev/internal/effort"
)

// TestOracle plays random sequences of all operations on the engine and on a
// naive model and compares every answer, in memory and on disk, with restarts in
// between, through each door. At the end the streams are read from their
// beginnings and replayed. A failure prints its seed and a small sequence of steps
// that fails the same way, to be pasted into [TestOracleCases].
//
// ORACLE_STEPS is the length of a sequence, ORACLE_RUNS the number of sequences
// for each way to open the database, and ORACLE_SEED the seed of the first one:
//
//	ORACLE_RUNS=100 ORACLE_STEPS=2000 go test -run 'TestOracle$' -timeout 0 ./engine
func TestOracle(t *testing.T) {
	effort.SkipUnderRace(t)
	steps := fromEnvironment(t, "ORACLE_STEPS", 600)
	runs := fromEnvironment(t, "ORACLE_RUNS", uint64(effort.Rounds(4)))
	for _, way := range []oracleWay{{door: "API"}, {disk: true, door: "Client"}, {door: "JSON"}} {
		t.Run(way.String(), func(t *testing.T) {
			t.Parallel()
			first := fromEnvironment(t, "ORACLE_SEED", rand.Uint64())
			for run := range runs {
				seed := first + run
				t.Logf("seed %d", seed)
				checkOracle(t, way, seed, oracle.Generate(seed, int(steps)))
			}
		})
	}
}

func fromEnvironment(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// shrinkTime limits the time spent on shrinking a failing sequence.
const shrinkTime = time.Minute

// checkOracle plays steps and reports the first difference with as few steps as possible.
func checkOracle(t *testing.T, way oracleWay, seed uint64, steps []oracle.Step) {
	t.Helper()
	wrong := way.play(t, steps)
	if wrong == nil {
		return
	}
	failing := steps[:wrong.Step+1]
	if inMemory := (oracleWay{door: way.door}); way.disk && inMemory.fails(t, failing, wrong) {
		way = inMemory // there it fails as well, and faster
	}
	small, again := oracle.Shrink(failing, shrinkTime, func(steps []oracle.Step) *oracle.Problem { return way.play(t, steps) })
	if again == nil {
		t.Fatalf("seed %d, %s: step %d failed, but not when the steps were played again:\n%s\n%s:\n%s",
			seed, way, wrong.Step, oracle.Literal(failing[wrong.Step]), wrong.Kind, wrong.Text)
	}
	t.Fatalf("seed %d, %s: the last of these steps fails:\n%s\n%s:\n%s", seed, way, oracle.Literal(small), again.Kind, again.Text)
}
