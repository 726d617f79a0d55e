// Package operation declares the operations of a JSON API as typed values, once for the server, its
// OpenAPI document and its Go client.
//
// A system declares its operations in a package named contract, beside the types of its requests and
// responses. An operation has a method, a path, a summary, the type of its arguments and the type of
// its response:
//
//	var EditProject = operation.Put[operation.ByIDWith[NewProject], Project]("/v1/projects/{id}", "Change a project")
//
// The arguments are a struct: fields with the tags path, query and header are parameters, and a field
// Body is the body. Package openapi attaches a handler to the declaration, and prints the document:
//
//	openapi.Handle(contract.EditProject, a.admin, p.edit) // func (p *projects) edit(ctx context.Context, me Admin, in operation.ByIDWith[contract.NewProject]) (contract.Project, error)
//
// and package apiclient calls it:
//
//	project, err := apiclient.Call(ctx, session, contract.EditProject, operation.ByIDWith[NewProject]{ID: id, Body: in})
//
// To add an operation: declare it in contract, attach a handler in api, and add a method to client.
// The package sends and serves nothing. Package contract of a system, openapi and apiclient call it.
package operation

import (
	"net/http"
	"reflect"
)

// An Operation is the declaration of an operation with arguments of type In and a response of type Out.
type Operation[In, Out any] struct {
	Method, Path string
	Summary      string
	Description  string // more than the summary says; may be empty
	Public       bool   // credentials are optional
	Status       int    // of success
	// Upload is the media type of a body that is Content, and Media that of a response that is a File.
	Upload, Media string
	Spec          Spec
}

// A Spec holds what the document says of an operation besides what its types say. The zero value is enough.
// Components are named by the Info of the document.
type Spec struct {
	ID       string   // made of the method and the path if it is ""
	Tag      string   // may be empty
	Scheme   string   // the security scheme; "token" if it is ""
	Success  string   // describes the response of success
	Repeated string   // describes the response 200 to a repeated request; "" if there is none
	Body     any      // an example of the body; may be nil
	Example  any      // an example of the response; may be nil
	Headers  []string // of the response of success, each a name and a component: "X-Request-Id RequestId"
	Refusals []string // the other responses, each a status and a component: "404 NotFound"; one default if it is nil
}

// NoScheme is the security scheme of operations that take no credentials.
const NoScheme = "-"

// None is the type of missing arguments and of empty responses.
type None struct{}

// Content is the type of a body that is not JSON.
type Content struct {
	Media   string
	Content []byte
}

// A File is a response that is not JSON.
type File []byte

// Get declares an operation that reads.
func Get[In, Out any](path, summary string) Operation[In, Out] {
	return declare[In, Out](http.MethodGet, path, summary)
}

// Post declares an operation that creates or acts.
func Post[In, Out any](path, summary string) Operation[In, Out] {
	return declare[In, Out](http.MethodPost, path, summary)
}

// Put declares an operation that replaces.
func Put[In, Out any](path, summary string) Operation[In, Out] {
	return declare[In, Out](http.MethodPut, path, summary)
}

// Patch declares an operation that changes a part.
func Patch[In, Out any](path, summary string) Operation[In, Out] {
	return declare[In, Out](http.MethodPatch, path, summary)
}

// Delete declares an operation that deletes.
func Delete[In, Out any](path, summary string) Operation[In, Out] {
	return declare[In, Out](http.MethodDelete, path, summary)
}

// declare declares an operation that responds 200, or 204 without a response.
func declare[In, Out any](method, path, summary string) Operation[In, Out] {
	o := Operation[In, Out]{Method: method, Path: path, Summary: summary, Status: http.StatusOK}
	if reflect.TypeFor[Out]() == reflect.TypeFor[None]() {
		o.Status = http.StatusNoContent
	}
	return o
}

// Created returns an operation that responds 201.
func (o Operation[In, Out]) Created() Operation[In, Out] {
	o.Status = http.StatusCreated
	return o
}

// Accepted returns an operation that responds 202: its work continues in the background.
func (o Operation[In, Out]) Accepted() Operation[In, Out] {
	o.Status = http.StatusAccepted
	return o
}

// Open returns an operation whose credentials are optional.
func (o Operation[In, Out]) Open() Operation[In, Out] {
	o.Public = true
	return o
}

// Describe returns an operation with a description.
func (o Operation[In, Out]) Describe(text string) Operation[In, Out] {
	o.Description = text
	return o
}

// Says returns an operation of which the document says more.
func (o Operation[In, Out]) Says(spec Spec) Operation[In, Out] {
	o.Spec = spec
	return o
}

// Takes returns an operation whose body is Content of a media type.
func (o Operation[In, Out]) Takes(media string) Operation[In, Out] {
	o.Upload = media
	return o
}

// Sends returns an operation whose response is a File of a media type.
func (o Operation[In, Out]) Sends(media string) Operation[In, Out] {
	o.Media = media
	return o
}
