package api

import (
	"fmt"
	"net/http"
	"strconv"
)

// whole returns an integer query parameter; nil if absent.
func whole(r *http.Request, name string) (*int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil, invalid(name, "type", fmt.Sprintf("%s has to be a whole number.", name))
	}
	return &n, nil
}

// within returns an integer query parameter that must be in a range; usual if absent.
func within(r *http.Request, name string, least, most, usual int) (int, error) {
	n, err := whole(r, name)
	switch {
	case err != nil:
		return 0, err
	case n == nil:
		return usual, nil
	case *n < least || *n > most:
		return 0, outside(name, least, most, fmt.Sprintf("%s goes from %d to %d.", name, least, most))
	}
	return *n, nil
}

// clamped returns an integer query parameter clamped to a range; usual if absent.
func clamped(r *http.Request, name string, least, most, usual int) (int, error) {
	n, err := whole(r, name)
	if err != nil || n == nil {
		return usual, err
	}
	return min(max(*n, least), most), nil
}
