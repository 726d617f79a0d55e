package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/refusal"
)

// An endpoint is a route with what the document says about it.
type endpoint struct {
	Method, Path string
	Summary      string
	Level        level
	Status       int // of success
	// In is the type of the arguments: fields with the tags path, query and header, and a field
	// Body. Out is the type of the response.
	In, Out reflect.Type
	// Media is the type of a response that is not JSON, and Upload that of a body that is not.
	Media, Upload string

	serve func(c *call, in reflect.Value) (any, error) // nil for routes with a handler of their own
}

// None is the type of endpoints without arguments or without a response.
type None struct{}

// on declares an endpoint.
func on[In, Out any](method, path, summary string, needed level, status int, do func(ctx context.Context, c *call, in In) (Out, error)) endpoint {
	return endpoint{
		Method: method, Path: path, Summary: summary, Level: needed, Status: status, In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](),
		serve: func(c *call, in reflect.Value) (any, error) { return do(c.r.Context(), c, in.Interface().(In)) },
	}
}

// handler returns the handler of an endpoint.
func (a *api) handler(e endpoint) jsonapi.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		c, err := a.identify(w, r, e.Level)
		if err != nil {
			return err
		}
		in, err := bind(r, e.In)
		if err != nil {
			return err
		}
		out, err := e.serve(c, in)
		if err != nil {
			return err
		}
		if e.Out == reflect.TypeFor[None]() {
			w.WriteHeader(e.Status)
			return nil
		}
		return jsonapi.Write(w, e.Status, out)
	}
}

// bind decodes the arguments of a request.
func bind(r *http.Request, in reflect.Type) (reflect.Value, error) {
	value := reflect.New(in).Elem()
	for i := range in.NumField() {
		field := in.Field(i)
		if field.Name == "Body" {
			if err := jsonapi.Read(r, value.Field(i).Addr().Interface()); err != nil {
				return value, err
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
			text = r.URL.Query().Get(name)
		}
		if err := set(value.Field(i), name, text); err != nil {
			return value, err
		}
	}
	return value, nil
}

// set parses a text into a field; "" leaves it as it is.
func set(field reflect.Value, name, text string) error {
	var err error
	if text == "" {
		return nil
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Int:
		var n int
		n, err = strconv.Atoi(text)
		field.SetInt(int64(n))
	case reflect.Float64:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		field.SetFloat(f)
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		field.SetBool(b)
	}
	if err != nil {
		return refusal.OfField(refusal.Field{Name: name, Constraint: "type"}, "This parameter has another type.")
	}
	return nil
}
