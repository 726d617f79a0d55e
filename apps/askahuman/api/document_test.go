package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sortkey.dev/apps/askahuman/api"
)

// A document is openapi.json with its schemas compiled.
type document struct {
	root     map[string]any
	compiler *jsonschema.Compiler
	paths    map[string]*regexp.Regexp // by template

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
	seen     map[string]bool // operations with the statuses they were answered with
}

var theDocument = sync.OnceValue(func() *document {
	text, err := api.Document()
	if err != nil {
		panic(err)
	}
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	d := &document{
		root: root.(map[string]any), compiler: jsonschema.NewCompiler(), paths: make(map[string]*regexp.Regexp),
		compiled: make(map[string]*jsonschema.Schema), seen: make(map[string]bool),
	}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource("openapi.json", root); err != nil {
		panic(err)
	}
	braces := regexp.MustCompile(`\\\{[a-z]+\\\}`)
	for path := range d.object("paths") {
		d.paths[path] = regexp.MustCompile("^" + braces.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
	}
	return d
})

// object returns the object at a place, with references followed.
func (d *document) object(place ...string) map[string]any {
	value := d.root
	for _, step := range place {
		value, _ = value[step].(map[string]any)
		if ref, ok := value["$ref"].(string); ok {
			value = d.object(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
		}
	}
	return value
}

// schema returns the compiled schema at a place, where references have been followed.
func (d *document) schema(place ...string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	pointer := "openapi.json#"
	for _, step := range place {
		pointer += "/" + escape.Replace(step)
	}
	if s, ok := d.compiled[pointer]; ok {
		return s, nil
	}
	s, err := d.compiler.Compile(pointer)
	d.compiled[pointer] = s
	return s, err
}

// resolve returns a place without references on the way.
func (d *document) resolve(place ...string) []string {
	var at []string
	for _, step := range place {
		at = append(at, step)
		value := d.root
		for _, s := range at {
			value, _ = value[s].(map[string]any)
		}
		if ref, ok := value["$ref"].(string); ok {
			at = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		}
	}
	return at
}

// operation finds what a request is; "" if the document has no such path or method.
func (d *document) operation(method, path string) (template, verb string) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for template, pattern := range d.paths {
		if pattern.MatchString(path) && d.object("paths", template)[strings.ToLower(method)] != nil {
			return template, strings.ToLower(method)
		}
	}
	return "", ""
}

// A recorder compares everything that is said over HTTP with the document.
type recorder struct {
	t *testing.T

	mu     sync.Mutex
	bodies []spoken
}

// spoken is an answer that was given, with its headers.
type spoken struct{ operation, text string }

// RoundTrip sends a request and looks at it and its answer.
func (c *recorder) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		sent, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	d := theDocument()
	template, verb := d.operation(r.Method, r.URL.Path)
	var got []byte
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		if got, err = io.ReadAll(response.Body); err != nil {
			return nil, err
		}
		response.Body.Close()
		response.Body = io.NopCloser(bytes.NewReader(got))
	}
	c.note(verb+" "+template, fmt.Sprintln(response.Header, string(got)))
	if template == "" {
		if response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusMethodNotAllowed && r.Method != http.MethodOptions {
			c.t.Errorf("%s %s is not in the document and answers %d", r.Method, r.URL.Path, response.StatusCode)
		}
		return response, nil
	}
	at := []string{"paths", template, verb}
	if err := d.checkResponse(at, response, got, r.Method == http.MethodHead); err != nil {
		c.t.Errorf("the answer of %s %s (%d) is not what the document says: %v\n%s", r.Method, r.URL.Path, response.StatusCode, err, got)
	}
	if response.StatusCode < 300 {
		if err := d.checkRequest(at, r, sent); err != nil {
			c.t.Errorf("%s %s was answered with %d but is not what the document says: %v\n%s", r.Method, r.URL.Path, response.StatusCode, err, sent)
		}
	}
	return response, nil
}

func (c *recorder) note(operation, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bodies = append(c.bodies, spoken{operation, text})
}

func (d *document) checkResponse(at []string, response *http.Response, got []byte, isHead bool) error {
	status := strconv.Itoa(response.StatusCode)
	responses := d.object(append(slices.Clone(at), "responses")...)
	if responses[status] == nil {
		if response.StatusCode < http.StatusInternalServerError {
			return fmt.Errorf("the status %s is not there", status)
		}
		status = "default"
	}
	d.mu.Lock()
	d.seen[strings.Join(at[1:], " ")+" "+status] = true
	d.mu.Unlock()
	place := d.resolve(append(slices.Clone(at), "responses", status)...)
	for name := range d.object(append(slices.Clone(place), "headers")...) {
		declared := d.object(append(slices.Clone(place), "headers", name)...)
		if declared["required"] == true && response.Header.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
	}
	content := d.object(append(slices.Clone(place), "content")...)
	media, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	switch {
	case len(content) == 0 && len(got) == 0:
		return nil
	case content[media] == nil:
		return fmt.Errorf("the content type %q is not there", media)
	case media != "application/json" || isHead:
		return nil
	}
	return d.valid(got, append(place, "content", media, "schema")...)
}

func (d *document) checkRequest(at []string, r *http.Request, sent []byte) error {
	operation := d.object(at...)
	known := make(map[string]bool)
	parameters, _ := operation["parameters"].([]any)
	for _, p := range parameters {
		parameter := p.(map[string]any)
		if ref, ok := parameter["$ref"].(string); ok {
			parameter = d.object(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
		}
		known[strings.ToLower(parameter["in"].(string)+" "+parameter["name"].(string))] = true
		if parameter["in"] == "header" && parameter["required"] == true && r.Header.Get(parameter["name"].(string)) == "" {
			return fmt.Errorf("the header %s is missing", parameter["name"])
		}
	}
	for name := range r.URL.Query() {
		if !known["query "+name] {
			return fmt.Errorf("the parameter %s is not there", name)
		}
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "X-") && name != "X-Forwarded-For" && !known["header "+strings.ToLower(name)] {
			return fmt.Errorf("the header %s is not there", name)
		}
	}
	if operation["requestBody"] == nil {
		return nil
	}
	return d.valid(sent, append(slices.Clone(at), "requestBody", "content", "application/json", "schema")...)
}

// valid compares JSON with the schema at a place.
func (d *document) valid(text []byte, place ...string) error {
	schema, err := d.schema(place...)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func TestTheExamplesOfTheDocumentAreValid(t *testing.T) {
	d := theDocument()
	examples := 0
	var walk func(value any, at []string)
	walk = func(value any, at []string) {
		object, ok := value.(map[string]any)
		if !ok {
			return
		}
		if example, ok := object["example"]; ok && object["schema"] != nil {
			examples++
			text, err := json.Marshal(example)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.valid(text, append(slices.Clone(at), "schema")...); err != nil {
				t.Errorf("the example at %s: %v", strings.Join(at, " "), err)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if name != "example" {
				walk(object[name], append(slices.Clone(at), name))
			}
		}
	}
	walk(d.root, nil)
	if examples < 40 {
		t.Errorf("only %d examples were found", examples)
	}
	for name := range d.object("components", "schemas") {
		if _, err := d.schema("components", "schemas", name); err != nil {
			t.Errorf("the schema %s: %v", name, err)
		}
	}
}

func TestTheDocumentIsServedForItsAddress(t *testing.T) {
	s := open(t)
	if got := s.must(t, http.StatusOK, call{method: "GET", path: "/openapi.json"}).str("servers", 0, "url"); got != "/" {
		t.Errorf("the server is %q, want /", got)
	}
	s = serveOn(t, s.World, s.Domain, func(o *api.Options) { o.PublicURL = "https://ask.example.org" })
	if got := s.must(t, http.StatusOK, call{method: "GET", path: "/openapi.json"}).str("servers", 0, "url"); got != "https://ask.example.org" {
		t.Errorf("the server is %q, want the public URL", got)
	}
}
