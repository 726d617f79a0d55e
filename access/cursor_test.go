package access_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
)

func TestCursorsFitInAURLAndHideWhatIsSealed(t *testing.T) {
	api := openNotes(t, numbered("tenant-of-somebody", 5)...)
	for name, c := range map[string]*access.Client{
		"readable": notesClient(api), "sealed": notesClient(api, access.WithCursorKey(make([]byte, 24))),
	} {
		list := access.NewList(c, notesOf("tenant-of-somebody"), decodeNote).PageSize(2)
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
		list := access.NewList(c, notesOf("A", "B"), decodeNote).PageSize(2)
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

// Whoever knows how cursors are written still has those refused that no page has.
func TestMadeUpCursorsAreRefused(t *testing.T) {
	q := notesOf("A", "B")
	list := access.NewList(notesClient(openNotes(t, append(numbered("A", 5), numbered("B", 5)...)...)), q, decodeNote)
	behind := "\x01S\x01AS\x0202"
	for name, test := range map[string]struct {
		places string
		good   bool
	}{
		"one begun":               {behind + "\x00", true},
		"one ended":               {"\x02\x00", true},
		"none begun":              {"\x00\x00", false},
		"all ended":               {"\x02\x02", false},
		"too few":                 {behind, false},
		"too many":                {behind + "\x00\x00", false},
		"an unknown place":        {behind + "\x03", false},
		"an empty value":          {"\x01S\x01AS\x00\x00", false},
		"not a number":            {"\x01S\x01AN\x01x\x00", false},
		"not a type":              {"\x01S\x01AX\x01x\x00", false},
		"not UTF-8":               {"\x01S\x01AS\x01\xff\x00", false},
		"longer than it is":       {"\x01S\x01AS\x7f02\x00", false},
		"longer than keys can be": {"\x01S\x01AS\x81\x10" + strings.Repeat("x", 2049) + "\x00", false},
		"of another partition":    {"\x01S\x01BS\x0202\x00", false},
		"of another type":         {"\x01S\x01AN\x0202\x00", false},
	} {
		_, err := list.Page(t.Context(), access.MakeUpCursor(notesClient(nil), q, []byte(test.places)))
		if test.good != (err == nil) || err != nil && !errors.Is(err, access.ErrBadCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzCursor gives lists cursors of any kind: each is refused, or it is one of theirs.
func FuzzCursor(f *testing.F) {
	api := openNotes(f, append(numbered("A", 5), numbered("B", 5)...)...)
	var lists []access.List[note]
	var good []map[string]bool // of each list the texts of its pages
	for _, c := range []*access.Client{notesClient(api), notesClient(api, access.WithCursorKey(make([]byte, 16)))} {
		for _, q := range []access.Query{notesOf("A"), notesOf("A", "B")} {
			list := access.NewList(c, q, decodeNote).PageSize(2)
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
	list := access.NewList(notesClient(openNotes(f, notes...)), q, decodeNote)
	for _, places := range []string{
		"\x01S\x01AS\x0202", "\x01S\x01AS\x010", "\x01S\x01BS\x0202", "\x01S\x01AN\x0202", "\x01B\x01AS\x0202", "\x01S\x00S\x0202",
		"\x00", "\x02", "\x03", "", "\x01", "\x01S", "\x01S\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01A", "\x01S\x01AS\x02\xff\xfe",
		"\x01S\x01AN\x011", "\x01S\x01AS\x8a\x10" + strings.Repeat("x", 2058),
	} {
		f.Add([]byte(places))
	}
	f.Fuzz(func(t *testing.T, places []byte) {
		page, err := list.Page(t.Context(), access.MakeUpCursor(notesClient(nil), q, places))
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
