package marshal_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

type size string

func sizes() []size        { return []size{"small", "large"} }
func (s size) Valid() bool { return slices.Contains(sizes(), s) }

var sameValues = cmpopts.IgnoreUnexported(types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberL{}, types.AttributeValueMemberBOOL{})

func TestOptionalAttributesAreStoredUnlessNil(t *testing.T) {
	at := time.Date(2026, 2, 17, 10, 30, 5, 0, time.UTC)
	e := marshal.Encode("Attempt")
	item := access.Item{}
	put := func(set bool) {
		e.OptS(item, "s", only(set, "text"))
		e.OptInt(item, "i", only(set, int64(7)))
		e.OptFloat(item, "f", only(set, 0.5))
		e.OptDecimal(item, "d", only(set, access.Decimal("1.50")))
		e.OptBool(item, "b", only(set, true))
		e.OptTime(item, "t", only(set, at))
		e.OptUnix(item, "u", only(set, at))
		e.OptDate(item, "day", only(set, access.Date("2026-02-17")))
		e.OptWeek(item, "week", only(set, access.Week("2026-W07")))
		marshal.OptEnum(&e, item, "size", only(set, size("large")), sizes)
		if set {
			e.OptTexts(item, "list", []string{"a"})
		} else {
			e.OptTexts(item, "list", nil)
		}
	}
	put(false)
	if len(item) != 0 {
		t.Errorf("nil is stored as %v", item)
	}
	put(true)
	want := access.Item{
		"s": marshal.S("text"), "i": marshal.N(7), "f": marshal.F(0.5), "d": marshal.Dec("1.5"), "b": marshal.Bool(true),
		"t": marshal.Time(at), "u": marshal.Unix(at), "day": marshal.S("2026-02-17"), "week": marshal.S("2026-W07"),
		"size": marshal.S("large"), "list": marshal.TextList([]string{"a"}),
	}
	if diff := cmp.Diff(want, item, sameValues); diff != "" || e.Err() != nil {
		t.Error(diff, e.Err())
	}
}

func only[T any](set bool, v T) *T {
	if !set {
		return nil
	}
	return &v
}

func TestUnknownValuesOfEnumsAreRefused(t *testing.T) {
	e := marshal.Encode("Attempt")
	marshal.EnumText(&e, "size", size("huge"), sizes)
	if got, want := e.Err().Error(), "access: size of Attempt cannot be stored: it is not one of small, large"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEmptyKeysAreRefused(t *testing.T) {
	e := marshal.Encode("Attempt")
	e.NotEmpty("id", "x")
	if item, err := e.Done(access.Item{}); item == nil || err != nil {
		t.Errorf("a key that is not empty: %v", err)
	}
	e.NotEmpty("id", "")
	e.NotEmpty("other", "") // the first error sticks
	var wrong *access.KeyError
	if item, err := e.Done(access.Item{}); item != nil || !errors.As(err, &wrong) || wrong.Attribute != "id" {
		t.Errorf("an empty key: %v, %v", item, err)
	}
}

func TestStoredTimesHaveTheirPrecision(t *testing.T) {
	at := time.Date(2026, 2, 17, 10, 30, 5, 123456789, time.FixedZone("x", 3600))
	if got := *marshal.OptStored(&at, marshal.StoredTime); !got.Equal(at.Truncate(time.Millisecond)) || got.Location() != time.UTC {
		t.Errorf("a timestamp is stored as %v", got)
	}
	if got := marshal.StoredUnix(at); !got.Equal(at.Truncate(time.Second)) {
		t.Errorf("a unixtime is stored as %v", got)
	}
	if marshal.OptStored(nil, marshal.StoredTime) != nil {
		t.Error("nil is stored")
	}
}
