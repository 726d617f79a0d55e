package stream

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// TestListStreams has a disabled stream, one that replaced it in the
// same millisecond, and one of a table that was deleted and created again.
func TestListStreams(t *testing.T) {
	db := newDatabase(t)
	db.createTable("birds", dynamo.ViewKeysOnly)
	db.switchStream("birds", "")
	db.switchStream("birds", dynamo.ViewNewImage)
	db.createTable("cats", dynamo.ViewKeysOnly)
	if _, err := db.catalog.DeleteTable(t.Context(), "cats"); err != nil {
		t.Fatal(err)
	}
	db.createTable("cats", dynamo.ViewKeysOnly)
	db.createTable("cats2", dynamo.ViewKeysOnly)
	arn := func(table string, ms int) string {
		return fmt.Sprintf("arn:aws:dynamodb:eu-west-1:111122223333:table/%s/stream/2026-11-01T12:00:00.%03d", table, ms)
	}
	for _, test := range []struct {
		table, after string
		limit        int
		want, last   string
	}{
		{"", "", 100, "birds.000 birds.001 cats.000 cats.001 cats2.000", ""},
		{"", "", 5, "birds.000 birds.001 cats.000 cats.001 cats2.000", ""},
		{"", "", 2, "birds.000 birds.001", arn("birds", 1)},
		{"", arn("birds", 1), 2, "cats.000 cats.001", arn("cats", 1)},
		{"", arn("cats", 1), 2, "cats2.000", ""},
		{"", arn("bird", 7), 1, "birds.000", arn("birds", 0)}, // a start that does not exist
		{"", arn("zebras", 0), 1, "", ""},
		{"cats", "", 100, "cats.000 cats.001", ""},
		{"cats", arn("birds", 0), 1, "cats.000", arn("cats", 0)},
		{"cats", arn("cats", 0), 1, "cats.001", ""},
		{"dogs", "", 100, "", ""},
	} {
		out, err := db.ListStreams(t.Context(), &request.ListStreams{Table: test.table, After: test.after, Limit: test.limit})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range out.Streams {
			if *s.StreamArn != "arn:aws:dynamodb:eu-west-1:111122223333:table/"+*s.TableName+"/stream/"+*s.StreamLabel {
				t.Errorf("%s is not the ARN of stream %s of table %s", *s.StreamArn, *s.StreamLabel, *s.TableName)
			}
			got = append(got, *s.TableName+strings.TrimPrefix(*s.StreamLabel, "2026-11-01T12:00:00"))
		}
		last := ""
		if out.LastEvaluatedStreamArn != nil {
			last = *out.LastEvaluatedStreamArn
		}
		if out.Streams == nil || strings.Join(got, " ") != test.want || last != test.last {
			t.Errorf("%d of %q after %q: %v, %q, want %s, %q", test.limit, test.table, test.after, got, last, test.want, test.last)
		}
	}
}
