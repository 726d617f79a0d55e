package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object of the document.
type object = map[string]any

// describe returns the OpenAPI document of endpoints.
func describe(endpoints []endpoint, publicURL string) ([]byte, error) {
	d := &schemas{components: object{}}
	paths := object{}
	for _, e := range endpoints {
		path, _ := paths[e.Path].(object)
		if path == nil {
			path = object{}
			paths[e.Path] = path
		}
		path[strings.ToLower(e.Method)] = d.operation(e)
	}
	if publicURL == "" {
		publicURL = "/"
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
		"info": object{
			"title": "EcoBid", "version": "1",
			"description": "Give things to neighbours, or sell them in small auctions. Amounts are in minor units. Locations are public points: the exact address is shown to the counterpart of a confirmed pickup only.",
		},
		"servers": []object{{"url": publicURL}},
		"paths":   paths,
		"components": object{
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
			"schemas":         d.components,
		},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the OpenAPI document: %w", err)
	}
	return append(document, '\n'), nil
}

// schemas collects the schemas of types.
type schemas struct{ components object }

func (d *schemas) operation(e endpoint) object {
	name := strings.NewReplacer("/v1", "", "/", "_", "{", "", "}", "").Replace(strings.ToLower(e.Method) + e.Path)
	operation := object{"operationId": name, "summary": e.Summary}
	switch e.Level {
	case public:
		operation["security"] = []object{{}, {"token": []string{}}}
	default:
		operation["security"] = []object{{"token": []string{}}}
	}
	var parameters []object
	for i := range e.In.NumField() {
		field := e.In.Field(i)
		if field.Name == "Body" {
			operation["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": d.of(field.Type)}}}
			continue
		}
		for _, place := range []string{"path", "query", "header"} {
			if tag := field.Tag.Get(place); tag != "" {
				parameters = append(parameters, object{"name": tag, "in": place, "required": place == "path" || field.Tag.Get("required") != "", "schema": d.of(field.Type)})
			}
		}
	}
	if parameters != nil {
		operation["parameters"] = parameters
	}
	if e.Upload != "" {
		operation["requestBody"] = object{"required": true, "content": object{e.Upload: object{"schema": object{}}}}
	}
	success := object{"description": "Success."}
	switch {
	case e.Media != "":
		success["content"] = object{e.Media: object{"schema": object{}}}
	case e.Out != reflect.TypeFor[None]():
		success["content"] = object{"application/json": object{"schema": d.of(e.Out)}}
	}
	operation["responses"] = object{
		strconv.Itoa(e.Status): success,
		"default": object{
			"description": "The request is refused, or the server failed.",
			"content":     object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Error"}}},
		},
	}
	return operation
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
	case reflect.Struct:
		return d.structure(t)
	}
	panic(fmt.Sprintf("api: the document cannot describe %s", t))
}

func (d *schemas) structure(t reflect.Type) object {
	name := strings.NewReplacer("[", "Of", "]", "", "sortkey.dev/apps/ecobid/api.", "", ".", "").Replace(t.Name())
	ref := object{"$ref": "#/components/schemas/" + name}
	if d.components[name] != nil {
		return ref
	}
	properties, required := object{}, []string{}
	d.components[name] = object{"type": "object", "additionalProperties": false, "properties": properties}
	for i := range t.NumField() {
		field := t.Field(i)
		property, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		schema := d.of(field.Type)
		if allowed := field.Tag.Get("enum"); allowed != "" {
			schema["enum"] = strings.Split(allowed, " ")
		}
		properties[property] = schema
		if options == "" {
			required = append(required, property)
		}
	}
	slices.Sort(required)
	d.components[name].(object)["required"] = required
	return ref
}
