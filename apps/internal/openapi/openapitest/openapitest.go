// Package openapitest compares the responses of an API with its OpenAPI document, and remembers
// which operations have succeeded. Only tests import it.
package openapitest

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Document is the OpenAPI document that an API serves. It is safe for concurrent use.
type Document struct {
	root     map[string]any
	compiler *jsonschema.Compiler
	paths    map[string]*regexp.Regexp

	mu   sync.Mutex
	seen map[string]bool // operations that succeeded
}

// Read reads the document at a URL.
func Read(t testing.TB, url string) *Document {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	root, err := jsonschema.UnmarshalJSON(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	d := &Document{root: root.(map[string]any), compiler: jsonschema.NewCompiler(), paths: map[string]*regexp.Regexp{}, seen: map[string]bool{}}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource("openapi.json", root); err != nil {
		t.Fatal(err)
	}
	braces := regexp.MustCompile(`\\\{[a-z]+\\\}`)
	for path := range d.root["paths"].(map[string]any) {
		d.paths[path] = regexp.MustCompile("^" + braces.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
	}
	return d
}

// Operations returns all operations, such as "GET /v1/users/me", in order.
func (d *Document) Operations() []string {
	var all []string
	for template, operations := range d.root["paths"].(map[string]any) {
		for method := range operations.(map[string]any) {
			all = append(all, strings.ToUpper(method)+" "+template)
		}
	}
	slices.Sort(all)
	return all
}

// Unseen returns the operations that have not succeeded yet, in order.
func (d *Document) Unseen() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.DeleteFunc(d.Operations(), func(name string) bool { return d.seen[name] })
}

// Template returns the template of a path: the one with the fewest parameters that matches; "" if there is none.
func (d *Document) Template(method, path string) string {
	best := ""
	for template, pattern := range d.paths {
		operations := d.root["paths"].(map[string]any)[template].(map[string]any)
		if operations[strings.ToLower(method)] == nil || !pattern.MatchString(path) {
			continue
		}
		if best == "" || strings.Count(template, "{") < strings.Count(best, "{") {
			best = template
		}
	}
	return best
}

// Check compares a response with the document.
func (d *Document) Check(method, path string, response *http.Response, text []byte) error {
	template := d.Template(method, path)
	if template == "" {
		return fmt.Errorf("there is no such operation")
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	status := strconv.Itoa(response.StatusCode)
	responses := d.root["paths"].(map[string]any)[template].(map[string]any)[strings.ToLower(method)].(map[string]any)["responses"].(map[string]any)
	if responses[status] == nil {
		if response.StatusCode < 400 {
			return fmt.Errorf("the status is not there")
		}
		status = "default"
	} else {
		d.mu.Lock()
		d.seen[method+" "+template] = true
		d.mu.Unlock()
	}
	content, _ := responses[status].(map[string]any)["content"].(map[string]any)
	media, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	switch {
	case len(content) == 0 && len(text) == 0:
		return nil
	case content["*/*"] != nil:
		return nil
	case content[media] == nil:
		return fmt.Errorf("the content type %q is not there", media)
	case media != "application/json":
		return nil
	}
	schema, err := d.compile("openapi.json#/paths/" + escape.Replace(template) + "/" + strings.ToLower(method) + "/responses/" + status + "/content/application~1json/schema")
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func (d *Document) compile(location string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.compiler.Compile(location)
}
