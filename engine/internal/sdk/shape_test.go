package sdk

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func timeOf(seconds, nanoseconds int64) *time.Time {
	t := time.Unix(seconds, nanoseconds)
	return &t
}

// onItems holds the operations that are converted by hand.
var onItems = map[string]bool{
	"BatchExecuteStatement": true, "ExecuteStatement": true, "ExecuteTransaction": true,
	"BatchGetItem": true, "BatchWriteItem": true, "DeleteItem": true, "GetItem": true,
	"GetRecords": true, "PutItem": true, "Query": true, "Scan": true, "SearchVectors": true,
	"TransactGetItems": true, "TransactWriteItems": true, "UpdateItem": true,
}

// aheadOfTheSDK lists the operations of the newest model that the SDK for Go does not have yet.
var aheadOfTheSDK = []string{"CancelBulkOperation", "DescribeBulkOperation", "ListBulkOperations", "StartBulkPutItems"}

// operations iterates over the operations of the engine, with the types of the
// engine's and the client's methods.
func operations(t *testing.T, test func(t *testing.T, name string, engine, client reflect.Type)) {
	for m := range reflect.TypeFor[dynamo.API]().Methods() {
		method, ok := clientType(m.Name).MethodByName(m.Name)
		if !ok {
			if !slices.Contains(aheadOfTheSDK, m.Name) {
				t.Fatalf("no client has %s", m.Name)
			}
			continue
		}
		t.Run(m.Name, func(t *testing.T) { test(t, m.Name, m.Type, method.Type) })
	}
}

// sample returns a value of any type with every field set.
func sample(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[types.AttributeValue]():
		v.Set(reflect.ValueOf(text("x")))
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.UnixMilli(1700000000123).UTC()))
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(sample(t.Elem()))
	case t.Kind() == reflect.Slice:
		v.Set(reflect.Append(v, sample(t.Elem())))
	case t.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(sample(t.Key()), sample(t.Elem()))
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if isShapeField(t.Field(i)) {
				v.Field(i).Set(sample(t.Field(i).Type))
			}
		}
	case t.Kind() == reflect.String:
		v.SetString("x")
	case t.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(7)
	case v.CanFloat():
		v.SetFloat(7.5)
	default:
		panic(fmt.Sprintf("no sample for %s", t))
	}
	return v
}

// sampleInput returns an SDK input with every field set.
func sampleInput(operation string) any {
	method, _ := clientType(operation).MethodByName(operation)
	return sample(method.Type.In(2)).Interface()
}

// Every field of a shape that is copied by name must be in the SDK's struct, in a form
// that the copier supports.
func TestShapesCopiedByNameMatchTheSDK(t *testing.T) {
	operations(t, func(t *testing.T, name string, engine, client reflect.Type) {
		if onItems[name] {
			return
		}
		matches(t, name+"Input", engine.In(1), client.In(2))
		matches(t, name+"Output", engine.Out(0), client.Out(0))
	})
}

func matches(t *testing.T, path string, ours, theirs reflect.Type) {
	if ours.Kind() != theirs.Kind() {
		t.Errorf("%s is %s here and %s in the SDK", path, ours, theirs)
		return
	}
	switch {
	case ours == reflect.TypeFor[time.Time]() || ours.Kind() == reflect.String:
	case ours.Kind() == reflect.Pointer || ours.Kind() == reflect.Slice:
		matches(t, path, ours.Elem(), theirs.Elem())
	case ours.Kind() == reflect.Struct:
		for i := range ours.NumField() {
			field := ours.Field(i)
			if !isShapeField(field) {
				continue
			}
			their, ok := theirs.FieldByName(field.Name)
			if !ok {
				t.Errorf("%s.%s is not in the SDK", path, field.Name)
				continue
			}
			matches(t, path+"."+field.Name, field.Type, their.Type)
		}
	case ours != theirs:
		t.Errorf("%s is %s here and %s in the SDK", path, ours, theirs)
	}
}

// Every parameter that a caller sets reaches the engine or is rejected, even if it is new in a
// later version of the SDK.
func TestNoParameterIsIgnored(t *testing.T) {
	operations(t, func(t *testing.T, name string, _, client reflect.Type) {
		input := client.In(2).Elem()
		api := &fake{}
		call := func(in reflect.Value) (any, error) {
			api.in = nil
			_, err := callDirect(t.Context(), api, name, in.Interface())
			return api.in, err
		}
		nothing, err := call(reflect.New(input))
		if err != nil {
			t.Fatal(err)
		}
		for i := range input.NumField() {
			if !input.Field(i).IsExported() {
				continue
			}
			in := reflect.New(input)
			in.Elem().Field(i).Set(sample(input.Field(i).Type))
			got, err := call(in)
			if err == nil && cmp.Equal(nothing, got, allFields) {
				t.Errorf("%s is ignored", input.Field(i).Name)
			}
			if err != nil && !strings.Contains(err.Error(), "ValidationException: sortkey does not support "+input.Field(i).Name) {
				t.Errorf("%s: %v", input.Field(i).Name, err)
			}
		}
	})
}

// The engine's output reaches the caller completely: it can be copied back.
func TestOutputsCopiedByNameAreComplete(t *testing.T) {
	operations(t, func(t *testing.T, name string, engine, _ reflect.Type) {
		if onItems[name] {
			return
		}
		want := sample(engine.Out(0)).Interface()
		everyDoor(t, &fake{outs: []any{want}}, name, func(t *testing.T, call func(context.Context, any) (any, error)) {
			out, err := call(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			noMetadata(out)
			back := reflect.New(engine.Out(0).Elem()).Interface()
			if err := copyShape(back, out); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, back); diff != "" {
				t.Errorf("(-answered +received):\n%s", diff)
			}
		})
	})
}

func TestCreateTableReachesTheEngineCompletely(t *testing.T) {
	want := sample(reflect.TypeFor[dynamo.CreateTableInput]()).Addr().Interface()
	in := &dynamodb.CreateTableInput{}
	if err := copyShape(in, want); err != nil {
		t.Fatal(err)
	}
	api := &fake{}
	if _, err := CreateTable(t.Context(), api, in); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, api.in); diff != "" {
		t.Errorf("(-sent +received):\n%s", diff)
	}
	in.KeySchema[0].AttributeName = nil
	if got := api.in.(*dynamo.CreateTableInput).KeySchema[0].AttributeName; *got != "x" {
		t.Error("the engine's input shares memory with the caller's")
	}
}

func TestUnknownParametersAreNamedWithTheirPath(t *testing.T) {
	for _, c := range []struct {
		in   any
		want string
	}{
		{&dynamodb.CreateTableInput{TableName: aws.String("t"), GlobalTableSourceArn: aws.String("arn")}, "GlobalTableSourceArn"},
		{&dynamodb.UpdateTableInput{ReplicaUpdates: []types.ReplicationGroupUpdate{{}}}, "ReplicaUpdates"},
	} {
		t.Run(c.want, func(t *testing.T) {
			operation := strings.TrimSuffix(reflect.TypeOf(c.in).Elem().Name(), "Input")
			everyDoor(t, &fake{}, operation, func(t *testing.T, call func(context.Context, any) (any, error)) {
				_, err := call(t.Context(), c.in)
				var api smithy.APIError
				if !errors.As(err, &api) || api.ErrorCode() != "ValidationException" ||
					api.ErrorMessage() != "sortkey does not support "+c.want+": it has one region, and tables have no replicas" {
					t.Errorf("error %v", err)
				}
			})
		})
	}
	type inner struct{ Known, Strange *string }
	type theirs struct{ List []inner }
	type ours struct{ List []struct{ Known *string } }
	err := copyShape(&ours{}, &theirs{List: []inner{{Known: aws.String("a"), Strange: aws.String("b")}}})
	if err == nil || !strings.Contains(err.Error(), "List.Strange") {
		t.Errorf("error %v, want one about List.Strange", err)
	}
}
