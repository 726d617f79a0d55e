package main

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

func TestTheFileIsFresh(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../api_unsupported.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("api_unsupported.gen.go is stale: run go generate ./engine")
	}
}

func TestUnsupportedIsTheRestOfTheClient(t *testing.T) {
	names := unsupported()
	if !slices.IsSorted(names) {
		t.Errorf("not in order: %v", names)
	}
	for _, name := range []string{"CreateBackup", "ExecuteTransaction"} {
		if _, has := reflect.TypeFor[dynamo.API]().MethodByName(name); has == slices.Contains(names, name) {
			t.Errorf("the engine has %s: %v, but the list says otherwise", name, has)
		}
	}
	if slices.Contains(names, "GetItem") || slices.Contains(names, "Options") {
		t.Errorf("the list has what is no missing operation: %v", names)
	}
	client, supported := reflect.TypeFor[*dynamodb.Client](), 0
	for m := range reflect.TypeFor[dynamo.API]().Methods() {
		if _, ok := client.MethodByName(m.Name); ok { // the others are of another client
			supported++
		}
	}
	if all := client.NumMethod(); len(names)+supported+1 != all { // one method, Options, is no operation
		t.Errorf("%d unsupported and %d supported operations, but the client has %d methods", len(names), supported, all)
	}
}
