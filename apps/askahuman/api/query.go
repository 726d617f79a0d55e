package api

import (
	"fmt"
	"net/http"
	"strconv"
)

// whole returns a whole number of a query; nil if it is not there.
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

// within returns a whole number of a query that has to be in a range; usual if it is not
// there.
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

// clamped returns a whole number of a query, brought into a range; usual if it is not
// there.
func clamped(r *http.Request, name string, least, most, usual int) (int, error) {
	n, err := whole(r, name)
	if err != nil || n == nil {
		return usual, err
	}
	return min(max(*n, least), most), nil
}
