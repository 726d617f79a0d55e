package jsonapi

import (
	"errors"
	"net/http"
	"time"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/serve"
)

// Refused returns the response to an error that a caller can act on: an *Error, or a
// *refusal.Error of a domain. It returns nil for an internal failure.
func (o *Options) Refused(err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok {
		return nil
	}
	out := &Error{Status: serve.Status(refused.Kind), Header: http.Header{}, Code: refused.CodeText(), Message: refused.Message}
	switch {
	case refused.Limit != nil:
		out.Details = rateDetails(refused)
		SetRate(out.Header, refused.Limit.Most, 0, refused.Limit.Reset)
	case len(refused.Fields) == 1:
		out.Details = o.fieldDetails(refused.Fields[0])
	case len(refused.Fields) > 1:
		all := make([]FieldDetails, len(refused.Fields))
		for i, field := range refused.Fields {
			all[i] = o.fieldDetails(field)
		}
		out.Details = map[string][]FieldDetails{"fields": all}
	}
	if refused.Wait > 0 {
		SetRetryAfter(out.Header, refused.Wait)
	}
	return out
}

func (o *Options) fieldDetails(field refusal.Field) FieldDetails {
	name := field.Name
	if o.Field != nil {
		name = o.Field(name)
	}
	return FieldDetails{
		Field: name, Constraint: field.Constraint, Message: field.Message,
		Min: field.Min, Max: field.Max, Allowed: field.Allowed,
	}
}

// RateDetails describes an exceeded limit.
type RateDetails struct {
	Limit      int   `json:"limit"`
	Remaining  int   `json:"remaining"`
	Reset      int64 `json:"reset"`       // Unix seconds
	RetryAfter int64 `json:"retry_after"` // seconds
}

func rateDetails(refused *refusal.Error) RateDetails {
	return RateDetails{
		Limit:      refused.Limit.Most,
		Reset:      refused.Limit.Reset.Add(time.Second - 1).Unix(), // as the headers: never too early
		RetryAfter: max(ceil(refused.Wait), 1),
	}
}
