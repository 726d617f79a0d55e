package server

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/homeops/demo"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/internal/wait"
)

// guide lists the simulated chat, with the people whom a visitor can be.
func (s *system) guide() []apps.Page {
	if s.room == nil {
		return nil
	}
	var names []string
	for _, group := range s.room.Groups() {
		for _, person := range group.People {
			names = append(names, person.FirstName)
		}
	}
	return []apps.Page{{Path: "/chat", Doc: "the simulated chat in place of Telegram; be " + strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1] + ", and open their pages"}}
}

// play lets simulated households chat.
func (s *system) play(ctx context.Context) error {
	if s.room == nil {
		return errors.New("the demo needs the simulated chat: leave " + settingToken + " out")
	}
	return demo.Play(ctx, demo.Options{Room: s.room, Settle: s.settle, Now: s.Platform.Now, Log: s.Config.Log, Seed: 1, Memory: s.Config.DemoMemory})
}

// In the demo the bot answers often, so that a visitor sees it.
const (
	demoCap      = 10
	demoCooldown = 1 // minute
)

// settle waits until the past of a simulated household is understood, closes its weeks, and lets the
// bot answer more often.
func (s *system) settle(ctx context.Context, chatID int64, weeks []access.Week) error {
	for {
		waiting, err := s.Queue.Waiting(ctx, "messages", 1, "")
		if err != nil {
			return err
		}
		if len(waiting.Items) == 0 {
			break
		}
		if err := wait.For(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
	home, err := s.rooms.Households.ByChat(ctx, strconv.FormatInt(chatID, 10))
	if err != nil {
		return err
	}
	for _, week := range weeks {
		if err := s.rooms.Insights.CloseWeek(ctx, home.HouseholdID, week); err != nil {
			return err
		}
	}
	settings := households.SettingsOf(home)
	settings.DailyCap, settings.CooldownMinutes = demoCap, demoCooldown
	for _, m := range home.Active() {
		if m.Role == homeopsdb.MemberRoleOwner {
			_, err = s.rooms.Households.Change(ctx, m.UserID, home.HouseholdID, settings)
		}
	}
	return err
}
