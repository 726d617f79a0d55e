package provision

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/shape"
)

// A Table is the definition of a table: plain data, in the words of design files.
type Table struct {
	Name    string
	PK      Key
	SK      Key // the zero Key: the table has no sort key
	Indexes []Index

	// RCU and WCU are the provisioned capacity; 0: the table is billed on demand.
	RCU, WCU int64
	// Autoscaled says that something else moves the capacity: RCU and WCU are the values the
	// table starts with, and what it has later is left alone.
	Autoscaled bool

	Stream     string // "" or keys_only, new_image, old_image, new_and_old_images
	TTL        string // the attribute items expire by, or ""
	PITR       bool   // point-in-time recovery
	Class      string // "" or standard, standard-ia
	Encryption string // "" or aws-owned, aws-managed, customer
	KMSKey     string // id or ARN of the customer's key; "": that of the Options
	Protect    bool   // deletion protection
	Tags       map[string]string

	// Shape describes the items. Apply stores it in tags of the table, and refuses a table whose
	// items have another. With nil, Apply does not look at items.
	Shape *shape.Table
}

// A Key is one attribute of a key.
type Key struct {
	Name string
	Kind string // S, N or B
}

// An Index is the definition of a secondary index.
type Index struct {
	Name  string
	Local bool
	// PK and SK are one to four attributes each; SK may be empty. A local index has the
	// partition key of its table, so its PK is empty and its SK one attribute.
	PK, SK []Key
	// Project says what the index holds besides keys: "" or all, or keys. With Attributes
	// it holds these, and Project is "".
	Project    string
	Attributes []string
	// RCU and WCU are the capacity of a global index of a provisioned table; 0: as much
	// as the table's.
	RCU, WCU int64
}

// The words of a definition and what DynamoDB calls them.
var (
	streamViews = map[string]types.StreamViewType{
		"keys_only":          types.StreamViewTypeKeysOnly,
		"new_image":          types.StreamViewTypeNewImage,
		"old_image":          types.StreamViewTypeOldImage,
		"new_and_old_images": types.StreamViewTypeNewAndOldImages,
	}
	tableClasses = map[string]types.TableClass{
		"":            types.TableClassStandard,
		"standard":    types.TableClassStandard,
		"standard-ia": types.TableClassStandardInfrequentAccess,
	}
)

// DynamoDB's limits that a definition can break.
const (
	mostGlobal   = 20
	mostLocal    = 5
	mostKeyParts = 4
	mostIncluded = 20  // attributes of one index
	mostOfAll    = 100 // attributes of all indexes of a table together
)

// problems returns the errors of a definition on its own, each a sentence.
func (t Table) problems() []string {
	var all []string
	say := func(wrong bool, format string, args ...any) {
		if wrong {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	say(t.Name == "", "it has no name")
	say(t.PK.Name == "", "it has no partition key")
	say(t.SK.Name != "" && t.SK.Name == t.PK.Name, "its partition and its sort key are the same attribute")
	say((t.RCU > 0) != (t.WCU > 0) || t.RCU < 0 || t.WCU < 0, "it needs both RCU and WCU, or neither")
	_, known := streamViews[t.Stream]
	say(t.Stream != "" && !known, "%q is no view of a stream", t.Stream)
	_, known = tableClasses[t.Class]
	say(!known, "%q is no table class", t.Class)
	say(!slices.Contains([]string{"", "aws-owned", "aws-managed", "customer"}, t.Encryption), "%q is no encryption", t.Encryption)
	say(strings.Contains(t.KMSKey, "alias/"), "name the KMS key by its id or ARN, not by an alias: it could not be told whether a table has it")
	for key := range t.Tags {
		say(shape.IsTag(key), "the tag %s belongs to the shape of its items: give the tag another key", key)
	}
	return append(append(all, t.indexProblems()...), t.kindProblems()...)
}

func (t Table) indexProblems() []string {
	var all []string
	seen := map[string]bool{}
	global, local, included := 0, 0, 0
	for _, x := range t.Indexes {
		say := func(wrong bool, text string) {
			if wrong {
				all = append(all, fmt.Sprintf("index %s %s", x.Name, text))
			}
		}
		say(seen[x.Name], "is there twice")
		seen[x.Name] = true
		say(x.Project != "" && x.Project != "all" && x.Project != "keys", fmt.Sprintf("cannot project %q", x.Project))
		say(x.Project != "" && len(x.Attributes) > 0, "projects "+x.Project+" and attributes: say one of them")
		say(len(x.Attributes) > mostIncluded, fmt.Sprintf("projects %d attributes, and DynamoDB allows %d: project fewer, or all", len(x.Attributes), mostIncluded))
		included += len(x.Attributes)
		if x.Local {
			local++
			say(t.SK.Name == "", "is local, and its table has no sort key")
			say(len(x.PK) > 0 && !slices.Equal(x.PK, []Key{t.PK}), "is local and must have the partition key of its table")
			say(len(x.SK) != 1, "is local and needs one sort key attribute")
			continue
		}
		global++
		say(len(x.PK) == 0, "has no partition key")
		say(len(x.PK) > mostKeyParts || len(x.SK) > mostKeyParts, "has a key of more than four attributes")
		say((x.RCU > 0) != (x.WCU > 0), "needs both RCU and WCU, or neither")
	}
	for _, limit := range []struct {
		have, most int
		what       string
	}{{global, mostGlobal, "global indexes"}, {local, mostLocal, "local indexes"}, {included, mostOfAll, "attributes projected by name"}} {
		if limit.have > limit.most {
			all = append(all, fmt.Sprintf("it has %d %s, and DynamoDB allows %d", limit.have, limit.what, limit.most))
		}
	}
	return all
}

// kindProblems returns key attributes without a kind, or with two.
func (t Table) kindProblems() []string {
	var all []string
	kinds := map[string]string{}
	for _, k := range t.keys() {
		before, seen := kinds[k.Name]
		switch {
		case k.Kind != "S" && k.Kind != "N" && k.Kind != "B":
			all = append(all, fmt.Sprintf("key attribute %s has the kind %q, and must have S, N or B", k.Name, k.Kind))
		case seen && before != k.Kind:
			all = append(all, fmt.Sprintf("key attribute %s is %s in one key and %s in another", k.Name, before, k.Kind))
		}
		kinds[k.Name] = k.Kind
	}
	return all
}

// keys returns the attributes of all keys of the table, those of the table first.
func (t Table) keys() []Key {
	all := t.primary()
	for _, x := range t.Indexes {
		all = append(append(all, t.partition(x)...), x.SK...)
	}
	return all
}

// primary returns the key of the table itself.
func (t Table) primary() []Key {
	if t.SK.Name == "" {
		return []Key{t.PK}
	}
	return []Key{t.PK, t.SK}
}

// partition returns the partition key of an index.
func (t Table) partition(x Index) []Key {
	if x.Local {
		return []Key{t.PK}
	}
	return x.PK
}

// capacity returns the capacity of an index of a provisioned table.
func (t Table) capacity(x Index) (rcu, wcu int64) {
	if x.RCU > 0 {
		return x.RCU, x.WCU
	}
	return t.RCU, t.WCU
}

func (t Table) provisioned() bool { return t.RCU > 0 }

// index finds an index by name.
func (t Table) index(name string) (Index, bool) {
	i := slices.IndexFunc(t.Indexes, func(x Index) bool { return x.Name == name })
	if i < 0 {
		return Index{}, false
	}
	return t.Indexes[i], true
}
