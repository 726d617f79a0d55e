package api

import "fmt"

// within returns an integer parameter that must be in a range; usual if absent.
func within(n *int, name string, least, most, usual int) (int, error) {
	switch {
	case n == nil:
		return usual, nil
	case *n < least || *n > most:
		return 0, outside(name, least, most, fmt.Sprintf("%s goes from %d to %d.", name, least, most))
	}
	return *n, nil
}

// clamped returns an integer parameter clamped to a range; usual if absent.
func clamped(n *int, least, most, usual int) int {
	if n == nil {
		return usual
	}
	return min(max(*n, least), most)
}
