package telegram

import (
	"strings"
	"unicode/utf16"
)

// Length returns the length of a text as Telegram counts it, in UTF-16 units.
func Length(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Truncate returns text with at most limit UTF-16 units. A cut text ends with "…", and no
// character is cut in two.
func Truncate(text string, limit int) string {
	if Length(text) <= limit {
		return text
	}
	n := 0
	for i, r := range text {
		if n += utf16.RuneLen(r); n > limit-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// In returns the part of text that the entity covers, and "" if it does not lie within it.
func (e MessageEntity) In(text string) string {
	start, end := -1, -1
	n := 0
	for i, r := range text {
		if n == e.Offset {
			start = i
		}
		if n == e.Offset+e.Length {
			end = i
		}
		n += utf16.RuneLen(r)
	}
	if n == e.Offset+e.Length {
		end = len(text)
	}
	if start < 0 || end < start || e.Length <= 0 {
		return ""
	}
	return text[start:end]
}

// Mentions reports whether the message names a bot: by an @mention, a command for it, or a link to
// its account. Letters may be upper or lower case; "@homeops_botten" does not name "homeops_bot".
func (m *Message) Mentions(bot User) bool {
	for _, e := range m.Entities {
		part := e.In(m.Text)
		switch e.Type {
		case Mention:
			if strings.EqualFold(part, "@"+bot.Username) && bot.Username != "" {
				return true
			}
		case BotCommand:
			if _, name, ok := strings.Cut(part, "@"); ok && strings.EqualFold(name, bot.Username) {
				return true
			}
		case TextMention:
			if e.User != nil && e.User.ID == bot.ID {
				return true
			}
		}
	}
	return false
}

// Command returns the command that a message begins with, without the slash and the bot's name,
// and its arguments. A command for another bot is none.
func (m *Message) Command(bot User) (name, arguments string, ok bool) {
	for _, e := range m.Entities {
		if e.Type != BotCommand || e.Offset != 0 {
			continue
		}
		part := e.In(m.Text)
		name, to, addressed := strings.Cut(strings.TrimPrefix(part, "/"), "@")
		if addressed && !strings.EqualFold(to, bot.Username) {
			return "", "", false
		}
		return strings.ToLower(name), strings.TrimSpace(m.Text[len(part):]), name != ""
	}
	return "", "", false
}
