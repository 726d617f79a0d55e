// Package demo fills a HomeOps without Telegram with two simulated households that have chatted
// for some weeks and go on chatting, at a pace a visitor can follow. Everything they write goes
// through the simulated chat and so through the webhook. On a kept directory it continues: the
// past is written once, and no sentence comes twice. The server starts it for demonstrations; it
// is not for production.
package demo

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/demo"
)

// Options configures the demo. Room and Settle are required.
type Options struct {
	Room *chatroom.Room
	// Settle is called once for each household after its past was written: it waits until the
	// messages are understood, closes the given weeks in order, and makes the bot less quiet than
	// in a real household.
	Settle func(ctx context.Context, chatID int64, weeks []access.Week) error
	Now    func() time.Time // time.Now if nil
	Log    *slog.Logger
	// Seed is the random seed.
	Seed uint64
	// Pace is the average pause between two messages; half a minute by default.
	Pace time.Duration
	// Memory is the file in which the run is remembered; "" to forget it at the end.
	Memory string
	// Sleep replaces the sleep function, for tests.
	Sleep func(context.Context, time.Duration) error
}

// The length of the past.
const (
	pastWeeks = 6
	recent    = 40 // messages that the chat shows again after a restart
)

// Play writes the past and then lets the households chat until ctx is done. Failures are logged: a
// demo must not take the system down.
func Play(ctx context.Context, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Pace <= 0 {
		o.Pace = 30 * time.Second
	}
	p := &play{Options: o, zone: homeops.Zone(homeops.DefaultZone)}
	script := demo.Script{Actions: []demo.Action{
		{Name: "chat", Weight: 5, Do: p.chat},
		{Name: "answer the bot", Weight: 1, Do: p.answer},
	}}
	for _, f := range families {
		script.Opening = append(script.Opening,
			demo.Action{Name: "write the past of " + f.lang, Do: func(ctx context.Context, run *demo.Play) error { return p.write(ctx, run, f) }},
			demo.Action{Name: "settle the past of " + f.lang, Do: func(ctx context.Context, run *demo.Play) error { return p.settle(ctx, run, f) }},
			demo.Action{Name: "start the bot of " + f.lang, Do: func(ctx context.Context, _ *demo.Play) error { return p.startBot(ctx, f) }},
		)
	}
	script.Opening = append(script.Opening, demo.Action{Name: "promise", Do: p.promise})
	return demo.Run(ctx, demo.Options{Log: o.Log, Seed: o.Seed, Pace: o.Pace, Memory: o.Memory, Sleep: o.Sleep}, script)
}

// A play is one run of the demo.
type play struct {
	Options
	zone    *time.Location
	written bool // the past was written in this run
	shown   bool // the chat shows the past
}

// start returns the time at which the past ends: when the demo was first started.
func (p *play) start(run *demo.Play) (time.Time, error) {
	var at time.Time
	if run.Recall("start", &at) {
		return at, nil
	}
	at = p.Now().Truncate(time.Second)
	return at, run.Remember("start", at)
}

// write writes the past of a household. It may be repeated: the messages have the same ids again.
func (p *play) write(ctx context.Context, run *demo.Play, f family) error {
	end, err := p.start(run)
	if err != nil {
		return err
	}
	p.written = true
	return p.recall(ctx, f, p.past(f, end))
}

func (p *play) recall(ctx context.Context, f family, past []chatroom.Past) error {
	group, err := p.group(f)
	if err != nil {
		return err
	}
	for _, m := range past {
		if err := p.Room.Recall(ctx, group, m); err != nil {
			return err
		}
	}
	return nil
}

func (p *play) group(f family) (chatroom.Group, error) {
	for _, g := range p.Room.Groups() {
		if g.Lang == f.lang {
			return g, nil
		}
	}
	return chatroom.Group{}, fmt.Errorf("demo: the chat has no household that speaks %q", f.lang)
}

// past returns what a household wrote before a time, in order and at least a second apart. The same
// end gives the same past.
func (p *play) past(f family, end time.Time) []chatroom.Past {
	group, err := p.group(f)
	if err != nil {
		return nil
	}
	end = end.Add(-homeops.LateAfter).In(p.zone) // the bot answers nothing of it
	first, _ := homeops.WeekRange(homeops.Week(end.AddDate(0, 0, -7*pastWeeks), p.zone), p.zone)
	past := []chatroom.Past{{From: group.People[0], At: first.Add(6 * time.Hour), Text: f.hello}} // the owner is who writes first
	chance := rand.New(rand.NewPCG(p.Seed, uint64(group.ID)))
	for day := first; day.Before(end); day = day.AddDate(0, 0, 1) {
		for _, h := range f.routine {
			if !slices.Contains(h.days, day.Weekday()) || chance.IntN(100) < h.skipped {
				continue
			}
			at := time.Date(day.Year(), day.Month(), day.Day(), h.hour, chance.IntN(50), chance.IntN(60), 0, p.zone)
			past = append(past, chatroom.Past{From: group.People[h.who], At: at, Text: pick(chance, h.texts)})
		}
	}
	slices.SortStableFunc(past, func(a, b chatroom.Past) int { return a.At.Compare(b.At) })
	for i := 1; i < len(past); i++ {
		if before := past[i-1].At; !past[i].At.After(before) {
			past[i].At = before.Add(time.Second)
		}
	}
	return slices.DeleteFunc(past, func(m chatroom.Past) bool { return !m.At.Before(end) })
}

// settle closes the weeks of the past.
func (p *play) settle(ctx context.Context, run *demo.Play, f family) error {
	end, err := p.start(run)
	if err != nil {
		return err
	}
	group, err := p.group(f)
	if err != nil {
		return err
	}
	var weeks []access.Week
	for n := pastWeeks; n > 0; n-- {
		weeks = append(weeks, homeops.Week(end.In(p.zone).AddDate(0, 0, -7*n), p.zone))
	}
	return p.Settle(ctx, group.ID, weeks)
}

// startBot lets all people of a household start the bot, so that it can write to them, and ask for
// their week.
func (p *play) startBot(ctx context.Context, f family) error {
	group, err := p.group(f)
	if err != nil {
		return err
	}
	for _, person := range group.People {
		for _, text := range []string{"/start", f.summary} {
			if err := p.Room.Say(ctx, group, person, true, text, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// promise leaves an open promise in each household.
func (p *play) promise(ctx context.Context, _ *demo.Play) error {
	for _, f := range families {
		group, err := p.group(f)
		if err != nil {
			return err
		}
		if err := p.Room.Say(ctx, group, group.People[0], false, f.promise, 0); err != nil {
			return err
		}
	}
	return nil
}

// chat lets a person write something that was not written before in this way. After some hours of
// play there is nothing left to say.
func (p *play) chat(ctx context.Context, run *demo.Play) error {
	if err := p.show(ctx, run); err != nil {
		return err
	}
	f := families[run.Chance.IntN(len(families))]
	group, err := p.group(f)
	if err != nil {
		return err
	}
	n, ok := run.Next("lines "+f.lang, len(f.lines)*len(group.People))
	if !ok {
		return nil
	}
	return p.Room.Say(ctx, group, group.People[n%len(group.People)], false, f.lines[n/len(group.People)], 0)
}

// show fills the chat with the end of the past after a restart: the chat keeps it in memory only,
// and the system knows these messages.
func (p *play) show(ctx context.Context, run *demo.Play) error {
	if p.written || p.shown {
		return nil
	}
	p.shown = true
	end, err := p.start(run)
	if err != nil {
		return err
	}
	for _, f := range families {
		past := p.past(f, end)
		if err := p.recall(ctx, f, past[max(0, len(past)-recent):]); err != nil {
			return err
		}
	}
	return nil
}

// answer presses the first button of a question that the bot asked.
func (p *play) answer(ctx context.Context, run *demo.Play) error {
	if err := p.show(ctx, run); err != nil {
		return err
	}
	for _, group := range p.Room.Groups() {
		for _, person := range group.People {
			for _, line := range p.Room.Lines(group.ID, person.ID) {
				if ok, err := p.press(ctx, run, group, person, line); ok || err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// press presses a button that was not pressed before, and reports whether there was one.
func (p *play) press(ctx context.Context, run *demo.Play, group chatroom.Group, person telegram.User, line chatroom.Line) (bool, error) {
	if line.ReplyMarkup == nil || len(line.ReplyMarkup.Rows) == 0 || line.ReceiverUser != nil && line.ReceiverUser.ID != person.ID {
		return false, nil
	}
	data := line.ReplyMarkup.Rows[0][0].CallbackData
	name := "pressed " + strings.TrimSpace(data)
	var pressed bool
	if run.Recall(name, &pressed) {
		return false, nil
	}
	if err := p.Room.Press(ctx, group, person, false, line.ID(), data); err != nil {
		return false, err
	}
	return true, run.Remember(name, true)
}

func pick(chance *rand.Rand, texts []string) string { return texts[chance.IntN(len(texts))] }
