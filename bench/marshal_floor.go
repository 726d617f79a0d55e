package main

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A readyItem is an item taken apart: its names and texts are there, in order, and what
// is left to do is to make the SDK's maps, lists and values of them. An encoder that ends
// with the SDK's types can hardly do less, so it is the floor of encoding.
type readyItem struct {
	fields                         readyFields
	texts, numbers, lists, structs int // in the whole item
}

type readyFields struct {
	names  []string
	values []readyValue
}

type readyValue struct {
	text     *string              // of a text
	number   *string              // of a number
	elements []readyValue         // of a list
	fields   *readyFields         // of a map
	shared   types.AttributeValue // everything else: true and false, which items can share
}

// takeApart makes an item ready.
func takeApart(item access.Item) *readyItem {
	r := &readyItem{}
	r.fields = r.fieldsOf(item)
	return r
}

func (r *readyItem) fieldsOf(item access.Item) readyFields {
	names := slices.Sorted(maps.Keys(item))
	fields := readyFields{names: names}
	for _, name := range names {
		fields.values = append(fields.values, r.valueOf(item[name]))
	}
	return fields
}

func (r *readyItem) valueOf(v types.AttributeValue) readyValue {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		r.texts++
		return readyValue{text: &v.Value}
	case *types.AttributeValueMemberN:
		r.numbers++
		return readyValue{number: &v.Value}
	case *types.AttributeValueMemberL:
		r.lists++
		elements := make([]readyValue, len(v.Value))
		for i, element := range v.Value {
			elements[i] = r.valueOf(element)
		}
		return readyValue{elements: elements}
	case *types.AttributeValueMemberM:
		r.structs++
		return readyValue{fields: new(r.fieldsOf(v.Value))}
	}
	return readyValue{shared: v}
}

// build makes the item, with one piece of memory for all values of a kind.
func (r *readyItem) build() (access.Item, error) {
	memory := marshal.Members{
		S: make([]types.AttributeValueMemberS, 0, r.texts), N: make([]types.AttributeValueMemberN, 0, r.numbers),
		L: make([]types.AttributeValueMemberL, 0, r.lists), M: make([]types.AttributeValueMemberM, 0, r.structs),
	}
	return buildFields(&memory, &r.fields), nil
}

func buildFields(memory *marshal.Members, from *readyFields) access.Item {
	item := make(access.Item, len(from.names))
	for i, name := range from.names {
		item[name] = buildValue(memory, &from.values[i])
	}
	return item
}

func buildValue(memory *marshal.Members, from *readyValue) types.AttributeValue {
	switch {
	case from.text != nil:
		memory.S = append(memory.S, types.AttributeValueMemberS{Value: *from.text})
		return &memory.S[len(memory.S)-1]
	case from.number != nil:
		memory.N = append(memory.N, types.AttributeValueMemberN{Value: *from.number})
		return &memory.N[len(memory.N)-1]
	case from.elements != nil:
		elements := make([]types.AttributeValue, len(from.elements))
		for i := range elements {
			elements[i] = buildValue(memory, &from.elements[i])
		}
		memory.L = append(memory.L, types.AttributeValueMemberL{Value: elements})
		return &memory.L[len(memory.L)-1]
	case from.fields != nil:
		memory.M = append(memory.M, types.AttributeValueMemberM{Value: buildFields(memory, from.fields)})
		return &memory.M[len(memory.M)-1]
	}
	return from.shared
}
