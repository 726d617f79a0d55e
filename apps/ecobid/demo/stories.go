package demo

import (
	"context"
	"time"

	"sortkey.dev/apps/ecobid/client"
)

// A story is something that has happened when a visitor comes, told once on a kept database.
type story struct {
	name string
	tell func(ctx context.Context) error
}

// The numbers of the neighbours of the stories. The visitor plays the first one.
const ania, gosia, iga = 0, 6, 8

// A gift is a thing that was handed over before the visitor came.
type gift struct {
	thing
	giver, taker int
}

var gifts = []gift{
	{thing{"Coffee table", "Round, with a shelf below.", "furniture", "first_come", 14_000, 0}, ania, 3},
	{thing{"Rain boots, 30", "Red, with frogs.", "kids", "first_come", 800, 0}, ania, 5},
	{thing{"Novels in English", "A full box.", "books", "first_come", 9_000, 0}, gosia, ania},
	{thing{"Kettle", "Switches off by itself.", "home", "first_come", 1_100, 0}, 2, 7},
	{thing{"Desk with a drawer", "Solid. Two people can carry it.", "furniture", "first_come", 28_000, 0}, 4, 8},
	{thing{"Football", "Holds its air.", "sports", "first_come", 500, 0}, 9, 1},
	{thing{"Printer", "With half a cartridge.", "electronics", "first_come", 5_500, 0}, 10, 2},
}

// stories returns what has happened: things that were handed over, a pickup of the visitor, one at the visitor's
// door, and a request that waits for the visitor's answer.
func (t *town) stories() []story {
	all := []story{
		{"a lamp for the visitor", func(ctx context.Context) error {
			return t.arrange(ctx, 3, ania, "Could I come tonight after six?", "Sure. Second floor, the lift works.", []string{"Shall I bring a bulb?", "No need, it has one."})
		}},
		{"a table from the visitor", func(ctx context.Context) error {
			return t.arrange(ctx, 0, gosia, "We are moving in on Saturday and have no table yet.", "It comes apart. Bring two hands.", []string{"We are three, and have a car.", "Perfect. Ring at the door."})
		}},
		{"a request to the visitor", func(ctx context.Context) error {
			return t.arrange(ctx, 12, iga, "Saturday morning? I can measure it first.", "", nil)
		}},
	}
	for i, g := range gifts {
		all = append(all, story{"gift of " + g.title, func(ctx context.Context) error { return t.handedOver(ctx, g, uint64(100+i)) }})
	}
	return all
}

// arrange lets a neighbour ask for the thing of a number. With a reply, its giver confirms, and both write messages,
// the taker first.
func (t *town) arrange(ctx context.Context, number, asking int, question, reply string, messages []string) error {
	giver, err := t.neighbour(ctx, number)
	if err != nil {
		return err
	}
	taker, err := t.neighbour(ctx, asking)
	if err != nil {
		return err
	}
	item, err := t.own(ctx, giver, things[number], uint64(number))
	if err != nil || item.Stage != "available" {
		return err // told in an earlier run
	}
	r, err := taker.Reserve(ctx, item.ID, question, "")
	if err != nil || reply == "" {
		return ordinary(err)
	}
	if _, err := giver.Confirm(ctx, r.ID, time.Now().Add(5*time.Hour).Truncate(time.Hour), reply); err != nil {
		return ordinary(err)
	}
	for i, text := range messages {
		writer := []*client.Client{taker, giver}[i%2]
		if _, err := writer.Send(ctx, r.ID, text); err != nil {
			return ordinary(err)
		}
	}
	return nil
}

// handedOver gives a thing to a neighbour. Both rate each other.
func (t *town) handedOver(ctx context.Context, g gift, number uint64) error {
	giver, err := t.neighbour(ctx, g.giver)
	if err != nil {
		return err
	}
	taker, err := t.neighbour(ctx, g.taker)
	if err != nil {
		return err
	}
	item, err := t.own(ctx, giver, g.thing, number)
	if err != nil || item.Stage != "available" {
		return err // told in an earlier run
	}
	r, err := taker.Reserve(ctx, item.ID, pick(t.chance, questions), "")
	if err != nil {
		return ordinary(err)
	}
	if _, err := giver.Confirm(ctx, r.ID, time.Now().Add(time.Hour), pick(t.chance, replies)); err != nil {
		return ordinary(err)
	}
	code, err := giver.Code(ctx, r.ID)
	if err != nil {
		return ordinary(err)
	}
	if _, err := taker.Complete(ctx, r.ID, code); err != nil {
		return ordinary(err)
	}
	for i, rater := range []*client.Client{giver, taker} {
		if err := rater.Rate(ctx, r.ID, client.NewRating{Rating: 5 - (int(number)+i)%2, Comment: pick(t.chance, praise)}); err != nil {
			return ordinary(err)
		}
	}
	return nil
}
