package access

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// fewMembers is how many values are made at once when nobody said how many there are.
const fewMembers = 4

// Reserve makes room for n times the values of an element, such as a struct in a list.
// What is left of the room before is kept for nothing.
func (e *Encoder) Reserve(n, texts, numbers, lists, maps int) {
	e.members.S = reserve(e.members.S, n*texts)
	e.members.N = reserve(e.members.N, n*numbers)
	e.members.L = reserve(e.members.L, n*lists)
	e.members.M = reserve(e.members.M, n*maps)
}

func reserve[T any](room []T, n int) []T {
	if len(room) >= n {
		return room
	}
	return make([]T, n)
}

// S is a text.
func (e *Encoder) S(text string) types.AttributeValue {
	if len(e.members.S) == 0 {
		e.members.S = make([]types.AttributeValueMemberS, fewMembers)
	}
	v := &e.members.S[0]
	e.members.S = e.members.S[1:]
	v.Value = text
	return v
}

// N is a number, given as text.
func (e *Encoder) N(text string) types.AttributeValue {
	if len(e.members.N) == 0 {
		e.members.N = make([]types.AttributeValueMemberN, fewMembers)
	}
	v := &e.members.N[0]
	e.members.N = e.members.N[1:]
	v.Value = text
	return v
}

// L is a list, shared with the caller.
func (e *Encoder) L(elements []types.AttributeValue) types.AttributeValue {
	if len(e.members.L) == 0 {
		e.members.L = make([]types.AttributeValueMemberL, 1)
	}
	v := &e.members.L[0]
	e.members.L = e.members.L[1:]
	v.Value = elements
	return v
}

// M is a map or a struct, shared with the caller.
func (e *Encoder) M(fields Item) types.AttributeValue {
	if len(e.members.M) == 0 {
		e.members.M = make([]types.AttributeValueMemberM, 1)
	}
	v := &e.members.M[0]
	e.members.M = e.members.M[1:]
	v.Value = fields
	return v
}

// SS is a set of texts, shared with the caller.
func (e *Encoder) SS(texts []string) types.AttributeValue {
	if len(e.members.SS) == 0 {
		e.members.SS = make([]types.AttributeValueMemberSS, 1)
	}
	v := &e.members.SS[0]
	e.members.SS = e.members.SS[1:]
	v.Value = texts
	return v
}
