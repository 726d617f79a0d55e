package across

import (
	"errors"
	"fmt"
	"strings"

	"sortkey.dev/access"
)

// explain returns an error in few words, and what it is about.
func (w *world) explain(seen *sighting, err error) (string, []any) {
	return explained(w.caller, seen, err)
}

// explained explains an error of the code of a party.
func explained(p *party, seen *sighting, err error) (string, []any) {
	var subjects []any
	if wrong, ok := errors.AsType[*access.DecodeError](err); ok {
		text := fmt.Sprintf("DecodeError: %s.%s %s", wrong.Entity, wrong.Attribute, wrong.Reason)
		if e := p.layout.Design().Entity(wrong.Entity); e != nil {
			if a := attributeOf(e, wrong.Attribute); a != nil {
				text = fmt.Sprintf("DecodeError: %s.%s %s", wrong.Entity, a.Name, wrong.Reason)
				subjects = append(subjects, a)
			} else {
				subjects = append(subjects, keyOf(p.layout.Home(e), wrong.Attribute))
			}
		}
		if _, done := errors.AsType[*access.DoneError](err); done {
			text = "DoneError, it was done: " + strings.TrimPrefix(text, "DecodeError: ")
		}
		return text, subjects
	}
	text := strings.TrimPrefix(message(err), seen.call.Pattern.Name+": ")
	return text, subjects
}

// message returns the last line of an error: that of DynamoDB, without the words of the SDK.
func message(err error) string {
	if api, ok := errors.AsType[interface {
		error
		ErrorCode() string
		ErrorMessage() string
	}](err); ok {
		return api.ErrorCode() + ": " + api.ErrorMessage()
	}
	return err.Error()
}
