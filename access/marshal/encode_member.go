package marshal

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// Inside takes memory for n times the values of an element, such as a struct in a list,
// and returns the memory of what is around it, for Outside.
func (e *Encoder) Inside(n, texts, numbers, lists, maps int) (outer Members) {
	outer = e.members
	e.members = Members{
		S: make([]types.AttributeValueMemberS, 0, n*texts),
		N: make([]types.AttributeValueMemberN, 0, n*numbers),
		L: make([]types.AttributeValueMemberL, 0, n*lists),
		M: make([]types.AttributeValueMemberM, 0, n*maps),
	}
	return outer
}

// Outside goes back to the memory that Inside returned.
func (e *Encoder) Outside(outer Members) { e.members = outer }

// The methods below are as short as they are so that they are inlined: then the place of
// the next value is known to be on the stack, and moving it on needs nothing of the
// garbage collector. Values that were handed out stay where they are when there is no room
// for more; only what comes then is elsewhere.

// S returns a text.
func (e *Encoder) S(text string) types.AttributeValue {
	e.members.S = append(e.members.S, types.AttributeValueMemberS{Value: text})
	return &e.members.S[len(e.members.S)-1]
}

// N returns a number, given as text.
func (e *Encoder) N(text string) types.AttributeValue {
	e.members.N = append(e.members.N, types.AttributeValueMemberN{Value: text})
	return &e.members.N[len(e.members.N)-1]
}

// L returns a list, shared with the caller.
func (e *Encoder) L(elements []types.AttributeValue) types.AttributeValue {
	e.members.L = append(e.members.L, types.AttributeValueMemberL{Value: elements})
	return &e.members.L[len(e.members.L)-1]
}

// M returns a map or a struct, shared with the caller.
func (e *Encoder) M(fields access.Item) types.AttributeValue {
	e.members.M = append(e.members.M, types.AttributeValueMemberM{Value: fields})
	return &e.members.M[len(e.members.M)-1]
}

// SS returns a set of texts, shared with the caller.
func (e *Encoder) SS(texts []string) types.AttributeValue {
	e.members.SS = append(e.members.SS, types.AttributeValueMemberSS{Value: texts})
	return &e.members.SS[len(e.members.SS)-1]
}
