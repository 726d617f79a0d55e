// Package openapi serves declared operations and prints their OpenAPI document: each Operation is a
// declaration of package operation with its handler, a route, and a part of the document. Arguments
// and responses are Go types, so the document cannot say anything else than the code.
//
// It knows no system and no rules. A system's api package attaches handlers to its declarations with
// it and mounts them with package jsonapi; package openapitest compares responses with the document.
package openapi

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/operation"
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
	// Spec holds the rest of the description.
	Spec operation.Spec
	// Handler serves the operation.
	Handler jsonapi.Handler
}

// None is the type of missing arguments and of empty responses.
type None = operation.None

// A Caller finds who made a request, or refuses.
type Caller[C any] func(w http.ResponseWriter, r *http.Request) (C, error)

// Handle returns a declared operation with JSON in and out, and its handler. The caller is found before
// the arguments are decoded.
func Handle[C, In, Out any](o operation.Operation[In, Out], who Caller[C], do func(ctx context.Context, caller C, in In) (Out, error)) Operation {
	return HandleRaw(o, who, func(w http.ResponseWriter, r *http.Request, caller C, in In) error {
		out, err := do(r.Context(), caller, in)
		if err != nil {
			return err
		}
		if reflect.TypeFor[Out]() == reflect.TypeFor[None]() {
			w.WriteHeader(o.Status)
			return nil
		}
		return jsonapi.Write(w, o.Status, out)
	})
}

// HandleRaw returns a declared operation whose handler decodes its body or writes its response itself.
func HandleRaw[C, In, Out any](o operation.Operation[In, Out], who Caller[C], do func(w http.ResponseWriter, r *http.Request, caller C, in In) error) Operation {
	return Operation{
		Method: o.Method, Path: o.Path, Summary: o.Summary, Description: o.Description, Public: o.Public, Status: o.Status,
		In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](), Media: o.Media, Upload: o.Upload, Spec: o.Spec,
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

// Routes returns the routes of operations.
func Routes(operations []Operation) []jsonapi.Route {
	routes := make([]jsonapi.Route, len(operations))
	for i, o := range operations {
		routes[i] = jsonapi.Route{Pattern: o.Method + " " + o.Path, Handler: o.Handler}
	}
	return routes
}

// DocumentRoute returns the route of a document: /openapi.json.
func DocumentRoute(document []byte) jsonapi.Route {
	return jsonapi.Route{Pattern: "GET /openapi.json", Handler: func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(document) // a disconnected client does not matter
		return nil
	}}
}

// bind decodes the arguments of a request.
func bind(r *http.Request, value reflect.Value) error {
	query := r.URL.Query()
	for _, a := range operation.Arguments(value.Type()) {
		field := value.FieldByIndex(a.Field)
		var text string
		switch a.Place {
		case operation.InBody:
			if field.Type() == reflect.TypeFor[operation.Content]() {
				continue // the handler reads it
			}
			if err := jsonapi.Read(r, field.Addr().Interface()); err != nil {
				return err
			}
			continue
		case operation.InPath:
			text = r.PathValue(a.Name)
		case operation.InHeader:
			text = r.Header.Get(a.Name)
		case operation.InQuery:
			text = query.Get(a.Name)
		}
		switch {
		case text == "" && a.Required:
			return refusal.OfField(refusal.Field{Name: a.Name, Constraint: "required"}, "The parameter %s is required.", a.Name)
		case text == "":
		case !set(field, text):
			return refusal.OfField(refusal.Field{Name: a.Name, Constraint: "type"}, "The parameter %s has another type.", a.Name)
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
