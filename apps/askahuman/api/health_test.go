package api_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/api"
)

// fullDB takes nothing more while it is full.
type fullDB struct {
	apps.DynamoDB
	full *atomic.Bool
	puts *atomic.Int64
}

func (f fullDB) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	f.puts.Add(1)
	if f.full.Load() {
		return nil, errors.New("no space left on device")
	}
	return f.DynamoDB.PutItem(ctx, in, o...)
}

// TestReadOnlyDatabaseIsUnhealthy: reading it is not enough. What a write has shown
// holds for a while, so that frequent checks do not write often.
func TestReadOnlyDatabaseIsUnhealthy(t *testing.T) {
	world := open(t)
	db := fullDB{world.Database.DynamoDB, new(atomic.Bool), new(atomic.Int64)}
	s := serveOn(t, world.World, world.Through(t, db).Domain, func(*api.Options) {})
	look := call{method: "GET", path: "/health"}
	for range 3 {
		s.must(t, http.StatusOK, look)
	}
	if n := db.puts.Load(); n != 1 {
		t.Errorf("three looks made %d writes, want 1", n)
	}
	db.full.Store(true)
	s.Clock.Advance(10 * time.Second)
	for range 2 {
		a := s.refused(t, http.StatusServiceUnavailable, "UNAVAILABLE", look)
		if !strings.Contains(a.str("error", "message"), "nothing can be written") || strings.Contains(a.text, "space") {
			t.Errorf("it says %s", a.text)
		}
	}
	db.full.Store(false)
	s.Clock.Advance(10 * time.Second)
	s.must(t, http.StatusOK, look)
	if n := db.puts.Load(); n != 3 {
		t.Errorf("%d writes in half a minute, want 3", n)
	}
}
