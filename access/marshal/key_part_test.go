package marshal_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func TestTextAt(t *testing.T) {
	item := access.Item{"s": marshal.S("text"), "n": marshal.N(1)}
	for name, want := range map[string]string{"s": "text", "n": "", "missing": ""} {
		if got := marshal.TextAt(item, name); got != want {
			t.Errorf("the text of %s is %q, want %q", name, got, want)
		}
	}
}

func TestIsShard(t *testing.T) {
	for key, want := range map[string]bool{
		"POLL#7#votes#0": true, "POLL#7#votes#12": true, "votes#votes#3": true,
		"POLL#7#votes#": false, "POLL#7#votes#x": false, "POLL#7#votes#1x": false, "POLL#7": false,
	} {
		if got := marshal.IsShard(key, "votes#"); got != want {
			t.Errorf("%s: %t, want %t", key, got, want)
		}
	}
}

func TestKeyTimeOfID(t *testing.T) {
	at := time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC)
	if got := marshal.KeyTimeOfID(access.NewULID(at)); !got.Equal(at) {
		t.Errorf("the time is %v, want %v", got, at)
	}
	var k marshal.KeyText
	if k.Of("Attempt").Time("id", marshal.KeyTimeOfID("no id")).Sort(); k.Err() == nil {
		t.Error("a key takes the time of a text that is no id")
	}
}

func TestTextFieldsOf(t *testing.T) {
	got := marshal.TextFieldsOf(map[string]int{"a": 1, "b": 22}, strconv.Itoa)
	for name, want := range map[string]string{"a": "1", "b": "22"} {
		if s, ok := got[name].(*types.AttributeValueMemberS); !ok || s.Value != want {
			t.Errorf("%s is %v, want %s", name, got[name], want)
		}
	}
	if len(got) != 2 {
		t.Errorf("there are %d entries", len(got))
	}
}
