package marshal_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func TestElementsOfEveryType(t *testing.T) {
	at := time.Date(2026, 2, 17, 10, 30, 5, 0, time.UTC)
	for name, check := range map[string]func(good, bad types.AttributeValue) error{
		"unix":  element(marshal.AsUnix, marshal.Unix(at), at),
		"time":  element(marshal.AsTime, marshal.Time(at), at),
		"date":  element(marshal.AsDate, marshal.S("2026-02-17"), "2026-02-17"),
		"week":  element(marshal.AsWeek, marshal.S("2026-W07"), "2026-W07"),
		"json":  element(marshal.AsJSON, marshal.S(`{}`), json.RawMessage(`{}`)),
		"bool":  element(marshal.AsBool, marshal.Bool(true), true),
		"bytes": element(marshal.AsBytes, marshal.B([]byte("x")), []byte("x")),
		"enum":  element(marshal.AsText[shade], marshal.S("DARK"), dark),
		"float": element(marshal.AsFloat, marshal.F(0.5), 0.5),
	} {
		if err := check(nil, marshal.Strings(nil)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// element checks a function for elements with a value of its kind, one of another kind,
// and none.
func element[T any](read func(types.AttributeValue) (T, error), good types.AttributeValue, want T) func(_, bad types.AttributeValue) error {
	return func(none, bad types.AttributeValue) error {
		got, err := read(good)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			return errors.Join(err, errors.New(diff))
		}
		for _, v := range []types.AttributeValue{none, bad} {
			var wrong *access.DecodeError
			if _, err := read(v); !errors.As(err, &wrong) {
				return errors.Join(errors.New("a value of another kind was read"), err)
			}
		}
		return nil
	}
}

// Functions a program brings along may fail in their own way; their error is kept.
func TestErrorsOfOtherReadersAreKept(t *testing.T) {
	full := errors.New("the moon is full")
	read := func(types.AttributeValue) (int, error) { return 0, full }
	item := access.Item{
		"one": marshal.S("x"), "list": marshal.TextList([]string{"x"}),
		"map": marshal.M(access.Item{"k": marshal.S("x")}), "set": marshal.Strings([]string{"x"}),
	}
	for want, decode := range map[string]func(*marshal.Decoder){
		"access: reading one of a stored E: the moon is full":                   func(d *marshal.Decoder) { marshal.DecodeOne(d, "one", read) },
		"access: reading list of a stored E: [0]: the moon is full":             func(d *marshal.Decoder) { marshal.DecodeList(d, "list", read) },
		"access: reading map of a stored E: k: the moon is full":                func(d *marshal.Decoder) { marshal.DecodeMap(d, "map", read) },
		"access: set of a stored E cannot be read: it has a member that is bad": func(d *marshal.Decoder) { marshal.DecodeSet(d, "set", isBad) },
	} {
		d := marshal.Decode("E", item)
		decode(&d)
		d.Refuse("later", "is late") // the first error sticks
		if d.Err() == nil || d.Err().Error() != want {
			t.Errorf("got  %v\nwant %s", d.Err(), want)
		}
	}
}

func isBad(string) (int, error) { return 0, errors.New("is bad") }

func TestListsInsideLists(t *testing.T) {
	rows := func(v types.AttributeValue) ([]int64, error) {
		d := marshal.Decode("", access.Item{"row": v})
		row := d.IntList("row")
		return row, d.Err()
	}
	item := access.Item{"table": marshal.ListOf([][]int64{{1, 2}, {3}}, marshal.IntList)}
	d := marshal.Decode("E", item)
	if got := marshal.DecodeList(&d, "table", rows); !cmp.Equal(got, [][]int64{{1, 2}, {3}}) || d.Err() != nil {
		t.Error(got, d.Err())
	}
}

func TestTextFormsRead(t *testing.T) {
	if b, err := marshal.ParseBool("true"); !b || err != nil {
		t.Error(b, err)
	}
	if b, err := marshal.ParseBool("false"); b || err != nil {
		t.Error(b, err)
	}
	for _, text := range []string{"", "TRUE", "1"} {
		if b, err := marshal.ParseBool(text); err == nil {
			t.Errorf("%q is %v", text, b)
		}
	}
	if at, err := marshal.ParseUnix("x"); err == nil {
		t.Errorf("x is %v", at)
	}
}
