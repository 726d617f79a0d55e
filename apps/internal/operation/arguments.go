package operation

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
)

// ByID holds the arguments of operations about one thing.
type ByID struct {
	ID string `path:"id"`
}

// With holds the arguments of operations with a body.
type With[T any] struct {
	Body T
}

// ByIDWith holds the arguments of operations about one thing with a body.
type ByIDWith[T any] struct {
	ID   string `path:"id"`
	Body T
}

// Keyed holds the arguments of operations with a body that act once for each idempotency key.
type Keyed[T any] struct {
	Key  string `header:"Idempotency-Key"`
	Body T
}

// ByIDKeyed holds the arguments of operations about one thing that act once for each idempotency key.
type ByIDKeyed[T any] struct {
	ID   string `path:"id"`
	Key  string `header:"Idempotency-Key"`
	Body T
}

// Page holds the arguments of lists.
type Page struct {
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}

// PageOf holds the arguments of lists about one thing.
type PageOf struct {
	ID     string `path:"id"`
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}

// A List is a page of a list.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"cursor,omitempty"`
}

// HeaderKey is the header of idempotency keys: a request that is sent again with its key acts once.
const HeaderKey = "Idempotency-Key"

// A Place says where an argument stands in a request.
type Place string

// The places of arguments.
const (
	InPath   Place = "path"
	InQuery  Place = "query"
	InHeader Place = "header"
	InBody   Place = "body"
)

// An Argument is a field of the arguments of an operation.
type Argument struct {
	Field    []int // its index
	Name     string
	Place    Place
	Required bool
}

// Arguments returns the arguments of a struct and of those it embeds, in the order of their fields.
func Arguments(in reflect.Type) []Argument {
	var all []Argument
	for _, field := range reflect.VisibleFields(in) {
		if !field.Anonymous {
			a := argument(field)
			a.Field = field.Index
			all = append(all, a)
		}
	}
	return all
}

func argument(field reflect.StructField) Argument {
	if field.Name == "Body" {
		return Argument{Name: field.Name, Place: InBody, Required: true}
	}
	for _, place := range []Place{InPath, InQuery, InHeader} {
		if name := field.Tag.Get(string(place)); name != "" {
			return Argument{Name: name, Place: place, Required: place == InPath || field.Tag.Get("required") != ""}
		}
	}
	panic(fmt.Sprintf("operation: the argument %s needs one of the tags path, query and header", field.Name))
}

// A Request is an operation with its arguments, ready to be sent.
type Request struct {
	Path   string // with the query
	Header http.Header
	Body   any  // nil without a body; Content if it is not JSON
	Keyed  bool // the operation has an argument for an idempotency key, which is not set
}

// Request returns the request of an operation. Optional arguments with the value zero are left out.
func (o Operation[In, Out]) Request(in In) Request {
	r := Request{Path: o.Path, Header: http.Header{}}
	query := url.Values{}
	value := reflect.ValueOf(in)
	for _, a := range Arguments(value.Type()) {
		field := value.FieldByIndex(a.Field)
		if a.Place == InBody {
			r.Body = field.Interface()
			continue
		}
		if field.IsZero() && !a.Required {
			r.Keyed = r.Keyed || a.Place == InHeader && a.Name == HeaderKey
			continue
		}
		text := fmt.Sprint(reflect.Indirect(field).Interface())
		switch a.Place {
		case InPath:
			r.Path = strings.ReplaceAll(r.Path, "{"+a.Name+"}", url.PathEscape(text))
		case InQuery:
			query.Set(a.Name, text)
		case InHeader:
			r.Header.Set(a.Name, text)
		}
	}
	if len(query) > 0 {
		r.Path += "?" + query.Encode()
	}
	return r
}
