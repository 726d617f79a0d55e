package stream_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/stream"
)

// decodeVersion reads birds; other items are not of the entity.
func decodeVersion(item access.Item) (int, error) {
	id, v := birdOf(item)
	switch {
	case !strings.HasPrefix(id, "bird-"):
		return 0, marshal.Skip
	case v == 0:
		return 0, errTest
	}
	return v, nil
}

func TestDispatchCallsTheFunctionForTheKind(t *testing.T) {
	var heard string
	note := func(what string) func(context.Context, int) error {
		return func(_ context.Context, v int) error { heard = what + " " + strconv.Itoa(v); return nil }
	}
	all := stream.On[int]{
		Insert: note("insert"), Remove: note("remove"), Expired: note("expired"),
		Modify: func(_ context.Context, old, changed int) error {
			heard = "modify " + strconv.Itoa(old) + " to " + strconv.Itoa(changed)
			return nil
		},
	}
	without := all
	without.Expired = nil
	bird := func(v int) access.Item { return access.Item{"id": str(birdName(1)), "v": num(v)} }
	other := access.Item{"id": str("cat"), "v": num(1)}
	for _, test := range []struct {
		name   string
		record stream.Record
		on     stream.On[int]
		heard  string
		err    error
	}{
		{"insert", stream.Record{Kind: stream.Insert, New: bird(1)}, all, "insert 1", nil},
		{"modify", stream.Record{Kind: stream.Modify, Old: bird(1), New: bird(2)}, all, "modify 1 to 2", nil},
		{"remove", stream.Record{Kind: stream.Remove, Old: bird(2)}, all, "remove 2", nil},
		{"expired", stream.Record{Kind: stream.Remove, Old: bird(2), Expired: true}, all, "expired 2", nil},
		{"expired, nobody asks", stream.Record{Kind: stream.Remove, Old: bird(2), Expired: true}, without, "remove 2", nil},
		{"nobody asks", stream.Record{Kind: stream.Insert}, stream.On[int]{}, "", nil},
		{"nobody asks for changes", stream.Record{Kind: stream.Modify}, stream.On[int]{}, "", nil},
		{"another entity", stream.Record{Kind: stream.Insert, New: other}, all, "", nil},
		{"another entity changes", stream.Record{Kind: stream.Modify, Old: other, New: other}, all, "", nil},
		{"no new image", stream.Record{Kind: stream.Insert}, all, "", stream.ErrNoImage},
		{"no old image", stream.Record{Kind: stream.Modify, New: bird(2)}, all, "", stream.ErrNoImage},
		{"bad item", stream.Record{Kind: stream.Modify, Old: bird(1), New: bird(0)}, all, "", errTest},
	} {
		heard = ""
		err := stream.Dispatch(t.Context(), test.record, test.on, decodeVersion)
		if heard != test.heard || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("%s: heard %q, error %v; want %q, %v", test.name, heard, err, test.heard, test.err)
		}
	}
	if err := stream.Dispatch(t.Context(), stream.Record{Kind: "UNDO"}, all, decodeVersion); err == nil {
		t.Error("a record of an unknown kind is handled")
	}
	failing := stream.On[int]{Insert: func(context.Context, int) error { return errTest }}
	if err := stream.Dispatch(t.Context(), stream.Record{Kind: stream.Insert, New: bird(1)}, failing, decodeVersion); !errors.Is(err, errTest) {
		t.Errorf("the function's error comes back as %v", err)
	}
}

func TestRecordOfTakesAllTypesOver(t *testing.T) {
	in := map[string]streamtypes.AttributeValue{
		"s": &streamtypes.AttributeValueMemberS{Value: "x"}, "n": &streamtypes.AttributeValueMemberN{Value: "1"},
		"b": &streamtypes.AttributeValueMemberB{Value: []byte{1}}, "bool": &streamtypes.AttributeValueMemberBOOL{Value: true},
		"null": &streamtypes.AttributeValueMemberNULL{Value: true}, "ss": &streamtypes.AttributeValueMemberSS{Value: []string{"a"}},
		"ns": &streamtypes.AttributeValueMemberNS{Value: []string{"1"}}, "bs": &streamtypes.AttributeValueMemberBS{Value: [][]byte{{1}}},
		"l": &streamtypes.AttributeValueMemberL{Value: []streamtypes.AttributeValue{&streamtypes.AttributeValueMemberS{Value: "y"}}},
		"m": &streamtypes.AttributeValueMemberM{Value: map[string]streamtypes.AttributeValue{"k": &streamtypes.AttributeValueMemberN{Value: "2"}}},
	}
	want := access.Item{
		"s": str("x"), "n": num(1), "b": &types.AttributeValueMemberB{Value: []byte{1}}, "bool": &types.AttributeValueMemberBOOL{Value: true},
		"null": &types.AttributeValueMemberNULL{Value: true}, "ss": &types.AttributeValueMemberSS{Value: []string{"a"}},
		"ns": &types.AttributeValueMemberNS{Value: []string{"1"}}, "bs": &types.AttributeValueMemberBS{Value: [][]byte{{1}}},
		"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{str("y")}}, "m": &types.AttributeValueMemberM{Value: access.Item{"k": num(2)}},
	}
	got, err := stream.RecordOf("Birds", streamtypes.Record{
		EventName: streamtypes.OperationTypeModify, Dynamodb: &streamtypes.StreamRecord{SequenceNumber: new("7"), OldImage: in, NewImage: in},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stream.Record{Table: "Birds", Kind: stream.Modify, SequenceNumber: "7", Old: want, New: want}, got, sameValues); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, bad := range []streamtypes.Record{
		{},
		{Dynamodb: &streamtypes.StreamRecord{Keys: map[string]streamtypes.AttributeValue{"x": &streamtypes.UnknownUnionMember{Tag: "Q"}}}},
		{Dynamodb: &streamtypes.StreamRecord{Keys: map[string]streamtypes.AttributeValue{
			"x": &streamtypes.AttributeValueMemberL{Value: []streamtypes.AttributeValue{&streamtypes.UnknownUnionMember{Tag: "Q"}}},
		}}},
	} {
		if _, err := stream.RecordOf("Birds", bad); err == nil {
			t.Errorf("%+v is taken for a record", bad)
		}
	}
}
