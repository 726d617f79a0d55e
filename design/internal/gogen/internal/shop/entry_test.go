package shop_test

import (
	"maps"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestEntriesOfMapsAreChangedOneByOne(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	poll := must[shopdb.Poll](t)(db.AskPoll(ctx, shopdb.Poll{Question: "why?"})) // a nil map is stored empty
	key := poll.Key()
	vote := func(option string, count int64) (shopdb.Poll, error) {
		return db.VoteInPoll(ctx, key, shopdb.VoteInPollParams{Option: option, Count: count})
	}
	// Keys are data: what has a meaning in expressions has none here.
	for _, option := range []string{"a.b[0]", "#x :y, REMOVE z", "a.b[0]"} {
		poll = must[shopdb.Poll](t)(vote(option, 2))
	}
	if want := map[string]int64{"a.b[0]": 4, "#x :y, REMOVE z": 2}; !maps.Equal(poll.Votes, want) {
		t.Errorf("got %v, want %v", poll.Votes, want)
	}
	_ = must[shopdb.Poll](t)(vote("third", 1))
	_, err := vote("fourth", 1) // the map has at most 3 entries
	as[*access.ConditionError[shopdb.Poll]](t, err)
	if poll = must[shopdb.Poll](t)(vote("third", -3)); poll.Votes["third"] != -2 {
		t.Errorf("an entry of a full map is %d", poll.Votes["third"])
	}
	_, err = vote("", 1)
	as[*access.ValueError](t, err)
}

func TestConditionsCompareEntriesOfMaps(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	key := must[shopdb.Poll](t)(db.AskPoll(ctx, shopdb.Poll{Question: "why?"})).Key()
	answer := func(text string) error {
		_, err := db.AnswerPoll(ctx, key, shopdb.AnswerPollParams{Who: "Ada", Text: text})
		return err
	}
	correct := func(old, text string) error {
		_, err := db.CorrectAnswer(ctx, key, shopdb.CorrectAnswerParams{Who: "Ada", Old: old, Text: text})
		return err
	}
	as[*access.ConditionError[shopdb.Poll]](t, correct("", "because"))
	is(t, answer("because"), nil)
	as[*access.ConditionError[shopdb.Poll]](t, answer("again"))
	as[*access.ConditionError[shopdb.Poll]](t, correct("why not", "so"))
	is(t, correct("because", "so"), nil)
	if poll := must[shopdb.Poll](t)(db.GetPoll(ctx, "why?")); poll.Answers["Ada"] != "so" {
		t.Errorf("got %v", poll.Answers)
	}
	for range 2 { // an entry that is gone may be removed again
		poll := must[shopdb.Poll](t)(db.DropAnswer(ctx, key, shopdb.DropAnswerParams{Who: "Ada"}))
		if len(poll.Answers) != 0 {
			t.Errorf("got %v", poll.Answers)
		}
	}
}
