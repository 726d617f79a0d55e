package dryrun

import (
	"context"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Request is a request as it is sent.
type Request struct {
	Operation string
	Input     any // as it is in JSON
	input     any // in the types of the SDK
}

// recorder notes the requests to a database, but for those about rows of the control table alone.
type recorder struct {
	Memory
	on       bool
	requests []Request
}

func (r *recorder) note(input any) {
	if !r.on {
		return
	}
	v := reflect.ValueOf(input).Elem()
	if name := v.FieldByName("TableName"); name.IsValid() && aws.ToString(name.Interface().(*string)) == control {
		return
	}
	operation := strings.TrimSuffix(v.Type().Name(), "Input")
	r.requests = append(r.requests, Request{operation, wire(v), input})
}

func (r *recorder) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	r.note(in)
	return r.Memory.GetItem(ctx, in, o...)
}

func (r *recorder) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	r.note(in)
	return r.Memory.Query(ctx, in, o...)
}

func (r *recorder) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	r.note(in)
	return r.Memory.Scan(ctx, in, o...)
}

func (r *recorder) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	r.note(in)
	return r.Memory.PutItem(ctx, in, o...)
}

func (r *recorder) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	r.note(in)
	return r.Memory.UpdateItem(ctx, in, o...)
}

func (r *recorder) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	r.note(in)
	return r.Memory.DeleteItem(ctx, in, o...)
}

func (r *recorder) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	r.note(in)
	return r.Memory.TransactWriteItems(ctx, in, o...)
}

func (r *recorder) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	r.note(in)
	return r.Memory.TransactGetItems(ctx, in, o...)
}

func (r *recorder) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	r.note(in)
	return r.Memory.CreateTable(ctx, in, o...)
}

func (r *recorder) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	r.note(in)
	return r.Memory.UpdateTable(ctx, in, o...)
}

// changes reports whether a request makes or removes an index of a table, or the table if no index is named.
func (r Request) changes(table, index string) bool {
	switch in := r.input.(type) {
	case *dynamodb.CreateTableInput:
		return aws.ToString(in.TableName) == table && index == ""
	case *dynamodb.UpdateTableInput:
		for _, u := range in.GlobalSecondaryIndexUpdates {
			name := ""
			switch {
			case u.Create != nil:
				name = aws.ToString(u.Create.IndexName)
			case u.Delete != nil:
				name = aws.ToString(u.Delete.IndexName)
			}
			if aws.ToString(in.TableName) == table && name == index {
				return true
			}
		}
	}
	return false
}

// wire returns a value of the SDK as it is in the JSON of a request. Members that are not set are left out.
func wire(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		if a, is := v.Interface().(types.AttributeValue); is {
			kind := strings.TrimPrefix(reflect.TypeOf(a).Elem().Name(), "AttributeValueMember")
			return map[string]any{kind: wire(reflect.ValueOf(a).Elem().FieldByName("Value"))}
		}
		return wire(v.Elem())
	case reflect.Struct:
		all := map[string]any{}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || f.Name == "ResultMetadata" || v.Field(i).IsZero() {
				continue
			}
			all[f.Name] = wire(v.Field(i))
		}
		return all
	case reflect.Map:
		all := map[string]any{}
		for _, key := range v.MapKeys() {
			all[key.String()] = wire(v.MapIndex(key))
		}
		return all
	case reflect.Slice:
		if bytes, is := v.Interface().([]byte); is {
			return bytes
		}
		all := make([]any, v.Len())
		for i := range all {
			all[i] = wire(v.Index(i))
		}
		return all
	}
	return v.Interface()
}
