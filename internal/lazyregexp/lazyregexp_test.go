package lazyregexp

import "testing"

func TestAnExpressionIsCompiledOnFirstUse(t *testing.T) {
	inTest = false
	defer func() { inTest = true }()
	r := New(`^[a-z]+$`)
	if r.compiled != nil {
		t.Error("compiled before it is used")
	}
	if !r.MatchString("abc") || r.MatchString("ABC") {
		t.Error("does not match as package regexp does")
	}
}

func TestAnInvalidExpressionPanicsInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an invalid expression was accepted")
		}
	}()
	New(`(`)
}
