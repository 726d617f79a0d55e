// Package effort says how long tests that repeat themselves go on: briefly whenever everything is tested, as
// long as somebody wants with scripts/soak, and more briefly under the race detector. Only tests import it.
package effort

import (
	"fmt"
	"os"
	"strconv"
)

// Variable is the environment variable with how many times as long as usual random tests go on.
const Variable = "SORTKEY_SOAK"

// Rounds is how many rounds a random test plays that usually plays n.
func Rounds(n int) int { return n * factor(os.Getenv(Variable)) }

// factor reads Variable. One that says nothing sensible must not look like a long run that found nothing.
func factor(text string) int {
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		panic(fmt.Sprintf("%s is %q, not a number from 1 on", Variable, text))
	}
	return n
}
