package main

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/bench/internal/exams/examsdb"
)

// TestConversionsAgree has all ways encode and decode all entities: what they make
// is compared with the same items.
func TestConversionsAgree(t *testing.T) {
	systems, err := marshalSystems()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range systems {
		done := 0
		for _, w := range marshalWorkloads {
			if !s.can(w) {
				continue
			}
			done++
			c, err := s.caller(w, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.do(true); err != nil {
				t.Errorf("%s, %s: %v", s.name(), w.title, err)
			}
			if units := c.(bulkCaller).units(); units != marshalUnits {
				t.Errorf("%s, %s: %d units", s.name(), w.title, units)
			}
		}
		if want := map[string]int{generatedSystem: 9, reflectSystem: 9, readySystem: 3}[s.name()]; done != want {
			t.Errorf("%s: %d conversions, want %d", s.name(), done, want)
		}
		if _, err := s.caller(workload{id: "encode-huge"}, 1); err == nil {
			t.Errorf("%s encodes an entity that does not exist", s.name())
		}
	}
}

func TestConversionsAreLookedAt(t *testing.T) {
	right, err := newToken("right", 1).Item()
	if err != nil {
		t.Fatal(err)
	}
	c := &converter[access.Item, examsdb.RefreshToken]{
		convert: func(access.Item) (examsdb.RefreshToken, error) { return newToken("wrong", 1), nil },
		item:    examsdb.RefreshToken.Item, want: right,
	}
	for range marshalValues {
		c.from = append(c.from, right)
	}
	if err := c.do(false); err != nil {
		t.Errorf("nobody looked, but: %v", err)
	}
	if err := c.do(true); err == nil || !strings.Contains(err.Error(), "TOKEN#wrong") && !strings.Contains(err.Error(), "token_hash") && !strings.Contains(err.Error(), "GSI1SK") {
		t.Errorf("a wrong answer: %v", err)
	}
	fewer := func() (access.Item, error) { return access.Item{"SK": right["SK"]}, nil }
	if err := sameItem(func() (access.Item, error) { return right, nil }, fewer); err == nil || !strings.Contains(err.Error(), "13 attributes, want 1") {
		t.Errorf("an item with more attributes: %v", err)
	}
}

// TestEntitiesAreAsLargeAsTheirRowsSay counts the attributes without the keys.
func TestEntitiesAreAsLargeAsTheirRowsSay(t *testing.T) {
	for _, c := range []struct {
		name       string
		encode     func() (access.Item, error)
		attributes int
		keys       int
	}{
		{"RefreshToken", newToken("hash", 1).Item, 8, 5},
		{"AnswerSelection", newAnswer("a", "q", 1).Item, 11, 3},
		{"Item", newOffer(1).Item, 27, 7},
	} {
		item, err := c.encode()
		if err != nil {
			t.Fatal(err)
		}
		if len(item) != c.attributes+c.keys {
			t.Errorf("%s has %d attributes, want %d and %d keys", c.name, len(item), c.attributes, c.keys)
		}
	}
}

// TestReadyItemsAreMadeAnew makes sure that the floor does the work it stands for: two
// items of it share no map and no value but true and false.
func TestReadyItemsAreMadeAnew(t *testing.T) {
	item, err := newOffer(1).Item()
	if err != nil {
		t.Fatal(err)
	}
	ready := takeApart(item)
	first, _ := ready.build()
	second, _ := ready.build()
	for name, v := range first {
		if v == second[name] {
			t.Errorf("%s is shared", name)
		}
	}
	photo := func(item access.Item) access.Item {
		return item["photos"].(*types.AttributeValueMemberL).Value[0].(*types.AttributeValueMemberM).Value
	}
	photo(first)["url"] = stringValue("another")
	if err := sameItem(ready.build, func() (access.Item, error) { return second, nil }); err != nil {
		t.Errorf("after one was changed: %v", err)
	}
	if err := sameItem(ready.build, func() (access.Item, error) { return item, nil }); err != nil {
		t.Errorf("it is another item: %v", err)
	}
}

// TestRoundTripsStopAtErrors makes sure that what cannot be encoded is not decoded.
func TestRoundTripsStopAtErrors(t *testing.T) {
	round := through(examsdb.RefreshToken.Item, examsdb.RefreshTokenFromItem)
	if _, err := round(examsdb.RefreshToken{}); err == nil {
		t.Error("an empty token was encoded")
	}
}
