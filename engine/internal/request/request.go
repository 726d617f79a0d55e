// Package request checks the inputs of the operations. Each operation has a
// function that takes the input a door has read and returns either a checked
// request, with its expressions parsed and its enumerations resolved, or the
// error DynamoDB answers before it looks at a table. The order of the checks
// and the sentences are DynamoDB's.
//
// What needs the table (does the key match its schema, is there such an index)
// is checked by package table, which is the only caller's next step. Nothing
// that passed here is parsed or checked again.
package request

// ReturnValues says which attributes a write answers with.
type ReturnValues int

// The ReturnValues of the API.
const (
	ReturnNone ReturnValues = iota
	ReturnAllOld
	ReturnUpdatedOld
	ReturnAllNew
	ReturnUpdatedNew
)

// CapacityDetail says how much a request wants to know of its cost.
type CapacityDetail int

// The values of ReturnConsumedCapacity.
const (
	CapacityNone CapacityDetail = iota
	CapacityTotal
	CapacityIndexes
)

// Select says what a query or scan answers with.
type Select int

// The values of Select. SelectDefault means that none was sent: all attributes
// of a table, the projected ones of an index, the projection where there is one.
const (
	SelectDefault Select = iota
	SelectAllAttributes
	SelectAllProjected
	SelectSpecific
	SelectCount
)
