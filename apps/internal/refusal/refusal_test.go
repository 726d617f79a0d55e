package refusal_test

import (
	"errors"
	"fmt"
	"testing"

	"sortkey.dev/apps/internal/refusal"
)

func TestCodes(t *testing.T) {
	own := refusal.New(refusal.Gone, "QUESTION_CLOSED", "This question takes no more answers.")
	if got := own.Error(); got != "QUESTION_CLOSED: This question takes no more answers." {
		t.Errorf("Error is %q", got)
	}
	for kind := refusal.Invalid; kind <= refusal.TooLarge; kind++ {
		if code := refusal.New(kind, "", "No.").CodeText(); code == "" || code == fmt.Sprintf("Kind(%d)", kind) {
			t.Errorf("kind %d has the code %q", kind, code)
		}
	}
	if got := refusal.Kind(0).String(); got != "Kind(0)" {
		t.Errorf("an unknown kind is %q", got)
	}
}

func TestIsComparesCodes(t *testing.T) {
	closed := refusal.New(refusal.Gone, "QUESTION_CLOSED", "")
	wrapped := fmt.Errorf("answer: %w", refusal.New(refusal.Gone, "QUESTION_CLOSED", "This one closed at noon."))
	if !errors.Is(wrapped, closed) {
		t.Error("a refusal of the same code is not the same")
	}
	if errors.Is(wrapped, refusal.New(refusal.Gone, "", "")) || errors.Is(errors.New("QUESTION_CLOSED"), closed) {
		t.Error("another error is the same")
	}
}

func TestAs(t *testing.T) {
	err := fmt.Errorf("read: %w", refusal.New(refusal.NotFound, "", "There is no such project."))
	for _, kinds := range [][]refusal.Kind{nil, {refusal.NotFound}, {refusal.Invalid, refusal.NotFound}} {
		if refused, ok := refusal.As(err, kinds...); !ok || refused.Kind != refusal.NotFound {
			t.Errorf("As(%v) is %v, %v", kinds, refused, ok)
		}
	}
	if refused, ok := refusal.As(err, refusal.Invalid); ok || refused != nil {
		t.Errorf("another kind is %v", refused)
	}
	if _, ok := refusal.As(errors.New("the disk is full")); ok {
		t.Error("a failure is a refusal")
	}
}

func TestFields(t *testing.T) {
	e := refusal.OutOfRange("title", "length", 3, 120, "A title has %d to %d characters.", 3, 120)
	if e.Kind != refusal.Invalid || len(e.Fields) != 1 || *e.Fields[0].Min != 3 || *e.Fields[0].Max != 120 || e.Message != "A title has 3 to 120 characters." {
		t.Errorf("got %+v", e)
	}
}
