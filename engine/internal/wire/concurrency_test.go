package wire

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// An echo returns the item of a PutItem.
type echo struct{ fake }

func (*echo) PutItem(_ context.Context, in *dynamo.PutItemInput) (*dynamo.PutItemOutput, error) {
	return &dynamo.PutItemOutput{Attributes: in.Item.Item}, nil
}

// Concurrent requests share pools, and nothing else.
func TestRequestsAtTheSameTime(t *testing.T) {
	h := NewHandler(&echo{}, Options{})
	var running sync.WaitGroup
	for worker := range 8 {
		running.Go(func() {
			for i := range 100 {
				text := strings.Repeat(fmt.Sprintf("%d\\n%d ", worker, i), 1+i*(worker+1))
				item := fmt.Sprintf(`{"a":{"B":"%016d"},"b":{"S":"%s"}}`, i, text)
				answer, status := h.Call(context.Background(), "PutItem", []byte(`{"Item":`+item+`}`), nil)
				if want := `{"Attributes":` + item + `}`; status != http.StatusOK || string(answer) != want {
					t.Errorf("worker %d, request %d: status %d, answer\n%.100s, want\n%.100s", worker, i, status, answer, want)
					return
				}
			}
		})
	}
	running.Wait()
}
