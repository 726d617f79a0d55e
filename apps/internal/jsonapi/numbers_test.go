package jsonapi_test

import (
	"errors"
	"testing"
	"time"

	"sortkey.dev/apps/internal/jsonapi"
)

// TestNumbersAndTimes decodes what is not whole, and points in time.
func TestNumbersAndTimes(t *testing.T) {
	type body struct {
		Lat  float64    `json:"lat"`
		At   time.Time  `json:"at"`
		Then *time.Time `json:"then"`
	}
	for text, field := range map[string]string{
		`{"lat": 52.2297, "at": "2026-02-13T10:30:45.123Z", "then": null}`: "",
		`{"lat": -1e2, "at": "2026-02-13T10:30:45+01:00"}`:                 "",
		`{"lat": 3}`:                   "",
		`{"lat": "52.2297"}`:           "lat",
		`{"lat": 1e999}`:               "lat",
		`{"at": "tomorrow"}`:           "at",
		`{"at": 1700000000}`:           "at",
		`{"then": {"year": 2026}}`:     "then",
		`{"then": "2026-02-13 10:30"}`: "then",
		// An escape, which encoding/json does not decode in times.
		`{"then": "2026-02-13T10:30:00\u005a"}`: "then",
	} {
		var into body
		err := jsonapi.Decode([]byte(text), &into)
		var refused *jsonapi.Error
		switch {
		case field == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case field != "" && !errors.As(err, &refused):
			t.Errorf("%s: %v, want a refusal of %s", text, err, field)
		case field != "" && refused.Details.(jsonapi.FieldDetails).Field != field:
			t.Errorf("%s: %+v, want %s", text, refused, field)
		}
	}
	var into body
	if err := jsonapi.Decode([]byte(`{"lat": 52.25, "at": "2026-02-13T10:30:00Z"}`), &into); err != nil || into.Lat != 52.25 || into.At.Hour() != 10 {
		t.Errorf("%+v, %v", into, err)
	}
}
