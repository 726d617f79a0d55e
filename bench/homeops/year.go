package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
)

// A year is the replay: who writes what, and when.
type year struct {
	cfg    config
	s      *system
	r      *results
	chance *rand.Rand
	last   telegram.Message // of a chore, which is corrected or edited at times
}

func newYear(cfg config, s *system, r *results) *year {
	return &year{cfg: cfg, s: s, r: r, chance: rand.New(rand.NewPCG(cfg.seed, 0))}
}

// replay plays all days and measures after every month.
func (y *year) replay(ctx context.Context) error {
	if err := y.begin(ctx); err != nil {
		return err
	}
	y.r.began = time.Now()
	for day := range y.cfg.days {
		from, to := y.cfg.messages*day/y.cfg.days, y.cfg.messages*(day+1)/y.cfg.days
		date := begins.AddDate(0, 0, day)
		if err := y.day(ctx, date, to-from); err != nil {
			return fmt.Errorf("%s: %w", date.Format(time.DateOnly), err)
		}
		if next := date.AddDate(0, 0, 1); next.Day() == 1 || day == y.cfg.days-1 {
			y.r.month(date, y.s)
			fmt.Fprintf(os.Stderr, "%s: %d messages\n", date.Format("January"), y.r.Messages)
		}
	}
	return nil
}

// begin adds the bot to the group as an administrator, and opens its private chats.
func (y *year) begin(ctx context.Context) error {
	y.s.clock.set(begins.Add(time.Second))
	if err := y.s.Chat.SetMember(ctx, family, people[0], y.s.Chat.Bot(), telegram.StatusAdministrator); err != nil {
		return err
	}
	for _, p := range people {
		if _, _, err := y.s.Chat.Write(ctx, family, p, "Hej", nil); err != nil {
			return err
		}
		if _, _, err := y.s.Chat.Write(ctx, p.ID, p, "/start", nil); err != nil {
			return err
		}
	}
	return y.s.Step(ctx)
}

// day plays the messages of a day. Scheduled work between them runs every hour.
func (y *year) day(ctx context.Context, date time.Time, messages int) error {
	times := y.times(date, messages)
	for hour := range 24 {
		until := time.Date(date.Year(), date.Month(), date.Day(), hour+1, 0, 0, 0, zone)
		for len(times) > 0 && times[0].Before(until) {
			y.s.clock.set(times[0])
			times = times[1:]
			if err := y.write(ctx); err != nil {
				return err
			}
		}
		y.s.clock.set(until)
		if err := y.s.Step(ctx); err != nil {
			return err
		}
		if err := y.s.Flush(ctx); err != nil {
			return err
		}
	}
	return y.look(ctx, people[y.chance.IntN(len(people))].ID)
}

// times returns the times of a day's messages: conversations of a few messages between half past
// six and eleven at night.
func (y *year) times(date time.Time, n int) []time.Time {
	var all []time.Time
	for len(all) < n {
		at := time.Date(date.Year(), date.Month(), date.Day(), 6, 30, y.chance.IntN(16*3600+1800), 0, zone)
		for range 1 + y.chance.IntN(6) {
			all = append(all, at)
			at = at.Add(time.Duration(5+y.chance.IntN(60)) * time.Second)
		}
	}
	all = all[:n]
	slices.SortFunc(all, time.Time.Compare)
	return all
}

// write lets a person write something, and measures until it is understood.
func (y *year) write(ctx context.Context) error {
	from := people[y.chance.IntN(len(people))]
	began := time.Now()
	if err := y.say(ctx, from); err != nil {
		return err
	}
	y.r.stored = append(y.r.stored, time.Since(began))
	if err := y.s.Step(ctx); err != nil {
		return err
	}
	y.r.understood = append(y.r.understood, time.Since(began))
	y.r.Messages++
	return y.answer(ctx, from)
}

// say chooses what a person writes: of a thousand messages about 200 report something, as the
// design estimates.
func (y *year) say(ctx context.Context, from telegram.User) error {
	switch n := y.chance.IntN(1000); {
	case n < 165:
		m, err := y.group(ctx, from, chores, nil)
		y.last = m
		return err
	case n < 190:
		_, err := y.group(ctx, from, recoveries, nil)
		return err
	case n < 210:
		_, err := y.group(ctx, from, promises, nil)
		return err
	case n < 220:
		_, err := y.group(ctx, from, unclear, nil)
		return err
	case n < 228:
		_, err := y.group(ctx, from, questions, nil)
		return err
	case n < 234 && y.last.From != nil: // a correction by a reply to the own message
		_, err := y.group(ctx, *y.last.From, []string{"ta bort", "det var Erik"}, func(m *telegram.Message) { m.ReplyToMessage = &y.last })
		return err
	case n < 240 && y.last.From != nil:
		return y.edit(ctx)
	case n < 244:
		return y.send(ctx, from.ID, from, pick(y.chance, asked), nil)
	}
	_, err := y.group(ctx, from, smallTalk, nil)
	return err
}

// edit changes the last report, if the chat still has it.
func (y *year) edit(ctx context.Context) error {
	for _, m := range y.s.Chat.Messages(family) {
		if m.MessageID == y.last.MessageID {
			status, err := y.s.Chat.Edit(ctx, family, m.MessageID, pick(y.chance, chores))
			return accepted(status, err)
		}
	}
	return y.send(ctx, family, *y.last.From, pick(y.chance, smallTalk), nil)
}

func (y *year) group(ctx context.Context, from telegram.User, texts []string, change func(*telegram.Message)) (telegram.Message, error) {
	m, status, err := y.s.Chat.Write(ctx, family, from, pick(y.chance, texts), change)
	return m, accepted(status, err)
}

func (y *year) send(ctx context.Context, chat int64, from telegram.User, text string, change func(*telegram.Message)) error {
	_, status, err := y.s.Chat.Write(ctx, chat, from, text, change)
	return accepted(status, err)
}

func accepted(status int, err error) error {
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the webhook answered %d", status)
	}
	return err
}

// answer lets people react to what the bot says: they press a button of its questions, and like
// some of its answers.
func (y *year) answer(ctx context.Context, from telegram.User) error {
	all := y.s.Chat.Messages(family)
	if len(all) == 0 || all[len(all)-1].From == nil || !all[len(all)-1].From.IsBot {
		return nil
	}
	said := all[len(all)-1]
	y.r.Said++
	switch {
	case said.ReplyMarkup != nil && y.chance.IntN(3) > 0:
		button := said.ReplyMarkup.Rows[0][min(y.chance.IntN(4), 1)]
		if y.chance.IntN(4) > 0 {
			button = said.ReplyMarkup.Rows[0][0]
		}
		if _, err := y.s.Chat.Press(ctx, family, max(said.MessageID, said.EphemeralMessageID), from, button.CallbackData); err != nil {
			return err
		}
	case said.ReplyMarkup == nil && y.chance.IntN(2) > 0:
		if _, err := y.s.Chat.React(ctx, family, said.MessageID, from, "👍"); err != nil {
			return err
		}
	default:
		return nil
	}
	return y.s.Step(ctx)
}

// look reads the pages of a member, once a day.
func (y *year) look(ctx context.Context, userID int64) error {
	homes, err := y.s.Domain.Households.OfUser(ctx, userID)
	if err != nil || len(homes) == 0 {
		return err
	}
	home, now := homes[0], y.s.clock.Now()
	for _, read := range []func(households.Home) error{
		func(h households.Home) error {
			_, err := y.s.Domain.Insights.Mine(ctx, h, userID, homeops.Week(now, zone))
			return err
		},
		func(h households.Home) error { _, err := y.s.Domain.Insights.Weeks(ctx, h, userID); return err },
		func(h households.Home) error { _, err := y.s.Domain.Ledger.Mine(ctx, h, userID, ""); return err },
		func(h households.Home) error { _, err := y.s.Domain.Ledger.Recent(ctx, h, ""); return err },
		func(h households.Home) error { _, err := y.s.Domain.Ledger.Calendar(ctx, h); return err },
		func(households.Home) error { _, err := y.s.Domain.Promises.Mine(ctx, userID, ""); return err },
	} {
		if err := read(home); err != nil {
			return err
		}
	}
	return nil
}

func pick(chance *rand.Rand, texts []string) string { return texts[chance.IntN(len(texts))] }
