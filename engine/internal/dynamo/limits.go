package dynamo

// The limits of the service, in bytes unless a comment says otherwise.
const (
	MaxItemSize            = 400 << 10
	MaxPartitionKeySize    = 2048
	MaxSortKeySize         = 1024
	MaxNesting             = 32 // levels of values in an item; a scalar attribute is at level 1
	MaxPageSize            = 1 << 20
	MaxBatchWrite          = 25  // requests
	MaxBatchGet            = 100 // keys
	MaxBatchResponse       = 16 << 20
	MaxRequestSize         = 16 << 20
	MaxExpressionSize      = 4096
	MaxExpressionOperators = 300
	MaxInOperands          = 100
	MaxAttributeNameSize   = 64<<10 - 1
	MaxKeyNameSize         = 255
	MaxSegments            = 1_000_000
	MaxGlobalIndexes       = 20  // per table
	MaxLocalIndexes        = 5   // per table
	MaxProjectedAttributes = 100 // INCLUDE attributes over all indexes of a table
	MaxKeyAttributes       = 4   // partition or sort attributes of one global index
	MaxTags                = 50  // per resource
	MaxTransactItems       = 100 // actions of a transaction
	MaxTransactSize        = 4 << 20
	MaxTokenLength         = 36   // characters of a client request token
	MaxRecords             = 1000 // records of one GetRecords
	MaxPolicySize          = 20 << 10
	MaxStatement           = 8192 // characters of a statement of PartiQL
	MaxBatchStatements     = 25
	MaxNextToken           = 32768 // characters
)

// TransactValueLevel is the level of a scalar among the expression attribute values
// of a transaction. It is one less than elsewhere: such a value may be nested one
// level deeper than an item, and is rejected only where it is stored.
const TransactValueLevel = 0

// FarNesting is the deepest level of a value that the newer validator decodes. Writes
// of single items with a deeper value are checked by the older validator.
const FarNesting = 63
