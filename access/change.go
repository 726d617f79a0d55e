package access

// A Change says how items of the two versions differ that a generated package holds while its design changes. Package part
// implements it, and package call asks it. What only one version stores of the items of an entity is a part of them, named like the entity of the
// new version.
type Change interface {
	// AsNew returns an item as the new version reads it before it has all its parts: with the values of attributes that have other names
	// or other defaults in the old version.
	AsNew(parts []string, item Item) (Item, error)
	// Image returns an item of a stream's record as the new version reads it, whichever version wrote it, without the keys of indexes
	// that only one version stores.
	Image(part string, item Item) (Item, error)
	// Renamed maps the names of stored attributes in the old version to those in the new one, where they differ.
	Renamed(part string) map[string]string
	// Computed returns the attributes that only the new version stores and that follow from others.
	Computed(part string) []string
	// OldItem returns an item of the new version as the old one stores it.
	OldItem(part string, item Item) (Item, error)
	// OldKeys returns the keys that only the old version stores and that are made of one of the changed attributes, all under their old
	// names: nil for a key that the item does not have. Known has the values of attributes after the change, nil for those that are removed.
	// The error is a *UnknownError if a key needs more.
	OldKeys(part string, changed []string, known Item) (Item, error)
	// Places returns where the two versions keep the items of a part; nil: in the same place.
	Places(part string) *Places
	// Counter returns a counter that only the new version has, by the name of its part.
	Counter(part string) (Counter, error)
}

// A Counter is a counter or a sum that only the new version of a design has, as package call keeps it during a migration. Each item that is
// counted carries a mark that says with what; the counter is the sum of the marks.
type Counter interface {
	Keeper() (table, attribute string) // where the counter is: the table as the design names it, and the attribute as it is stored
	Mark() string                      // the attribute of an item that says with what it was counted
	Sources() []string                 // stored attributes that decide with what an item is counted
	Share(item Item) (*Share, error)   // with what an item is counted; nil: with nothing
}

// A Share holds what an item adds to a counter.
type Share struct {
	Of Item   // the primary key of the item that keeps the counter
	By string // the number
}

// Places are the two places of the items of an entity that lie under another key, or in another table, in the new version of a design.
type Places struct{ Old, New Place }

// A Place says where a version of a design keeps the items of an entity, and makes them from those of the other place.
type Place struct {
	Table      string                                        // as the design names it
	Keys       []string                                      // the attributes of its primary key
	Item       func(other Item) (Item, error)                // the item of this place
	Name       func(other string) (name string, stored bool) // of an attribute that updates of the other place change; false: they do not change it here
	Attributes func(Item) []string                           // those that an item has, and those that it may have
	Holds      func(Item) bool                               // of New: whether an item that was read is not one of the old place
	Only       []string                                      // what callers give and only this place stores
	Known      func(otherKey, known Item) Item               // of Old: what a key, and attributes that a call knows, tell of the item
	Key        func(known Item) (Item, error)                // of Old: its primary key; the error is an *UnknownError if more has to be known
}

// An UnknownError says that a write does not give all that a key is made of.
type UnknownError struct {
	Key       string
	Attribute string // under its name in the old version
}

func (e *UnknownError) Error() string {
	return "access: the key " + e.Key + " of the old version of the design is made of " + e.Attribute + ", which the call does not give"
}
