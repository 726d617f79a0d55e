package rowformat

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func oneAttribute(t testing.TB, name, value string) dynamo.Item {
	t.Helper()
	var e dynamo.Encoder
	e.OpenItem()
	e.Name(name)
	e.String(value)
	item, err := e.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	return item
}

var moment = time.UnixMilli(1_790_000_000_123)

func TestChangesRoundTrip(t *testing.T) {
	keys, before, after := oneAttribute(t, "pk", "x"), oneAttribute(t, "v", "1"), oneAttribute(t, "v", "2")
	for _, want := range []Change{
		{Kind: Insert, Time: moment, Keys: keys, New: after},
		{Kind: Modify, Time: moment, Keys: keys, New: after, Old: before},
		{Kind: Modify, Time: moment, Keys: keys},
		{Kind: Remove, Time: moment, Keys: keys, Old: before, ByService: true},
		{Kind: ShardEnd, Time: moment, Keys: dynamo.Item{}},
	} {
		got, err := ParseChange(AppendChange(nil, &want))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-stored +read):\n%s", diff)
		}
	}
}

// TestGoldenLogAndNotes pins the formats that TestGoldenBytes does not pin.
func TestGoldenLogAndNotes(t *testing.T) {
	item := oneAttribute(t, "pk", "x")
	row := AppendPartition(nil, Path{Table: 1}, []dynamo.Value{str("x")})
	token := Token{Done: moment, Sizes: []int{3, 300}}
	token.Fingerprint[0] = 0xAB
	for what, pair := range map[string][2]string{
		"change": {fmt.Sprintf("%x", AppendChange(nil, &Change{Kind: Remove, ByService: true, Time: moment, Keys: item, Old: item})),
			"01" + "03" + "05" + "000001a0c4506c7b" + "0a" + "0100000002706b010178" + "0a" + "0100000002706b010178"},
		"expiry":    {fmt.Sprintf("%x", AppendExpiry(nil, Path{Table: 1, Index: 3}, 0x1234, row)), "02000000010003" + "0000000000001234" + fmt.Sprintf("%x", row[7:])},
		"token key": {fmt.Sprintf("%x", TokenKey(0x2d4a5b, "ab")), "03002d4a5b6162"},
		"token":     {fmt.Sprintf("%x", AppendToken(nil, &token)), "01" + "000001a0c4506c7b" + "ab" + fmt.Sprintf("%062d", 0) + "03" + "ac02"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %s,\nwant %s", what, pair[0], pair[1])
		}
	}
	if got := ExpiringItem(1, AppendExpiry(nil, Path{Table: 1, Index: 3}, 0x1234, row)); string(got) != string(row) {
		t.Errorf("the expiry row refers to the row %x, want %x", got, row)
	}
}

func FuzzParseChange(f *testing.F) {
	item := oneAttribute(f, "pk", "x")
	f.Add(AppendChange(nil, &Change{Kind: Modify, Time: moment, Keys: item, New: item, Old: item}))
	f.Add([]byte{1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{1, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseChange(b)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("%v is not ErrCorrupt", err)
			}
			return
		}
		again, err := ParseChange(AppendChange(nil, &c))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Error(diff)
		}
	})
}

func FuzzParseToken(f *testing.F) {
	f.Add(AppendToken(nil, &Token{Done: moment, Sizes: []int{1, 500, 409600}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		token, err := ParseToken(b)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("%v is not ErrCorrupt", err)
			}
			return
		}
		again, err := ParseToken(AppendToken(nil, &token))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(token, again); diff != "" {
			t.Error(diff)
		}
	})
}
