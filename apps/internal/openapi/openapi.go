// Package openapi declares the operations of a JSON API once: each Operation is a route with its
// handler, and a part of the OpenAPI document. Arguments and responses are Go types, so the
// document cannot say anything else than the code.
//
// It knows no system and no rules. A system's api package declares its operations with it and
// mounts them with package jsonapi; package openapitest compares responses with the document.
package openapi

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/refusal"
)

// An Operation is a route with its description.
type Operation struct {
	Method, Path string
	Summary      string
	Description  string // more than the summary says; may be empty
	Public       bool   // the token is optional
	Status       int    // of success
	// In is the type of the arguments: fields with the tags path, query and header, and a field
	// Body. Out is the type of the response.
	In, Out reflect.Type
	// Media is the type of a response that is not JSON, and Upload that of a body that is not.
	Media, Upload string
	// Handler serves the operation.
	Handler jsonapi.Handler
}

// None is the type of missing arguments and of empty responses.
type None struct{}

// A Caller finds who made a request, or refuses.
type Caller[C any] func(w http.ResponseWriter, r *http.Request) (C, error)

// On declares an operation with JSON in and out. The caller is found before the arguments are
// decoded.
func On[C, In, Out any](who Caller[C], method, path, summary string, status int, do func(ctx context.Context, caller C, in In) (Out, error)) Operation {
	return Operation{
		Method: method, Path: path, Summary: summary, Status: status, In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](),
		Handler: func(w http.ResponseWriter, r *http.Request) error {
			caller, err := who(w, r)
			if err != nil {
				return err
			}
			var in In
			if err := bind(r, reflect.ValueOf(&in).Elem()); err != nil {
				return err
			}
			out, err := do(r.Context(), caller, in)
			if err != nil {
				return err
			}
			if reflect.TypeFor[Out]() == reflect.TypeFor[None]() {
				w.WriteHeader(status)
				return nil
			}
			return jsonapi.Write(w, status, out)
		},
	}
}

// Raw declares an operation that decodes its body or writes its response itself. The document
// names the media types; "" stands for JSON.
func Raw[C, In, Out any](who Caller[C], method, path, summary string, status int, upload, media string, do func(w http.ResponseWriter, r *http.Request, caller C, in In) error) Operation {
	return Operation{
		Method: method, Path: path, Summary: summary, Status: status, In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](), Upload: upload, Media: media,
		Handler: func(w http.ResponseWriter, r *http.Request) error {
			caller, err := who(w, r)
			if err != nil {
				return err
			}
			var in In
			if err := bind(r, reflect.ValueOf(&in).Elem()); err != nil {
				return err
			}
			return do(w, r, caller, in)
		},
	}
}

// Open returns an operation whose token is optional.
func (o Operation) Open() Operation {
	o.Public = true
	return o
}

// Describe returns an operation with a description.
func (o Operation) Describe(text string) Operation {
	o.Description = text
	return o
}

// Routes returns the routes of operations.
func Routes(operations []Operation) []jsonapi.Route {
	routes := make([]jsonapi.Route, len(operations))
	for i, o := range operations {
		routes[i] = jsonapi.Route{Pattern: o.Method + " " + o.Path, Handler: o.Handler}
	}
	return routes
}

// bind decodes the arguments of a request.
func bind(r *http.Request, value reflect.Value) error {
	query := r.URL.Query()
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if field.Name == "Body" {
			if err := jsonapi.Read(r, value.Field(i).Addr().Interface()); err != nil {
				return err
			}
			continue
		}
		var name, text string
		if tag := field.Tag.Get("path"); tag != "" {
			name, text = tag, r.PathValue(tag)
		} else if tag := field.Tag.Get("header"); tag != "" {
			name, text = tag, r.Header.Get(tag)
		} else {
			name = field.Tag.Get("query")
			text = query.Get(name)
		}
		switch {
		case text == "" && field.Tag.Get("required") != "":
			return refusal.OfField(refusal.Field{Name: name, Constraint: "required"}, "The parameter %s is required.", name)
		case text == "":
		case !set(value.Field(i), text):
			return refusal.OfField(refusal.Field{Name: name, Constraint: "type"}, "The parameter %s has another type.", name)
		}
	}
	return nil
}

// set parses a text into a field, and reports whether it can.
func set(field reflect.Value, text string) bool {
	var err error
	switch field.Kind() {
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
		return set(field.Elem(), text)
	case reflect.String:
		field.SetString(text)
	case reflect.Int, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		field.SetInt(n)
	case reflect.Float64:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		field.SetFloat(f)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		field.SetBool(b)
	}
	return err == nil
}
