package sitting_test

import (
	"reflect"
	"testing"

	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
)

// holdsKey reports whether a value of a type can hold the key of a question.
func holdsKey(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == reflect.TypeFor[question.Key]() || t == reflect.TypeFor[question.Accepted]() {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsKey(t.Elem(), seen)
	case reflect.Map:
		return holdsKey(t.Key(), seen) || holdsKey(t.Elem(), seen)
	case reflect.Interface:
		return true // of anything
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsKey(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// TestOpenQuestionsCannotHoldAKey: the types that a candidate gets while a question is open have no
// place for a key. Feedback, which follows a final answer of practice, has one.
func TestOpenQuestionsCannotHoldAKey(t *testing.T) {
	for _, kind := range []reflect.Type{
		reflect.TypeFor[sitting.State](), reflect.TypeFor[sitting.Question](), reflect.TypeFor[sitting.Saved](),
		reflect.TypeFor[sitting.Answered](), reflect.TypeFor[sitting.Entry](),
	} {
		if holdsKey(kind, map[reflect.Type]bool{}) {
			t.Errorf("%s can hold a key", kind)
		}
	}
	if !holdsKey(reflect.TypeFor[sitting.Feedback](), map[reflect.Type]bool{}) {
		t.Error("the search does not find the key of a feedback")
	}
}
