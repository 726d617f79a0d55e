package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/internal/operation"
)

// Info describes an API.
type Info struct {
	Title       string
	Description string
	// URL is the public URL of the API, without a trailing slash; "" if it is not known.
	URL     string
	Version string // "1" if it is ""
	Tags    []Tag
	// Components holds components by kind and name, to which operations and types refer. A schema replaces that of
	// the type with its name.
	Components map[string]map[string]any
	// Webhooks holds the requests that the system sends, by name.
	Webhooks map[string]any
}

// A Tag groups operations.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// object is a JSON object of the document.
type object = map[string]any

// Document returns the OpenAPI document of operations.
func Document(info Info, operations []Operation) ([]byte, error) {
	components := object{"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}}}
	for kind, named := range info.Components {
		components[kind] = named
	}
	d := &schemas{components: object{}}
	maps.Copy(d.components, info.Components["schemas"])
	components["schemas"] = d.components
	if d.components["Error"] == nil {
		d.components["Error"] = errorSchema()
	}
	paths := object{}
	for _, o := range operations {
		path, _ := paths[o.Path].(object)
		if path == nil {
			path = object{}
			paths[o.Path] = path
		}
		path[strings.ToLower(o.Method)] = d.operation(o)
	}
	whole := object{
		"openapi":    "3.1.0",
		"info":       object{"title": info.Title, "version": cmp.Or(info.Version, "1"), "description": info.Description},
		"servers":    []object{{"url": cmp.Or(info.URL, "/")}},
		"paths":      paths,
		"components": components,
	}
	if info.Tags != nil {
		whole["tags"] = info.Tags
	}
	if info.Webhooks != nil {
		whole["webhooks"] = info.Webhooks
	}
	document, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the OpenAPI document: %w", err)
	}
	return document, nil
}

// errorSchema returns the schema of refusals in documents that have none of their own.
func errorSchema() object {
	return object{
		"type": "object", "required": []string{"error"}, "additionalProperties": false,
		"properties": object{"error": object{
			"type": "object", "required": []string{"code", "message"}, "additionalProperties": false,
			"properties": object{"code": object{"type": "string"}, "message": object{"type": "string"}, "details": object{}},
		}},
	}
}

func ref(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// schemas collects the schemas of types.
type schemas struct {
	components object
	body       bool // the schema is of a body, in which a null is the same as an absent value
}

func (d *schemas) operation(o Operation) object {
	name := strings.NewReplacer("/v1", "", "/", "_", "{", "", "}", "").Replace(strings.ToLower(o.Method) + o.Path)
	operation := object{"operationId": cmp.Or(o.Spec.ID, name), "summary": o.Summary}
	if o.Description != "" {
		operation["description"] = o.Description
	}
	if o.Spec.Tag != "" {
		operation["tags"] = []string{o.Spec.Tag}
	}
	if security := securityOf(o); security != nil {
		operation["security"] = security
	}
	if parameters := d.parameters(o, operation); parameters != nil {
		operation["parameters"] = parameters
	}
	if o.Upload != "" {
		operation["requestBody"] = object{"required": true, "content": object{o.Upload: object{"schema": object{}}}}
	}
	operation["responses"] = d.responses(o)
	return operation
}

// securityOf returns the credentials of an operation: one of these.
func securityOf(o Operation) []object {
	if o.Spec.Scheme == operation.NoScheme {
		return nil
	}
	needed := object{cmp.Or(o.Spec.Scheme, "token"): []string{}}
	if o.Public {
		return []object{{}, needed}
	}
	return []object{needed}
}

// responses returns the responses of an operation, by status.
func (d *schemas) responses(o Operation) object {
	success := object{"description": cmp.Or(o.Spec.Success, "Success.")}
	switch {
	case o.Media != "":
		schema := object{}
		if strings.HasPrefix(o.Media, "text/") {
			schema["type"] = "string"
		}
		success["content"] = object{o.Media: exampled(schema, o.Spec.Example)}
	case o.Out != reflect.TypeFor[None]():
		success["content"] = object{"application/json": exampled(d.of(o.Out), o.Spec.Example)}
	}
	headers := object{}
	for _, each := range o.Spec.Headers {
		name, component, _ := strings.Cut(each, " ")
		headers[name] = ref("headers", component)
		success["headers"] = headers
	}
	responses := object{strconv.Itoa(o.Status): success}
	if o.Spec.Repeated != "" {
		repeated := maps.Clone(success)
		repeated["description"] = o.Spec.Repeated
		responses["200"] = repeated
	}
	for _, each := range o.Spec.Refusals {
		status, component, _ := strings.Cut(each, " ")
		responses[status] = ref("responses", component)
	}
	if o.Spec.Refusals == nil {
		responses["default"] = object{
			"description": "The request is refused, or the server failed.",
			"content":     object{"application/json": object{"schema": ref("schemas", "Error")}},
		}
	}
	return responses
}

// exampled returns a media type with an example, if there is one.
func exampled(schema object, example any) object {
	if example == nil {
		return object{"schema": schema}
	}
	return object{"schema": schema, "example": example}
}

// parameters returns the parameters of an operation, and adds its body.
func (d *schemas) parameters(o Operation, described object) []object {
	var parameters []object
	for _, a := range operation.Arguments(o.In) {
		field := o.In.FieldByIndex(a.Field)
		switch {
		case a.Place != operation.InBody:
			parameter := object{"name": a.Name, "in": a.Place, "required": a.Required, "schema": d.field(field)}
			for _, tag := range []string{"doc", "example"} {
				if text := field.Tag.Get(tag); text != "" {
					parameter[map[string]string{"doc": "description", "example": "example"}[tag]] = text
				}
			}
			parameters = append(parameters, parameter)
		case o.Upload == "":
			d.body = true
			described["requestBody"] = object{"required": true, "content": object{"application/json": exampled(d.of(field.Type), o.Spec.Body)}}
			d.body = false
		}
	}
	return parameters
}

// field returns the schema of the type of a field with what its tags schema, items, ref and enum say.
func (d *schemas) field(field reflect.StructField) object {
	if name := field.Tag.Get("ref"); name != "" {
		return ref("schemas", name)
	}
	schema := d.of(field.Type)
	if allowed := field.Tag.Get("enum"); allowed != "" {
		schema["enum"] = strings.Split(allowed, " ")
	}
	constrain(schema, field.Tag.Get("schema"))
	for _, inner := range []string{"items", "additionalProperties"} {
		if items, ok := schema[inner].(object); ok {
			constrain(items, field.Tag.Get("items"))
		}
	}
	return schema
}

// constrain adds keywords to a schema, such as "minimum=1; maximum=50".
func constrain(schema object, keywords string) {
	for _, each := range strings.Split(keywords, "; ") {
		name, text, ok := strings.Cut(each, "=")
		if !ok {
			continue
		}
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			value = text
		}
		schema[name] = value
	}
}

// nullable returns a schema that allows null, too.
func nullable(schema object) object {
	if one, ok := schema["type"].(string); ok {
		schema["type"] = []string{one, "null"}
	}
	if allowed, ok := schema["enum"].([]string); ok {
		with := []any{}
		for _, each := range allowed {
			with = append(with, each)
		}
		schema["enum"] = append(with, nil)
	}
	return schema
}

// of returns the schema of a type: structs with names are components.
func (d *schemas) of(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[json.RawMessage]():
		return object{}
	case t.Kind() == reflect.Pointer:
		return d.of(t.Elem())
	case t.PkgPath() != "" && d.components[componentName(t)] != nil:
		return ref("schemas", componentName(t))
	}
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": d.of(t.Elem())}
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface {
			return object{"type": "object"}
		}
		return object{"type": "object", "additionalProperties": d.of(t.Elem())}
	case reflect.Struct:
		return d.structure(t)
	}
	panic(fmt.Sprintf("openapi: the document cannot describe %s", t))
}

// componentName returns the name of a type, such as ListOfAttempt.
func componentName(t reflect.Type) string {
	name, argument, generic := strings.Cut(strings.TrimSuffix(t.Name(), "]"), "[")
	if generic {
		argument = path.Ext(argument)
		name += "Of" + strings.TrimPrefix(argument, ".")
	}
	return name
}

// structure adds the schema of a struct to the components. Its field _ may have tags of the whole.
func (d *schemas) structure(t reflect.Type) object {
	name := componentName(t)
	properties, required := object{}, []string{}
	component := object{"type": "object", "additionalProperties": false, "properties": properties}
	d.components[name] = component
	d.fields(t, properties, &required)
	if len(required) > 0 {
		slices.Sort(required)
		component["required"] = required
	}
	for i := range t.NumField() {
		if whole := t.Field(i); whole.Name == "_" {
			constrain(component, whole.Tag.Get("schema"))
			describe(component, whole)
		}
	}
	return ref("schemas", name)
}

// fields adds the fields of a struct, with those of embedded ones.
func (d *schemas) fields(t reflect.Type, properties object, required *[]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous && field.Tag.Get("json") == "" {
			d.fields(field.Type, properties, required)
			continue
		}
		if !field.IsExported() {
			continue
		}
		property, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		schema := d.field(field)
		if field.Tag.Get("ref") == "" {
			describe(schema, field)
		}
		if isPointer := field.Type.Kind() == reflect.Pointer; options == "" && isPointer || options != "" && d.body {
			schema = nullable(schema)
		}
		properties[property] = schema
		if options == "" {
			*required = append(*required, property)
		}
	}
}

// describe adds the tag doc of a field to a schema.
func describe(schema object, field reflect.StructField) {
	if text := field.Tag.Get("doc"); text != "" {
		schema["description"] = text
	}
}
