package dynamo

import "slices"

// A KeyAttribute is an attribute that is part of a key, with its kind.
type KeyAttribute struct {
	Name string
	Kind Kind // KindString, KindNumber or KindBinary
}

// A KeySchema is the key of a table or index. Tables and local indexes have one
// partition and at most one sort attribute; global indexes up to four of each.
type KeySchema struct {
	Partition []KeyAttribute
	Sort      []KeyAttribute
}

// Attributes lists the partition attributes, then the sort attributes.
func (s KeySchema) Attributes() []KeyAttribute {
	return slices.Concat(s.Partition, s.Sort)
}

// Has reports whether name is part of the key.
func (s KeySchema) Has(name string) bool {
	named := func(a KeyAttribute) bool { return a.Name == name }
	return slices.ContainsFunc(s.Partition, named) || slices.ContainsFunc(s.Sort, named)
}

// Enumerations that the engine uses.
const (
	BillingProvisioned = "PROVISIONED"
	BillingOnDemand    = "PAY_PER_REQUEST"

	ProjectAll      = "ALL"
	ProjectKeysOnly = "KEYS_ONLY"
	ProjectInclude  = "INCLUDE"

	ClassStandard         = "STANDARD"
	ClassInfrequentAccess = "STANDARD_INFREQUENT_ACCESS"

	StatusActive   = "ACTIVE"
	StatusCreating = "CREATING"
	StatusUpdating = "UPDATING"
	StatusDeleting = "DELETING"

	StreamEnabled  = "ENABLED"
	StreamDisabled = "DISABLED"

	ViewKeysOnly        = "KEYS_ONLY"
	ViewNewImage        = "NEW_IMAGE"
	ViewOldImage        = "OLD_IMAGE"
	ViewNewAndOldImages = "NEW_AND_OLD_IMAGES"

	ExpiryEnabled  = "ENABLED"
	ExpiryDisabled = "DISABLED"

	EventInsert = "INSERT"
	EventModify = "MODIFY"
	EventRemove = "REMOVE"
)

// Throughput is provisioned capacity, or a cap on on-demand capacity where -1
// means no cap.
type Throughput struct {
	Read  int64
	Write int64
}

// An IndexDefinition is a secondary index as the user defined it.
type IndexDefinition struct {
	Name             string
	Key              KeySchema
	ProjectionType   string
	NonKeyAttributes []string    `json:",omitempty"` // of an INCLUDE projection, as sent
	Throughput       Throughput  // zero on local indexes and on-demand tables
	OnDemand         *Throughput `json:",omitempty"`
	Warm             *Throughput `json:",omitempty"`
}

// A TableDefinition is a table as the user defined it: validated and free of
// contradictions. The catalog stores it.
type TableDefinition struct {
	Name               string
	Attributes         []KeyAttribute // the attribute definitions, in the order they were sent
	Key                KeySchema
	Local              []IndexDefinition  `json:",omitempty"`
	Global             []IndexDefinition  `json:",omitempty"`
	Vector             []VectorDefinition `json:",omitempty"`
	BillingMode        string
	Throughput         Throughput
	OnDemand           *Throughput       `json:",omitempty"`
	Warm               *Throughput       `json:",omitempty"`
	DeletionProtection bool              `json:",omitempty"`
	Class              string            `json:",omitempty"` // empty when it was never set
	Encryption         *SSESpecification `json:",omitempty"` // nil: the service's own key
	StreamView         string            `json:",omitempty"` // the view type of the table's stream; empty: no stream
	Tags               map[string]string `json:",omitempty"`
	Policy             *ResourcePolicy   `json:",omitempty"` // nil: none
}

// A ResourcePolicy says who may do what with a table or a stream. It is stored and described,
// not enforced.
type ResourcePolicy struct {
	Document string // as responses return it
	Revision string // set by the catalog
}
