package access

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// fewMembers is how many values are made at once when nobody said how many there are.
const fewMembers = 4

// Inside takes memory for n times the values of an element, such as a struct in a list,
// and returns the memory of what is around it, for Outside.
func (e *Encoder) Inside(n, texts, numbers, lists, maps int) (outer Members) {
	outer = e.members
	e.members = Members{
		S: make([]types.AttributeValueMemberS, n*texts),
		N: make([]types.AttributeValueMemberN, n*numbers),
		L: make([]types.AttributeValueMemberL, n*lists),
		M: make([]types.AttributeValueMemberM, n*maps),
	}
	return outer
}

// Outside goes back to the memory that Inside returned.
func (e *Encoder) Outside(outer Members) { e.members = outer }

// S is a text.
func (e *Encoder) S(text string) types.AttributeValue {
	if len(e.members.S) == 0 {
		e.members.moreS()
	}
	v := &e.members.S[0]
	e.members.S = e.members.S[1:]
	v.Value = text
	return v
}

// N is a number, given as text.
func (e *Encoder) N(text string) types.AttributeValue {
	if len(e.members.N) == 0 {
		e.members.moreN()
	}
	v := &e.members.N[0]
	e.members.N = e.members.N[1:]
	v.Value = text
	return v
}

// L is a list, shared with the caller.
func (e *Encoder) L(elements []types.AttributeValue) types.AttributeValue {
	if len(e.members.L) == 0 {
		e.members.moreL()
	}
	v := &e.members.L[0]
	e.members.L = e.members.L[1:]
	v.Value = elements
	return v
}

// M is a map or a struct, shared with the caller.
func (e *Encoder) M(fields Item) types.AttributeValue {
	if len(e.members.M) == 0 {
		e.members.moreM()
	}
	v := &e.members.M[0]
	e.members.M = e.members.M[1:]
	v.Value = fields
	return v
}

// SS is a set of texts, shared with the caller.
func (e *Encoder) SS(texts []string) types.AttributeValue {
	if len(e.members.SS) == 0 {
		e.members.moreSS()
	}
	v := &e.members.SS[0]
	e.members.SS = e.members.SS[1:]
	v.Value = texts
	return v
}

// These are not part of the methods above, so that those stay small enough to be inlined.

//go:noinline
func (m *Members) moreS() { m.S = make([]types.AttributeValueMemberS, fewMembers) }

//go:noinline
func (m *Members) moreN() { m.N = make([]types.AttributeValueMemberN, fewMembers) }

//go:noinline
func (m *Members) moreL() { m.L = make([]types.AttributeValueMemberL, 1) }

//go:noinline
func (m *Members) moreM() { m.M = make([]types.AttributeValueMemberM, 1) }

//go:noinline
func (m *Members) moreSS() { m.SS = make([]types.AttributeValueMemberSS, 1) }
