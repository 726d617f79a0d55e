package domain_test

import (
	"reflect"
	"testing"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/exambuddy/exambuddydb"
)

// TestNoRoomReturnsTheDatabase: doors hold a Domain, so nothing that they can reach from it may
// be the database.
func TestNoRoomReturnsTheDatabase(t *testing.T) {
	secret := []reflect.Type{reflect.TypeFor[*exambuddy.Env](), reflect.TypeFor[*exambuddydb.DB](), reflect.TypeFor[*exambuddydb.Tx]()}
	seen := make(map[reflect.Type]bool)
	var visit func(t reflect.Type, path string)
	visit = func(v reflect.Type, path string) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, s := range secret {
			if v == s {
				t.Errorf("%s is %s", path, v)
				return
			}
		}
		for i := range v.NumMethod() {
			method := v.Method(i)
			for j := range method.Type.NumOut() {
				visit(method.Type.Out(j), path+"."+method.Name+"()")
			}
		}
		if v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
			visit(v.Elem(), path)
		}
		if v.Kind() != reflect.Struct {
			return
		}
		for i := range v.NumField() {
			if field := v.Field(i); field.IsExported() {
				visit(field.Type, path+"."+field.Name)
			}
		}
	}
	visit(reflect.TypeFor[*domain.Domain](), "Domain")
	if !seen[reflect.TypeFor[exambuddydb.Project]()] {
		t.Error("the search did not reach what the rooms return")
	}
}
