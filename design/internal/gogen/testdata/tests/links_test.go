package tests

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"generated.test/linksdb"
	"generated.test/linksdb/linksdbtest"

	"sortkey.dev/access"
)

// Texts of users may contain the delimiter of keys. Queries find exactly the texts that a
// comparison of the texts themselves finds.
func TestTextsContainTheDelimiter(t *testing.T) {
	ctx, db := t.Context(), linksdbtest.New(t)
	for _, url := range []string{"https://example.org/#top", "https://example.org/", "#", "a##b"} {
		if _, err := db.Save(ctx, linksdb.Link{URL: url, Owner: "o", Tag: "c#"}); err != nil {
			t.Fatal(err)
		}
		if link, err := db.GetLink(ctx, url); err != nil || link.URL != url {
			t.Errorf("%s: got %+v, %v", url, link, err)
		}
	}
	words := []string{"c#", "c", "c##", `c"`, `c"1`, `c"2`, "c!", "c d", "d#e", "#", `"`, "~"}
	for _, word := range words {
		if _, err := db.Tag(ctx, linksdb.Tagged{Tag: "C#", Word: word, Owner: "o#1"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range words {
		wantWords(t, words, "from "+from, db.Words("c#", from, "~"), func(word string) bool { return inKey(word) >= inKey(from) })
		wantWords(t, words, "before "+from, db.Before("c#", from), func(word string) bool { return inKey(word) < inKey(from) })
		wantWords(t, words, "beginning with "+from, db.Beginning("c#", from), func(word string) bool { return strings.HasPrefix(word, from) })
	}
	mine, err := db.Mine("o#1").Slice(ctx)
	if err != nil || len(mine) != len(words) {
		t.Fatalf("%d words, %v", len(mine), err)
	}
	for _, row := range mine {
		if !slices.Contains(words, row.Word) || row.Tag != "C#" {
			t.Errorf("read back %+v", row)
		}
	}
	moved, err := db.Moved("o#1", "c#", "C#").Slice(ctx)
	if err != nil || len(moved) != 1 || moved[0].Word != "c#" {
		t.Errorf("got %v, %v", moved, err)
	}
	var refused *access.KeyError
	if _, err := db.Tag(ctx, linksdb.Tagged{Tag: "c#", Word: "", Owner: "o"}); !errors.As(err, &refused) || refused.Attribute != "word" {
		t.Errorf("an empty word: %v", err)
	}
}

// inKey returns the text by which a word sorts before a delimiter.
func inKey(word string) string {
	return strings.NewReplacer(`"`, `"1`, "#", `"2`).Replace(word) + "#"
}

func wantWords(t *testing.T, words []string, what string, list access.List[linksdb.Tagged], match func(string) bool) {
	t.Helper()
	var want, got []string
	for _, word := range words {
		if match(word) {
			want = append(want, word)
		}
	}
	all, err := list.Slice(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, tagged := range all {
		got = append(got, tagged.Word)
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}
