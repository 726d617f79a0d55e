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
	for _, name := range []string{"CreateBackup", "TransactWriteItems"} {
		if _, has := reflect.TypeFor[dynamo.API]().MethodByName(name); has == slices.Contains(names, name) {
			t.Errorf("the engine has %s: %v, but the list says otherwise", name, has)
		}
	}
	if slices.Contains(names, "GetItem") || slices.Contains(names, "Options") {
		t.Errorf("the list has what is no missing operation: %v", names)
	}
	all := reflect.TypeFor[*dynamodb.Client]().NumMethod()
	engine := reflect.TypeFor[dynamo.API]().NumMethod()
	if len(names)+engine+1 != all { // one method, Options, is no operation
		t.Errorf("%d unsupported and %d supported operations, but the client has %d methods", len(names), engine, all)
	}
}
