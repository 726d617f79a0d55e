package api

import (
	"net/http"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/refusal"
)

// allow counts a use of a rate limit and sets the headers that report it.
func (a *api) allow(w http.ResponseWriter, r *http.Request, limit askahuman.Limit, subject string) error {
	allowance, err := a.domain.Allow(r.Context(), limit, subject)
	if err == nil {
		jsonapi.SetRate(w.Header(), allowance.Limit.Most, allowance.Remaining, allowance.Reset)
	}
	return err
}

// invalid returns the error about an invalid header or parameter.
func invalid(field, constraint, message string) *refusal.Error {
	return refusal.OfField(refusal.Field{Name: field, Constraint: constraint}, "%s", message)
}

// outside returns the error about a number outside its range.
func outside(field string, least, most int, message string) *refusal.Error {
	return refusal.OutOfRange(field, "range", least, most, "%s", message)
}
