package understanding

import (
	"strings"
	"unicode"

	"sortkey.dev/internal/lazyregexp"
)

// ResumeWords matches a whole message, in lower case and without marks, that asks to record its
// author again. It is apart from the classifiers because nothing else of a paused member is read.
var ResumeWords = lazyregexp.New(`^(börja (spara|logga)( mig)? igen|fortsätt( spara| logga)?( mig)?|återuppta|sluta pausa|resume|resume me|unpause|unpause me|start recording me again|continue)$`)

// EraseWords matches a whole message, in lower case and without marks, that asks to erase everything
// about its author.
var EraseWords = lazyregexp.New(`^(radera|ta bort|delete|erase|remove) (all |alla |all of )?(min|mina|my) (data|uppgifter)$`)

// AsksForSignIn reports whether a private message asks for a link to the author's own pages.
func AsksForSignIn(text string) bool {
	switch plain(text) {
	case "login", "logga in", "sign in":
		return true
	}
	return false
}

// AsksForErasure reports whether a private message asks to erase everything about its author. Like
// ResumeWords it is apart from the classifiers: nothing else is read of a person who is not recorded.
func AsksForErasure(text string) bool { return EraseWords.MatchString(plain(text)) }

// plain returns the words of a text with a space between them: without marks, quotes and the slash of a command.
func plain(text string) string { return strings.Join(Words(text), " ") }

// Words returns the words of a text in lower case: runs of letters and digits.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
