package call_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

func TestCursorsFitInAURLAndHideWhatIsSealed(t *testing.T) {
	notes := numbered("tenant", 5)
	for i := range notes {
		notes[i].SK = "somebody-" + notes[i].SK
	}
	api := openNotes(t, notes...)
	for name, c := range map[string]*access.Client{
		"readable": notesClient(api), "sealed": notesClient(api, access.WithCursorKey(make([]byte, 24))),
	} {
		list := call.List(c, notesOf("tenant"), decodeNote).PageSize(2)
		page, err := list.Page(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Trim(page.Next, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" || len(page.Next) > 80 {
			t.Errorf("%s: %q is not fit for a URL", name, page.Next)
		}
		text, err := base64.RawURLEncoding.DecodeString(page.Next)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "tenant") {
			t.Errorf("%s: repeats the partition, which the query has", name)
		}
		if shows := strings.Contains(string(text), "somebody"); shows != (name == "readable") {
			t.Errorf("%s: shows its key: %v", name, shows)
		}
		again, err := list.Page(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if same := again.Next == page.Next; same != (name == "readable") {
			t.Errorf("%s: two cursors for one place are the same: %v", name, same)
		}
	}
}

// Every cursor that differs in one character from a good one is refused.
func TestDamagedCursorsAreRefused(t *testing.T) {
	api := openNotes(t, append(numbered("A", 5), numbered("B", 5)...)...)
	for name, c := range map[string]*access.Client{
		"readable": notesClient(api), "sealed": notesClient(api, access.WithCursorKey(make([]byte, 24))),
	} {
		list := call.List(c, notesOf("A", "B"), decodeNote).PageSize(2)
		page, err := list.Page(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		damaged := []string{page.Next + "A", page.Next + "=", page.Next + "\n", page.Next[1:], page.Next + page.Next}
		for i := range page.Next {
			for _, other := range []string{"", "A", "_", "!"} {
				if other != page.Next[i:i+1] {
					damaged = append(damaged, page.Next[:i]+other+page.Next[i+1:])
				}
			}
		}
		for _, cursor := range damaged {
			if got, err := list.Page(t.Context(), cursor); cursor != "" && !errors.Is(err, access.ErrBadCursor) {
				t.Fatalf("%s: %q instead of %q: %v %v", name, cursor, page.Next, got, err)
			}
		}
	}
}

// A caller that knows the format of cursors cannot make one that no page has.
func TestMadeUpCursorsAreRefused(t *testing.T) {
	q := notesOf("A", "B")
	list := call.List(notesClient(openNotes(t, append(numbered("A", 5), numbered("B", 5)...)...)), q, decodeNote)
	behind, spelled := "\x05\x80S\x0202", "\x05S\x01AS\x0202"
	for name, test := range map[string]struct {
		places string
		good   bool
	}{
		"one begun":               {behind + "\x04", true},
		"one begun, spelled out":  {spelled + "\x04", true},
		"both begun":              {"\x09\x80S\x0202\x80S\x0201", true},
		"one ended":               {"\x06\x04", true},
		"none begun":              {"\x08", false},
		"all ended":               {"\x0a", false},
		"too few":                 {behind, false},
		"too many":                {behind + "\x08", false},
		"far too many":            {behind + "\xfc\xff\xff\xff\xff\xff\xff\xff\xff\x01", false},
		"an empty run":            {behind + "\x00\x04", false},
		"an unknown place":        {behind + "\x07", false},
		"an unknown own value":    {"\x05\x81S\x0202\x04", false},
		"a key cut short":         {"\x05\x80", false},
		"an empty value":          {"\x05\x80S\x00\x04", false},
		"not a number":            {"\x05\x80N\x01x\x04", false},
		"not a type":              {"\x05\x80X\x01x\x04", false},
		"not UTF-8":               {"\x05\x80S\x01\xff\x04", false},
		"longer than it is":       {"\x05\x80S\x7f02\x04", false},
		"longer than keys can be": {"\x05\x80S\x81\x10" + strings.Repeat("x", 2049) + "\x04", false},
		"of another partition":    {"\x05S\x01BS\x0202\x04", false},
		"of another type":         {"\x05\x80N\x0202\x04", false},
	} {
		_, err := list.Page(t.Context(), call.MakeUpCursor(notesClient(nil), q, []byte(test.places)))
		if test.good != (err == nil) || err != nil && !errors.Is(err, access.ErrBadCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMadeUpNumbersAreRefused has places behind numbers that no item can have.
func TestMadeUpNumbersAreRefused(t *testing.T) {
	q := notesOf("A")
	numeric := *notesByKey
	numeric.Table = "NotesN"
	q.Pattern = &numeric
	list := call.List(notesClient(openNotes(t)), q, decodeNote)
	for _, number := range []string{"1e126", "1e-131", "1e1000", "1" + strings.Repeat("0", 37) + "1", "NaN", "0x1", "1_0", "1e"} {
		places := "\x05\x80N" + string(rune(len(number))) + number
		if _, err := list.Page(t.Context(), call.MakeUpCursor(notesClient(nil), q, []byte(places))); !errors.Is(err, access.ErrBadCursor) {
			t.Errorf("%s: %v", number, err)
		}
	}
}

// FuzzCursor gives lists cursors of any kind: each is refused, or it is one of theirs.
func FuzzCursor(f *testing.F) {
	api := openNotes(f, append(numbered("A", 5), numbered("B", 5)...)...)
	var lists []access.List[note]
	var good []map[string]bool // of each list the texts of its pages
	for _, c := range []*access.Client{notesClient(api), notesClient(api, access.WithCursorKey(make([]byte, 16)))} {
		for _, q := range []call.Query{notesOf("A"), notesOf("A", "B")} {
			list := call.List(c, q, decodeNote).PageSize(2)
			lists, good = append(lists, list), append(good, map[string]bool{})
			for cursor, more := "", true; more; more = cursor != "" {
				page, err := list.Page(f.Context(), cursor)
				if err != nil {
					f.Fatal(err)
				}
				cursor = page.Next
				good[len(good)-1][fmt.Sprint(page.Items)] = true
				f.Add(cursor)
			}
		}
	}
	for _, seed := range []string{"A", "AQ", "Ag", "====", "AQAAAAAAAAAAAAAAAAAAAAAA", "\x00", "\n", "ü"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		for i, list := range lists {
			page, err := list.Page(t.Context(), cursor)
			if err == nil && !good[i][fmt.Sprint(page.Items)] {
				t.Errorf("took %q: %v", cursor, page)
			}
			if err != nil && !errors.Is(err, access.ErrBadCursor) {
				t.Error(err)
			}
		}
	})
}

// FuzzMadeUpCursor gives DynamoDB starting keys as somebody could make them up who knows
// how cursors are written: what comes back is of the partition that was asked for, and in
// order, or the cursor is refused.
func FuzzMadeUpCursor(f *testing.F) {
	notes := append(numbered("A", 5), numbered("B", 5)...)
	q := notesOf("A")
	list := call.List(notesClient(openNotes(f, notes...)), q, decodeNote)
	for _, places := range []string{
		"\x05\x80S\x0202", "\x05\x80S\x010", "\x05S\x01AS\x0202", "\x05S\x01BS\x0202", "\x05\x80N\x0202", "\x05B\x01AS\x0202", "\x05S\x00S\x0202",
		"\x04", "\x06", "\x07", "\x00", "", "\x05", "\x05\x80", "\x05\x81", "\x05\x80\x80", "\x05S", "\x05S\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01A", "\x05\x80S\x02\xff\xfe",
		"\x05\x80N\x011", "\x05\x80S\x8a\x10" + strings.Repeat("x", 2058),
	} {
		f.Add([]byte(places))
	}
	f.Fuzz(func(t *testing.T, places []byte) {
		page, err := list.Page(t.Context(), call.MakeUpCursor(notesClient(nil), q, places))
		if err != nil {
			if !errors.Is(err, access.ErrBadCursor) {
				t.Error(err)
			}
			return
		}
		want := notes[5-len(page.Items) : 5]
		if diff := cmp.Diff(want, page.Items, emptyIsNil); diff != "" {
			t.Error(diff)
		}
	})
}
