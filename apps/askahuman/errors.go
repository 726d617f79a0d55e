package askahuman

import (
	"sortkey.dev/apps/internal/refusal"
)

// Codes of the refusals that programs can tell apart. Other refusals have the code of their
// kind.
const (
	CodeQuota           = "AGENT_QUOTA_EXCEEDED"
	CodeNoQuestion      = "QUESTION_NOT_FOUND"
	CodeAlreadyAnswered = "ALREADY_ANSWERED"
	CodeKeyReused       = "IDEMPOTENCY_KEY_REUSED"
	CodeClosed          = "QUESTION_CLOSED"
)

// Refusals to compare with errors.Is.
var (
	ErrNoQuestion      = refusal.New(refusal.NotFound, CodeNoQuestion, "There is no such question.")
	ErrClosed          = refusal.New(refusal.Gone, CodeClosed, "This question takes no more answers.")
	ErrAlreadyAnswered = refusal.New(refusal.Conflict, CodeAlreadyAnswered, "You have answered this question.")
	ErrQuota           = refusal.New(refusal.Forbidden, CodeQuota, "You have %d open questions, which is as many as there may be. Close one, or wait until one is answered.", MaxOpenQuestions)
	ErrKeyReused       = refusal.New(refusal.Conflict, CodeKeyReused, "This idempotency key was used for another question within the last 24 hours. Use a new one, or send that question again as it was.")
	ErrUnauthorized    = refusal.New(refusal.Unauthenticated, "", "This agent has a key, and it is missing or wrong. Send it in the header Authorization: Bearer KEY.")
	ErrBanned          = refusal.New(refusal.Forbidden, "", "You cannot use this service any more.")
)

// ErrNobody refuses a request without a token, or with a token that this system did not
// issue.
var ErrNobody = refusal.New(refusal.Unauthenticated, "", "We do not know this browser. Load the page again to get a new identity.")
