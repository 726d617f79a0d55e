package openapi

import (
	"encoding/json"
	"fmt"
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
	URL string
}

// object is a JSON object of the document.
type object = map[string]any

// Document returns the OpenAPI document of operations.
func Document(info Info, operations []Operation) ([]byte, error) {
	d := &schemas{components: object{}}
	paths := object{}
	for _, o := range operations {
		path, _ := paths[o.Path].(object)
		if path == nil {
			path = object{}
			paths[o.Path] = path
		}
		path[strings.ToLower(o.Method)] = d.operation(o)
	}
	if info.URL == "" {
		info.URL = "/"
	}
	d.components["Error"] = object{
		"type": "object", "required": []string{"error"}, "additionalProperties": false,
		"properties": object{"error": object{
			"type": "object", "required": []string{"code", "message"}, "additionalProperties": false,
			"properties": object{"code": object{"type": "string"}, "message": object{"type": "string"}, "details": object{}},
		}},
	}
	document, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info":    object{"title": info.Title, "version": "1", "description": info.Description},
		"servers": []object{{"url": info.URL}},
		"paths":   paths,
		"components": object{
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
			"schemas":         d.components,
		},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the OpenAPI document: %w", err)
	}
	return document, nil
}

// schemas collects the schemas of types.
type schemas struct{ components object }

func (d *schemas) operation(o Operation) object {
	name := strings.NewReplacer("/v1", "", "/", "_", "{", "", "}", "").Replace(strings.ToLower(o.Method) + o.Path)
	operation := object{"operationId": name, "summary": o.Summary, "security": []object{{"token": []string{}}}}
	if o.Description != "" {
		operation["description"] = o.Description
	}
	if o.Public {
		operation["security"] = []object{{}, {"token": []string{}}}
	}
	if parameters := d.parameters(o, operation); parameters != nil {
		operation["parameters"] = parameters
	}
	if o.Upload != "" {
		operation["requestBody"] = object{"required": true, "content": object{o.Upload: object{"schema": object{}}}}
	}
	success := object{"description": "Success."}
	switch {
	case o.Media != "":
		success["content"] = object{o.Media: object{"schema": object{}}}
	case o.Out != reflect.TypeFor[None]():
		success["content"] = object{"application/json": object{"schema": d.of(o.Out)}}
	}
	operation["responses"] = object{
		strconv.Itoa(o.Status): success,
		"default": object{
			"description": "The request is refused, or the server failed.",
			"content":     object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Error"}}},
		},
	}
	return operation
}

// parameters returns the parameters of an operation, and adds its body.
func (d *schemas) parameters(o Operation, described object) []object {
	var parameters []object
	for _, a := range operation.Arguments(o.In) {
		field := o.In.Field(a.Field).Type
		switch {
		case a.Place != operation.InBody:
			parameters = append(parameters, object{"name": a.Name, "in": a.Place, "required": a.Required, "schema": d.of(field)})
		case o.Upload == "":
			described["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": d.of(field)}}}
		}
	}
	return parameters
}

// of returns the schema of a type: structs with names are components.
func (d *schemas) of(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t.Kind() == reflect.Pointer:
		return d.of(t.Elem())
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

func (d *schemas) structure(t reflect.Type) object {
	name := componentName(t)
	ref := object{"$ref": "#/components/schemas/" + name}
	if d.components[name] != nil {
		return ref
	}
	properties, required := object{}, []string{}
	d.components[name] = object{"type": "object", "additionalProperties": false, "properties": properties}
	d.fields(t, properties, &required)
	slices.Sort(required)
	d.components[name].(object)["required"] = required
	return ref
}

// fields adds the fields of a struct, with those of embedded ones.
func (d *schemas) fields(t reflect.Type, properties object, required *[]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous && field.Tag.Get("json") == "" {
			d.fields(field.Type, properties, required)
			continue
		}
		property, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		schema := d.of(field.Type)
		if allowed := field.Tag.Get("enum"); allowed != "" {
			schema["enum"] = strings.Split(allowed, " ")
		}
		properties[property] = schema
		if options == "" {
			*required = append(*required, property)
		}
	}
}
