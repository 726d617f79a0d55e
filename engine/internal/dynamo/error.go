package dynamo

import "fmt"

// A Code is the name of an error type as clients see it.
type Code string

// The codes, as they are spelled on the wire.
const (
	AccessDenied                    Code = "AccessDeniedException"
	BackupNotFound                  Code = "BackupNotFoundException"
	ConditionalCheckFailed          Code = "ConditionalCheckFailedException"
	DuplicateItem                   Code = "DuplicateItemException"
	ExpiredIterator                 Code = "ExpiredIteratorException"
	ExportNotFound                  Code = "ExportNotFoundException"
	GlobalTableNotFound             Code = "GlobalTableNotFoundException"
	IdempotentParameterMismatch     Code = "IdempotentParameterMismatchException"
	ImportNotFound                  Code = "ImportNotFoundException"
	InternalFailure                 Code = "InternalFailure"
	InternalServerError             Code = "InternalServerError"
	InvalidEndpoint                 Code = "InvalidEndpointException"
	ItemCollectionSizeLimitExceeded Code = "ItemCollectionSizeLimitExceededException"
	LateRequest                     Code = "LateRequestException" // ours: see WithUntil
	LimitExceeded                   Code = "LimitExceededException"
	PolicyNotFound                  Code = "PolicyNotFoundException"
	ResourceInUse                   Code = "ResourceInUseException"
	ResourceNotFound                Code = "ResourceNotFoundException"
	Serialization                   Code = "SerializationException"
	TableMissing                    Code = "TableNotFoundException"
	TransactionCanceled             Code = "TransactionCanceledException"
	TransactionConflict             Code = "TransactionConflictException"
	TransactionInProgress           Code = "TransactionInProgressException"
	TrimmedDataAccess               Code = "TrimmedDataAccessException"
	UnknownOperation                Code = "UnknownOperationException"
	Validation                      Code = "ValidationException"
)

// Error is an error that DynamoDB would return. Every other error that reaches a door
// is a failure of the engine and is returned as InternalServerError.
type Error struct {
	Code    Code
	Message string
	// Item is the current item of a ConditionalCheckFailed whose request asked for it.
	Item Item
	// Reasons says, for each action of a TransactionCanceled, why it failed.
	Reasons []CancellationReason
}

// A CancellationReason is the result of one action of a cancelled transaction.
type CancellationReason struct {
	Code    string
	Message string // empty for ReasonNone
	// Item is the current item of a failed condition whose action asked for it.
	Item Item
}

// The codes of cancellation reasons.
const (
	ReasonNone                   = "None"
	ReasonConditionalCheckFailed = "ConditionalCheckFailed"
	ReasonDuplicateItem          = "DuplicateItem"
	ReasonTransactionConflict    = "TransactionConflict"
	ReasonValidationError        = "ValidationError"
)

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Errorf returns an Error with any code.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns a ValidationException.
func Invalid(format string, args ...any) *Error { return Errorf(Validation, format, args...) }

// TableNotFound returns the error of the item operations for a table that does not exist.
func TableNotFound() *Error { return Errorf(ResourceNotFound, "Requested resource not found") }
