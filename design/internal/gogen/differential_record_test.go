package gogen

// This file is in two programs: in the test, where package verify sends the requests, and
// in the one that the test makes, where generated code does.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// An outcome holds what a call sent and returned.
type outcome struct {
	Requests []string // in their one spelling, sorted: those of one call are sent together
	Err      string
}

// A sentCall is a call of a generated method.
type sentCall struct {
	Package string
	Method  string
	InTx    bool
	Args    []any
}

// A recorder is a DynamoDB that notes every request and has nothing.
type recorder struct {
	access.API // nil: what is not here is not called
	mu         sync.Mutex
	sent       []string
}

func (r *recorder) note(operation string, in any) {
	text, err := json.Marshal(map[string]any{operation: spell(reflect.ValueOf(in))})
	if err != nil {
		text = []byte(err.Error())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, string(text))
}

// during returns what is sent while a function runs, and how it ends.
func (r *recorder) during(call func() error) (o outcome) {
	r.sent = nil
	defer func() {
		if p := recover(); p != nil {
			o.Err = fmt.Sprintf("panic: %v", p)
		}
		o.Requests = slices.Sorted(slices.Values(r.sent))
	}()
	o.Err = spellError(call())
	return o
}

// spellError is an error as both roads must return it.
func spellError(err error) string {
	var key *access.KeyError
	var span *access.SpanError
	var value *access.ValueError
	var step *access.LifecycleError
	var done *access.DoneError
	switch {
	case err == nil, errors.As(err, &done): // a write was sent; the recorder returns no item that could be decoded
		return ""
	case errors.As(err, &key):
		return key.Error()
	case errors.As(err, &span):
		return span.Error()
	case errors.As(err, &value):
		return value.Error()
	case errors.As(err, &step):
		return step.Error()
	}
	for _, known := range []error{access.ErrNotFound, access.ErrTwice, access.ErrNothingGiven} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return err.Error()
}

func (r *recorder) GetItem(_ context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	r.note("GetItem", in)
	return &dynamodb.GetItemOutput{}, nil
}

func (r *recorder) Query(_ context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	r.note("Query", in)
	return &dynamodb.QueryOutput{}, nil
}

func (r *recorder) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	r.note("BatchGetItem", in)
	return &dynamodb.BatchGetItemOutput{}, nil
}

func (r *recorder) TransactGetItems(_ context.Context, in *dynamodb.TransactGetItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	r.note("TransactGetItems", in)
	return &dynamodb.TransactGetItemsOutput{Responses: make([]types.ItemResponse, len(in.TransactItems))}, nil
}

func (r *recorder) Scan(_ context.Context, in *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	r.note("Scan", in)
	return &dynamodb.ScanOutput{}, nil
}

func (r *recorder) PutItem(_ context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	r.note("PutItem", in)
	return &dynamodb.PutItemOutput{}, nil
}

func (r *recorder) UpdateItem(_ context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	r.note("UpdateItem", in)
	return &dynamodb.UpdateItemOutput{}, nil
}

func (r *recorder) DeleteItem(_ context.Context, in *dynamodb.DeleteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	r.note("DeleteItem", in)
	return &dynamodb.DeleteItemOutput{}, nil
}

func (r *recorder) TransactWriteItems(_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	in.ClientRequestToken = nil // another one each time
	r.note("TransactWriteItems", in)
	return &dynamodb.TransactWriteItemsOutput{}, nil
}

func (r *recorder) BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return &dynamodb.BatchWriteItemOutput{}, nil
}

// An openSealer seals so that everybody can read it.
type openSealer struct{}

func (openSealer) Seal(plain []byte, context string) ([]byte, error) {
	return []byte("sealed as " + context + ": " + string(plain)), nil
}

func (openSealer) Open(sealed []byte, _ string) ([]byte, error) { return sealed, nil }

// spell is a part of a request as JSON has it, without what is not said and with names
// and values in the places of their placeholders.
func spell(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case types.AttributeValue:
		return spellValue(x)
	case map[string]types.AttributeValue:
		all := map[string]any{}
		for name, value := range x {
			all[name] = spellValue(value)
		}
		return all
	}
	switch v.Kind() {
	case reflect.Pointer:
		return spell(v.Elem())
	case reflect.Slice:
		all := make([]any, v.Len())
		for i := range all {
			all[i] = spell(v.Index(i))
		}
		return all
	case reflect.Struct:
		return spellStruct(v)
	}
	return v.Interface()
}

func spellStruct(v reflect.Value) any {
	names, _ := fieldOf(v, "ExpressionAttributeNames").(map[string]string)
	values, _ := fieldOf(v, "ExpressionAttributeValues").(map[string]types.AttributeValue)
	used := map[string]bool{}
	all := map[string]any{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch {
		case !field.IsExported() || v.Field(i).IsZero() || strings.HasPrefix(field.Name, "ExpressionAttribute"):
		case strings.HasSuffix(field.Name, "Expression"):
			all[field.Name] = spellExpression(*v.Field(i).Interface().(*string), names, values, used)
		default:
			all[field.Name] = spell(v.Field(i))
		}
	}
	for _, placeholder := range slices.Concat(slices.Sorted(maps.Keys(names)), slices.Sorted(maps.Keys(values))) {
		if !used[placeholder] { // DynamoDB refuses it
			all["unused "+placeholder] = true
		}
	}
	return all
}

func fieldOf(v reflect.Value, name string) any {
	if field := v.FieldByName(name); field.IsValid() {
		return field.Interface()
	}
	return nil
}

func spellValue(v types.AttributeValue) any {
	switch x := v.(type) {
	case *types.AttributeValueMemberN:
		return map[string]any{"N": spellNumber(x.Value)}
	case *types.AttributeValueMemberB:
		return map[string]any{"B": base64.StdEncoding.EncodeToString(x.Value)}
	case *types.AttributeValueMemberSS:
		return map[string]any{"SS": slices.Sorted(slices.Values(x.Value))}
	case *types.AttributeValueMemberNS:
		all := make([]string, len(x.Value))
		for i, n := range x.Value {
			all[i] = spellNumber(n)
		}
		slices.Sort(all)
		return map[string]any{"NS": all}
	case *types.AttributeValueMemberL:
		return map[string]any{"L": spell(reflect.ValueOf(x.Value))}
	case *types.AttributeValueMemberM:
		return map[string]any{"M": spell(reflect.ValueOf(x.Value))}
	case nil:
		return "nothing"
	}
	kind := strings.TrimPrefix(reflect.TypeOf(v).Elem().Name(), "AttributeValueMember")
	return map[string]any{kind: reflect.ValueOf(v).Elem().FieldByName("Value").Interface()}
}

func spellNumber(text string) string {
	if d, err := access.ParseDecimal(text); err == nil {
		return d.String()
	}
	return text
}

var (
	placeholders = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)
	sections     = regexp.MustCompile(`(^| )(SET|ADD|REMOVE) `)
)

// spellExpression is an expression with names and values instead of placeholders. What may
// stand in any order is sorted: assignments, what is projected, conditions that all hold.
func spellExpression(text string, names map[string]string, values map[string]types.AttributeValue, used map[string]bool) []string {
	var all []string
	starts := sections.FindAllStringSubmatchIndex(text, -1)
	if len(starts) == 0 {
		all = parted(text)
	}
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		for _, clause := range parted(text[at[1]:end]) {
			all = append(all, text[at[4]:at[5]]+" "+clause)
		}
	}
	for i, clause := range all {
		all[i] = placeholders.ReplaceAllStringFunc(clause, func(placeholder string) string {
			used[placeholder] = true
			if name, ok := names[placeholder]; ok {
				return "`" + name + "`"
			}
			if value, ok := values[placeholder]; ok {
				text, _ := json.Marshal(spellValue(value))
				return string(text)
			}
			return "undefined " + placeholder
		})
	}
	slices.Sort(all)
	return all
}

// parted are the parts of an expression between commas and ANDs outside of parentheses,
// except for the AND of a BETWEEN.
func parted(text string) []string {
	var all []string
	depth, start, between := 0, 0, false
	for i := range len(text) {
		rest := text[i:]
		switch {
		case rest[0] == '(':
			depth++
		case rest[0] == ')':
			depth--
		case depth > 0:
		case strings.HasPrefix(rest, " BETWEEN "):
			between = true
		case strings.HasPrefix(rest, " AND ") && between:
			between = false
		case strings.HasPrefix(rest, " AND "):
			all, start = append(all, text[start:i]), i+len(" AND ")
		case strings.HasPrefix(rest, ", "):
			all, start = append(all, text[start:i]), i+len(", ")
		}
	}
	return append(all, text[start:])
}
