package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// kilobyteItem returns the JSON of an item of about 1 KB with ten attributes, sorted by
// name or not.
func kilobyteItem(sorted bool, i int) string {
	attributes := []string{
		fmt.Sprintf(`"pk":{"S":"customer#%08d"}`, i),
		`"sk":{"S":"order#2026-10-09T12:34:56.789Z#01HV7Z9Q3W8K"}`,
		`"amount":{"N":"-122.0841"}`,
		`"created":{"N":"1760013296789"}`,
		`"description":{"S":"` + strings.Repeat("The quick brown fox jumps over the lazy dog. ", 8) + `"}`,
		`"active":{"BOOL":true}`,
		`"tags":{"SS":["blue","green","red"]}`,
		`"address":{"M":{"city":{"S":"Zürich"},"street":{"S":"Bahnhofstrasse 1"},"zip":{"N":"8001"}}}`,
		`"lines":{"L":[{"M":{"qty":{"N":"2"},"sku":{"S":"ABC-1"}}},{"M":{"qty":{"N":"1"},"sku":{"S":"DEF-2"}}}]}`,
		`"thumb":{"B":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}`,
	}
	if sorted {
		attributes = []string{attributes[5], attributes[7], attributes[2], attributes[3], attributes[4],
			attributes[8], attributes[0], attributes[1], attributes[6], attributes[9]}
	}
	return "{" + strings.Join(attributes, ",") + "}"
}

func putItemBody(sorted bool) []byte {
	return []byte(`{"TableName":"orders","Item":` + kilobyteItem(sorted, 1) + `}`)
}

var getItemBody = []byte(`{"TableName":"orders","Key":{"pk":{"S":"customer#00000001"},"sk":{"S":"order#2026-10-09T12:34:56.789Z#01HV7Z9Q3W8K"}},"ConsistentRead":true}`)

// readItem decodes a valid item.
func readItem(tb testing.TB, text string) dynamo.Item {
	tb.Helper()
	var s scanner
	s.start([]byte(text))
	raw := s.item()
	if err := s.finish(); err != nil || raw.Fault != nil {
		tb.Fatalf("read %s: %v, fault %v", text, err, raw.Fault)
	}
	return raw.Item
}

func BenchmarkReadPutItem(b *testing.B) {
	for _, sorted := range []bool{true, false} {
		body := putItemBody(sorted)
		b.Run(fmt.Sprintf("sorted=%t", sorted), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			var s scanner
			for b.Loop() {
				s.start(body)
				s.encoder.Grow(len(body))
				readPutItem(&s)
				if s.finish() != nil {
					b.Fatal(s.err)
				}
				s.release()
			}
		})
	}
	b.Run("encoding/json", func(b *testing.B) {
		body := putItemBody(true)
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			var in struct {
				TableName *string
				Item      map[string]jsonValue
			}
			if err := json.Unmarshal(body, &in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// jsonValue is an AttributeValue for encoding/json.
type jsonValue struct {
	S    *string              `json:",omitempty"`
	N    *string              `json:",omitempty"`
	B    []byte               `json:",omitempty"`
	SS   []string             `json:",omitempty"`
	NS   []string             `json:",omitempty"`
	BS   [][]byte             `json:",omitempty"`
	M    map[string]jsonValue `json:",omitempty"`
	L    []jsonValue          `json:",omitempty"`
	NULL *bool                `json:",omitempty"`
	BOOL *bool                `json:",omitempty"`
}

func hundredItems(tb testing.TB) *dynamo.QueryOutput {
	out := &dynamo.QueryOutput{Count: 100, ScannedCount: 100}
	for i := range 100 {
		out.Items = append(out.Items, readItem(tb, kilobyteItem(true, i)))
	}
	return out
}

func BenchmarkAppendPage(b *testing.B) {
	out := hundredItems(b)
	page := func(dst []byte) []byte {
		w := pageWriter{answer: append(dst, `{"Items":[`...)}
		return w.finish(dst, out)
	}
	answer := page(nil)
	b.Run("100 items", func(b *testing.B) {
		b.SetBytes(int64(len(answer)))
		b.ReportAllocs()
		for b.Loop() {
			answer = page(answer[:0])
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		var tree struct {
			Items []map[string]jsonValue
		}
		if err := json.Unmarshal(answer, &tree); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(answer)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(tree); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCall(b *testing.B) {
	item := readItem(b, kilobyteItem(true, 1))
	for _, test := range []struct {
		operation string
		body      []byte
		output    any
	}{
		{"GetItem", getItemBody, &dynamo.GetItemOutput{Item: item}},
		{"PutItem", putItemBody(true), &dynamo.PutItemOutput{}},
	} {
		b.Run(test.operation, func(b *testing.B) {
			h := NewHandler(&fake{output: test.output}, Options{})
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				var status int
				if dst, status = h.Call(context.Background(), test.operation, test.body, dst[:0]); status != http.StatusOK {
					b.Fatalf("%s", dst)
				}
			}
		})
	}
}

// BenchmarkHTTP compares a GetItem with a handler that does nothing, over one
// loopback connection per goroutine.
func BenchmarkHTTP(b *testing.B) {
	item := readItem(b, kilobyteItem(true, 1))
	h := NewHandler(&fake{output: &dynamo.GetItemOutput{Item: item}}, Options{})
	canned, _ := h.Call(context.Background(), "GetItem", getItemBody, nil)
	noop := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", json10)
		write(w, http.StatusOK, canned)
	})
	for _, test := range []struct {
		name    string
		handler http.Handler
	}{{"GetItem", h}, {"nothing", noop}} {
		b.Run(test.name, func(b *testing.B) {
			server := httptest.NewServer(test.handler)
			defer server.Close()
			client := server.Client()
			client.Transport.(*http.Transport).MaxIdleConnsPerHost = 64
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r, _ := http.NewRequest(http.MethodPost, server.URL, bytes.NewReader(getItemBody))
					r.Header.Set("X-Amz-Target", "DynamoDB_20120810.GetItem")
					r.Header.Set("Content-Type", json10)
					r.Header.Set("Accept-Encoding", "identity")
					answer, err := client.Do(r)
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
			})
		})
	}
}
