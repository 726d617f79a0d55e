// Package request validates the inputs of the operations. Each operation has a
// function that takes the input a door has decoded and returns either a checked
// request, with its expressions parsed and its enumerations resolved, or the
// error that DynamoDB returns before it reads a table. The order of the checks
// and the messages are DynamoDB's.
//
// Checks that need the table (does the key match its schema, does the index exist)
// belong to package table, which runs next. Nothing that passed here is parsed or
// checked again.
package request

// ReturnValues selects the attributes that a write returns.
type ReturnValues int

// The ReturnValues of the API.
const (
	ReturnNone ReturnValues = iota
	ReturnAllOld
	ReturnUpdatedOld
	ReturnAllNew
	ReturnUpdatedNew
)

// CapacityDetail selects how much detail about its consumed capacity a request returns.
type CapacityDetail int

// The values of ReturnConsumedCapacity.
const (
	CapacityNone CapacityDetail = iota
	CapacityTotal
	CapacityIndexes
)

// Select selects what a query or scan returns.
type Select int

// The values of Select. SelectDefault means that none was sent: all attributes
// of a table, the projected attributes of an index, or the projection if there is one.
const (
	SelectDefault Select = iota
	SelectAllAttributes
	SelectAllProjected
	SelectSpecific
	SelectCount
)
