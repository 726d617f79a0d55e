// Package effort decides how many rounds random tests play: few in every run, many with scripts/soak.
// It also reports whether the race detector is on. Only tests import it.
package effort

import (
	"fmt"
	"os"
	"strconv"
)

// Variable is the environment variable that multiplies the rounds of random tests.
const Variable = "SORTKEY_SOAK"

// Rounds returns the number of rounds of a random test that plays n rounds in a normal run.
func Rounds(n int) int { return n * factor(os.Getenv(Variable)) }

// factor parses the value of Variable. It panics on an invalid value, which must not look like a long run that found nothing.
func factor(text string) int {
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		panic(fmt.Sprintf("%s is %q, not a positive integer", Variable, text))
	}
	return n
}
