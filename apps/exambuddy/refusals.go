package exambuddy

import (
	"errors"
	"fmt"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/refusal"
)

// Codes of the refusals that programs can tell apart. Other refusals have the code of their kind.
const (
	CodeRole        = "WRONG_ROLE"
	CodeChanged     = "CHANGED_MEANWHILE"
	CodeNoProject   = "PROJECT_NOT_FOUND"
	CodeNoQuestion  = "QUESTION_NOT_FOUND"
	CodeNoSession   = "SESSION_NOT_FOUND"
	CodeNoAttempt   = "ATTEMPT_NOT_FOUND"
	CodeNoDocument  = "DOCUMENT_NOT_FOUND"
	CodeNoGroup     = "GROUP_NOT_FOUND"
	CodeDuplicate   = "DUPLICATE_QUESTION"
	CodeNotReady    = "NOT_READY_TO_PUBLISH"
	CodeState       = "WRONG_STATE"
	CodeActive      = "ACTIVE_SESSION"
	CodeFull        = "PROJECT_FULL"
	CodeWriter      = "ANOTHER_WRITER"
	CodeOver        = "SESSION_OVER"
	CodeNotCurrent  = "NOT_THE_CURRENT_QUESTION"
	CodeAnswered    = "ALREADY_ANSWERED"
	CodeOldSequence = "OLD_SEQUENCE"
	CodeClosed      = "EXAM_CLOSED"
	CodeAttempts    = "NO_ATTEMPTS_LEFT"
	CodeHidden      = "ANSWERS_HIDDEN"
)

// Refusals to compare with errors.Is.
var (
	ErrNoProject  = refusal.New(refusal.NotFound, CodeNoProject, "There is no such exam.")
	ErrNoQuestion = refusal.New(refusal.NotFound, CodeNoQuestion, "There is no such question.")
	ErrNoSession  = refusal.New(refusal.NotFound, CodeNoSession, "There is no such session.")
	ErrNoAttempt  = refusal.New(refusal.NotFound, CodeNoAttempt, "There is no such attempt.")
	ErrNoDocument = refusal.New(refusal.NotFound, CodeNoDocument, "There is no such document.")
	ErrNoGroup    = refusal.New(refusal.NotFound, CodeNoGroup, "There is no such group.")
	ErrChanged    = refusal.New(refusal.Conflict, CodeChanged, "This was changed since you opened it. Compare your version with the current one, and save again.")
	ErrDuplicate  = refusal.New(refusal.Conflict, CodeDuplicate, "The exam has a question with this text.")
	ErrWriter     = refusal.New(refusal.Conflict, CodeWriter, "This exam is open in another tab or on another device. Choose Continue here to go on in this one.")
	ErrOver       = refusal.New(refusal.Gone, CodeOver, "This session is over.")
	ErrNotCurrent = refusal.New(refusal.Conflict, CodeNotCurrent, "The session is at another question.")
	ErrAnswered   = refusal.New(refusal.Conflict, CodeAnswered, "You have answered this question.")
	ErrOldAnswer  = refusal.New(refusal.Conflict, CodeOldSequence, "A newer answer to this question was saved.")
	ErrHidden     = refusal.New(refusal.Forbidden, CodeHidden, "The answers of this exam are not shown yet.")
)

// IsID reports whether a text has the form of an id. Other texts are not looked up.
func IsID(id string) bool {
	_, err := access.TimeOfID(id)
	return err == nil
}

// Missing returns what is missing if err says that there is no such item, and err otherwise.
func Missing(err error, what *refusal.Error) error {
	if errors.Is(err, access.ErrNotFound) {
		return what
	}
	return err
}

// BadCursor turns an invalid cursor into a refusal and returns other errors unchanged.
func BadCursor(err error) error {
	if errors.Is(err, access.ErrBadCursor) {
		return refusal.BadCursor()
	}
	return err
}

// TooMany gives a refusal of a limit a message that says what was not done. When to try again stays. Other errors are
// returned as they are.
func TooMany(err error, format string, args ...any) error {
	refused, ok := refusal.As(err, refusal.TooMany)
	if !ok {
		return err
	}
	told := *refused
	_, when, _ := strings.Cut(refused.Message, ". ") // such as: Try again in 3 hours.
	told.Message = fmt.Sprintf(format, args...) + " " + when
	return &told
}
