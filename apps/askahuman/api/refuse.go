package api

import (
	"errors"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/jsonapi"
)

// refusal translates an error of the domain for the API; nil for an internal failure.
func refusal(err error) *jsonapi.Error {
	refused, ok := errors.AsType[*askahuman.Error](err)
	if !ok || refused.Code == askahuman.CodeServer {
		return nil
	}
	out := &jsonapi.Error{
		Status:  refused.Code.Status(),
		Header:  http.Header{},
		Code:    string(refused.Code),
		Message: refused.Message,
	}
	if refused.Field != nil {
		out.Details = refused.Field
	}
	if refused.Rate != nil {
		out.Details = rateDetails(*refused.Rate)
		setRate(out.Header, *refused.Rate)
		jsonapi.SetRetryAfter(out.Header, refused.Rate.Wait)
	}
	return out
}

// rateView reports a rate limit in the body of a batch entry, which has no headers.
type rateView struct {
	Limit      int   `json:"limit"`
	Remaining  int   `json:"remaining"`
	Reset      int64 `json:"reset"`       // Unix seconds
	RetryAfter int64 `json:"retry_after"` // seconds
}

func rateDetails(a askahuman.Allowance) rateView {
	return rateView{
		Limit:      a.Limit.Most,
		Remaining:  a.Remaining,
		Reset:      a.Reset.Add(time.Second - 1).Unix(), // as the headers: never too early
		RetryAfter: max(int64((a.Wait+time.Second-1)/time.Second), 1),
	}
}

func setRate(header http.Header, a askahuman.Allowance) {
	jsonapi.SetRate(header, a.Limit.Most, a.Remaining, a.Reset)
}

// allow counts a use of a rate limit and sets the headers that report it.
func (a *api) allow(w http.ResponseWriter, r *http.Request, limit askahuman.Limit, subject string) error {
	allowance, err := a.service.Allow(r.Context(), limit, subject)
	if err == nil {
		setRate(w.Header(), allowance)
	}
	return err
}

// invalid returns the error about an invalid header or parameter.
func invalid(field, constraint, message string) *askahuman.Error {
	return &askahuman.Error{
		Code:    askahuman.CodeValidation,
		Message: message,
		Field:   &askahuman.FieldError{Field: field, Constraint: constraint},
	}
}

// outside returns the error about a number outside its range.
func outside(field string, least, most int, message string) *askahuman.Error {
	e := invalid(field, "range", message)
	e.Field.Min, e.Field.Max = &least, &most
	return e
}
