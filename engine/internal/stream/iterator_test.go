package stream

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

func TestForgedIterators(t *testing.T) {
	db := newDatabase(t)
	arn, other := db.createTable("birds", dynamo.ViewNewImage), db.createTable("cats", dynamo.ViewNewImage)
	good := db.iterator(arn, db.shardOf("birds", "owl"), request.TrimHorizon, "")
	forged := []string{
		"x", "||", arn, arn + "|1|", "|1|", strings.Replace(good, "|1|", "|2|", 1), strings.Replace(good, arn, other, 1),
		good[1:], good + "A", good[:len(good)-1], good + "\n", strings.Repeat("A", 2048),
	}
	for i := len(arn) + 3; i < len(good); i++ { // change one letter
		letter := byte('A')
		if good[i] == letter {
			letter = 'B'
		}
		forged = append(forged, good[:i]+string(letter)+good[i+1:])
	}
	for _, it := range forged {
		_, err := db.GetRecords(t.Context(), &request.GetRecords{Iterator: it, Limit: 1})
		if want := "ValidationException: Invalid ShardIterator"; err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", it, err, want)
		}
	}
}

// FuzzIterator sends any string as an iterator.
func FuzzIterator(f *testing.F) {
	db := newDatabase(f)
	arn := db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 5)
	for _, from := range []position{oldest, 1, 3, 1 << 63} {
		f.Add(iterator{stream: arn, log: 1, from: from, issued: noon}.String())
	}
	f.Add(iterator{stream: arn, log: 1, issued: time.UnixMilli(-1 << 63)}.String())
	f.Add(arn + "|1|AQAAAAEAAAAAAAAAAAAAAZvhAAAAAAAAAA")
	f.Add("|1|")
	f.Fuzz(func(t *testing.T, text string) {
		if it, ok := parseIterator(text); ok && it.String() != text {
			t.Errorf("%q was read as %q", text, it)
		}
		_, err := db.GetRecords(t.Context(), &request.GetRecords{Iterator: text, Limit: 10})
		var e *dynamo.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
