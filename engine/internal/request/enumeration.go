package request

import (
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// An enumeration is a member that takes one of a few values.
type enumeration[T any] struct {
	path   string
	words  []string // in the order DynamoDB lists them
	values []T
}

// The enumerations of the operations.
var (
	capacityDetails = &enumeration[CapacityDetail]{
		"returnConsumedCapacity",
		[]string{"INDEXES", "TOTAL", "NONE"},
		[]CapacityDetail{CapacityIndexes, CapacityTotal, CapacityNone},
	}
	returnValues = &enumeration[ReturnValues]{
		"returnValues",
		[]string{"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"},
		[]ReturnValues{ReturnAllNew, ReturnUpdatedOld, ReturnAllOld, ReturnNone, ReturnUpdatedNew},
	}
	collectionMetrics = &enumeration[bool]{
		"returnItemCollectionMetrics", []string{"SIZE", "NONE"}, []bool{true, false},
	}
	returnOnFailure = &enumeration[bool]{
		"returnValuesOnConditionCheckFailure", []string{"ALL_OLD", "NONE"}, []bool{true, false},
	}
	selects = &enumeration[Select]{
		"select",
		[]string{"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"},
		[]Select{SelectSpecific, SelectCount, SelectAllAttributes, SelectAllProjected},
	}
	billingModes = plain("billingMode", dynamo.BillingProvisioned, dynamo.BillingOnDemand)
	tableClasses = plain("tableClass", dynamo.ClassStandard, dynamo.ClassInfrequentAccess)
	streamViews  = plain("streamSpecification.streamViewType",
		dynamo.ViewOldImage, dynamo.ViewKeysOnly, dynamo.ViewNewAndOldImages, dynamo.ViewNewImage)
	keyTypes    = plain("keyType", keyHash, keyRange)
	scalarTypes = &enumeration[dynamo.Kind]{
		"attributeType",
		[]string{"B", "N", "S"},
		[]dynamo.Kind{dynamo.KindBinary, dynamo.KindNumber, dynamo.KindString},
	}
	distanceFunctions = plain("distanceFunction", dynamo.DistanceCosine, dynamo.DistanceDotProduct, dynamo.DistanceEuclidean)
	searchTypes       = plain("searchSchemaElementType", searchHash, searchFilter)
	projectionTypes   = plain("projectionType", dynamo.ProjectAll, dynamo.ProjectInclude, dynamo.ProjectKeysOnly)
	encryptionTypes   = plain("sSESpecification.sSEType", "AES256", "KMS")
	insightsActions   = &enumeration[bool]{"contributorInsightsAction", []string{"ENABLE", "DISABLE"}, []bool{true, false}}
	insightsModes     = plain("contributorInsightsMode", dynamo.InsightsAccessedAndThrottled, dynamo.InsightsThrottled)
	precisions        = plain("approximateCreationDateTimePrecision", dynamo.PrecisionMillisecond, dynamo.PrecisionMicrosecond)
	bulkFormats       = plain("inputFormat", dynamo.BulkFormatJSON, dynamo.BulkFormatIon)
	bulkCompressions  = plain("inputCompressionType", "GZIP", "ZSTD", "NONE")
	bulkReports       = plain("outputType", dynamo.BulkReportErrors, dynamo.BulkReportConditions)
	bulkTiers         = plain("performanceTier", "STANDARD", "ACCELERATED")
	backupTypes       = plain("backupType", "AWS_BACKUP", "SYSTEM", "USER", "ALL")
	shardFilters      = plain("shardFilter.type", "CHILD_SHARDS")
	iteratorTypes     = &enumeration[IteratorType]{
		"shardIteratorType",
		[]string{"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER", "AT_TIMESTAMP"},
		[]IteratorType{TrimHorizon, Latest, FromSequence, AfterSequence, FromTime},
	}
)

// newerReturnValues is the newer validator's message about ReturnValues.
// UPDATE_NEW is DynamoDB's own typo.
const newerReturnValues = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"

// plain returns an enumeration whose words are its values.
func plain(path string, words ...string) *enumeration[string] {
	return &enumeration[string]{path, words, words}
}

// has reports whether word is one of the enumeration or was not sent.
func (e *enumeration[T]) has(word string) bool {
	return word == "" || slices.Contains(e.words, word)
}

// value returns the value of a word; the zero value when it was not sent or is unknown.
func (e *enumeration[T]) value(word string) (value T) {
	if i := slices.Index(e.words, word); i >= 0 {
		return e.values[i]
	}
	return value
}

// check records an unknown word as a violation.
func (e *enumeration[T]) check(word string, v *violations) {
	e.checkAt(e.path, word, v)
}

// checkAt is check for a nested member.
func (e *enumeration[T]) checkAt(path, word string, v *violations) {
	if !e.has(word) {
		v.broken(word, path, "Member must satisfy enum value set: ["+strings.Join(e.words, ", ")+"]")
	}
}

// require is checkAt for a required member.
func (e *enumeration[T]) require(path, word string, v *violations) {
	if word == "" {
		v.missing(path)
		return
	}
	e.checkAt(path, word, v)
}
