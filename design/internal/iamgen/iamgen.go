// Package iamgen generates IAM policies for the roles of a design: for each role exactly the
// actions, tables, indexes and partitions its patterns need, and notes about what IAM cannot
// restrict.
//
// It uses the plans of package resolve and formats policy documents as JSON. Package iacgen
// writes the same documents into templates; package design returns them to the command line.
package iamgen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A Policy holds the permissions of one role of a design.
type Policy struct {
	Role      string
	Doc       string
	Documents []Document // more than one if the whole is too large for one managed policy
	Notes     []string   // what the documents do not restrict, and why
}

// A Document is one policy document.
type Document struct{ Statements []Statement }

// A Statement allows actions on tables and indexes.
type Statement struct {
	Sid       string
	Actions   []string   // GetItem, Query; sorted
	Resources []Resource // sorted
	// LeadingKeys lists the partition keys the actions are allowed for; empty means all.
	// They are in IAM's syntax: * for any text, ${…} for a property of the caller.
	LeadingKeys []string
	// Further lists the same for the second to fourth attribute of a partition key; an empty list
	// means any value.
	Further [][]string
	// Attributes lists the attributes a read may name; empty means all.
	Attributes []string
	Patterns   []string // that need the statement, in the order of the design
	// Fence denies the actions to principals without the tag VersionTag, instead of allowing them. It is for a policy of a
	// table.
	Fence bool
}

// A Resource is a table of the design, one of its indexes, or its streams, whose ARNs are
// known only once they exist.
type Resource struct {
	Table, Index string
	Streams      bool
}

// Below returns the suffix of the resource's ARN after that of the table.
func (r Resource) Below() string {
	switch {
	case r.Streams:
		return "/stream/*"
	case r.Index != "":
		return "/index/" + r.Index
	}
	return ""
}

// Like reports whether a leading key has a wildcard and needs StringLike.
func (s Statement) Like() bool {
	return slices.ContainsFunc(slices.Concat(append([][]string{s.LeadingKeys}, s.Further...)...), hasWildcard)
}

// hasWildcard reports whether a key has a wildcard. A literal star is written ${*}.
func hasWildcard(key string) bool {
	return strings.Contains(strings.ReplaceAll(key, "${*}", ""), "*")
}

// Reads reports whether the statement allows reading only.
func (s Statement) Reads() bool {
	return !slices.ContainsFunc(s.Actions, func(a string) bool { return !isRead(a) })
}

func isRead(action string) bool {
	return action == "GetItem" || action == "BatchGetItem" || action == "Query"
}

// Of returns the policies of all roles, in the order of the design. Longest is the length of
// the longest ARN in the documents, without the names of table and index: documents are
// split to fit within the limit.
func Of(l *resolve.Layout, longest int) []Policy { return WithState(l, nil, longest) }

// A State is where the state row of a design with a history lies, which processes read before they send anything.
type State struct{ Table, Partition string }

// WithState is Of for a design with a history: every role may read the state row, also where it uses other tables
// only. Used designs have state rows of their own.
func WithState(l *resolve.Layout, states []State, longest int) []Policy {
	var all []Policy
	for _, role := range l.Design().Roles {
		all = append(all, policyOf(l, role, states, longest))
	}
	return all
}

func policyOf(l *resolve.Layout, role *model.Role, states []State, longest int) Policy {
	p := Policy{Role: role.Name, Doc: role.Doc}
	w := writerOf(l, role)
	w.noteWrites()
	w.noteKeys(l.Design())
	p.Notes = w.words()
	statements := named(role.Name, merge(w.grants))
	for i, state := range states {
		sid := Letters(role.Name) + "State"
		if i > 0 {
			sid += fmt.Sprint(i + 1)
		}
		statements = slices.Insert(statements, i, state.statement(sid))
	}
	p.Documents = cut(statements, longest)
	return p
}

func writerOf(l *resolve.Layout, role *model.Role) *writer {
	w := &writer{role: role, layout: l}
	for _, pattern := range role.Patterns {
		w.pattern(l.Plan(pattern))
	}
	return w
}

// A grant is one permission that a pattern needs.
type grant struct {
	action     string
	resource   Resource
	key        string   // "": any partition
	further    []string // of the second to fourth attribute of the partition key; "": any
	attributes []string // nil: all; sorted
	patterns   []string
}

// A writer collects the grants and notes of a role.
type writer struct {
	role   *model.Role
	layout *resolve.Layout
	grants []grant
	notes  []note
	writes bool
	tables []*model.Table
}

// A note is a remark and the patterns it is about.
type note struct {
	text     string
	patterns []string
}

// note adds a remark about a pattern; equal remarks are combined.
func (w *writer) note(pattern, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	i := slices.IndexFunc(w.notes, func(n note) bool { return n.text == text })
	if i < 0 {
		i, w.notes = len(w.notes), append(w.notes, note{text: text})
	}
	if pattern != "" {
		w.notes[i].patterns = union(w.notes[i].patterns, []string{pattern})
	}
}

// words formats the notes.
func (w *writer) words() []string {
	all := make([]string, len(w.notes))
	for i, n := range w.notes {
		all[i] = n.text
		if len(n.patterns) > 0 {
			all[i] = strings.Join(n.patterns, ", ") + ": " + n.text
		}
	}
	return all
}

func (w *writer) pattern(plan *resolve.Plan) {
	if !plan.Served() {
		w.note(plan.Pattern.Name, "no key serves it, so it has no permissions")
		return
	}
	for _, r := range plan.Reads() {
		w.read(r)
	}
	for _, write := range plan.Writes {
		w.write(plan, write)
	}
}

func (w *writer) read(r *resolve.Read) {
	path := r.Entry.Path
	resource := Resource{Table: path.Table.Name}
	if path.Index != nil {
		resource.Index = path.Index.Name
	}
	w.touch(path.Table)
	attributes := readAttributes(r)
	keys := [][]string{{""}}
	switch {
	case r.Operation != resolve.Scan:
		keys = w.leading(r.Pattern.Name, "read", path, r.Partition)
	case len(w.role.Bind) > 0:
		w.note(r.Pattern.Name, "a scan reads all of %s, whatever its partition key", path)
	}
	for _, key := range keys {
		for _, action := range readActions(r) {
			w.grants = append(w.grants, grant{action, resource, key[0], key[1:], attributes, []string{r.Pattern.Name}})
		}
	}
	for _, sum := range sumsOf(w.layout, r) {
		w.sum(r, sum)
	}
}

// sum grants reading the keys and the number of the shards of a counter.
func (w *writer) sum(r *resolve.Read, sum *resolve.Sum) {
	table, pattern := sum.Item.Table, r.Pattern.Name
	attributes := []string{table.PK.Name, sum.Counter.Attribute.Stored}
	if table.SK.Name != "" {
		attributes = append(attributes, table.SK.Name)
	}
	slices.Sort(attributes)
	verb := "read" // as for the table itself
	if !r.Entry.Path.IsTable() {
		verb = "read " + sum.Counter.Attribute.Stored + " of"
	}
	keys := [][]string{{""}}
	if r.Operation != resolve.Scan {
		keys = w.leading(pattern, verb, resolve.Path{Table: table}, []resolve.KeyCondition{sum.Under(r)})
	}
	for _, key := range keys {
		w.grants = append(w.grants, grant{"BatchGetItem", Resource{Table: table.Name}, key[0], key[1:], attributes, []string{pattern}})
	}
}

// sumsOf returns the sums of sharded counters that a read returns: permission to read an item
// includes its sharded counters, unless the read selects other attributes.
func sumsOf(l *resolve.Layout, r *resolve.Read) []*resolve.Sum {
	var all []*resolve.Sum
	for _, e := range r.Entities {
		for _, sum := range l.Sums(e) {
			selects := func(a *model.Attribute) bool { return a.Name == sum.Counter.Attribute.Name }
			if len(r.Pattern.Select) == 0 || slices.ContainsFunc(r.Pattern.Select, selects) {
				all = append(all, sum)
			}
		}
	}
	return all
}

// readActions returns the actions of the generated method of a read. A get by primary key has
// a batch variant unless it has select or conditions. A list that returns one item is still a
// Query in generated code, which paginates.
func readActions(r *resolve.Read) []string {
	switch {
	case r.Operation == resolve.Scan:
		return []string{"Scan"}
	case r.Operation == resolve.BatchGetItem:
		return []string{"BatchGetItem"}
	case r.Pattern.Verb != model.Get || r.Operation != resolve.GetItem:
		return []string{"Query"}
	case len(r.Pattern.Select) > 0 || len(r.Checks) > 0 || r.Queries > 1 || r.Pattern.Part != "":
		return []string{"GetItem"}
	}
	return []string{"GetItem", "BatchGetItem"}
}

// readAttributes returns all attributes a read with select can name: those of the request, the
// keys, which pagination needs, and the type attribute.
func readAttributes(r *resolve.Read) []string {
	if len(r.Pattern.Select) == 0 {
		return nil
	}
	table := r.Entry.Path.Table
	all := []string{table.PK.Name, table.SK.Name, table.Type}
	for _, key := range slices.Concat(r.Entry.PK, r.Entry.SK) {
		all = append(all, key.Name)
	}
	for _, n := range r.Statement.Names {
		all = append(all, n.Attribute)
	}
	for _, c := range model.Comparisons(slices.Concat(r.Checks, r.Filter)) {
		all = append(all, c.Attribute.Stored)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "" })
}

// member returns a member of a request, or nil.
func member(request any, name string) any {
	object, _ := request.(resolve.Object)
	for _, m := range object {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// writeActions maps the operations of a plan to permissions. Transactions have none of their
// own: IAM checks each of their actions.
var writeActions = map[resolve.Operation]string{
	resolve.PutItem: "PutItem", resolve.UpdateItem: "UpdateItem",
	resolve.DeleteItem: "DeleteItem", resolve.ConditionCheck: "ConditionCheckItem",
}

func (w *writer) write(plan *resolve.Plan, write *resolve.PlannedWrite) {
	table := write.Item.Table
	w.touch(table)
	w.writes = true
	actions := []string{writeActions[write.Operation]}
	if hasBatch(plan) {
		actions = append(actions, "BatchWriteItem")
	}
	var partition []resolve.KeyCondition
	for _, key := range write.Key {
		if key.Name == table.PK.Name {
			partition = append(partition, key)
		}
	}
	verb := "write"
	if write.Operation == resolve.ConditionCheck {
		verb = "check"
	}
	for _, key := range w.leading(plan.Pattern.Name, verb, resolve.Path{Table: table}, partition) {
		for _, action := range actions {
			w.grants = append(w.grants, grant{action, Resource{Table: table.Name}, key[0], key[1:], nil, []string{plan.Pattern.Name}})
		}
	}
}

// Operations returns the operations generated code calls on a table to serve a plan,
// including batch variants and sums of counters.
func Operations(l *resolve.Layout, plan *resolve.Plan, t *model.Table) []string {
	if !plan.Served() {
		return nil
	}
	var all []string
	for _, r := range plan.Reads() {
		if r.Entry.Path.Table != t {
			continue
		}
		if r.Pattern.Part != "" {
			all = union(all, []string{string(resolve.TransactGetItems)})
		} else {
			all = union(all, readActions(r))
		}
		if len(sumsOf(l, r)) > 0 {
			all = union(all, []string{"BatchGetItem"})
		}
	}
	for _, write := range plan.Writes {
		switch {
		case write.Item.Table != t:
		case plan.Pattern.Verb == model.Transact || len(plan.Writes) > 1 || write.Step.Each > 1:
			all = union(all, []string{string(resolve.TransactWriteItems)})
		default:
			all = union(all, []string{string(write.Operation)})
		}
	}
	if len(all) > 0 && hasBatch(plan) {
		all = append(all, "BatchWriteItem")
	}
	return all
}

// hasBatch reports whether generated code has a batch variant of a write: one put or
// delete without any condition.
func hasBatch(plan *resolve.Plan) bool {
	verb := plan.Pattern.Verb
	if verb != model.Put && verb != model.Delete || len(plan.Writes) != 1 {
		return false
	}
	return member(plan.Writes[0].Request(), "ConditionExpression") == nil
}

func (w *writer) touch(t *model.Table) {
	if !slices.Contains(w.tables, t) {
		w.tables = append(w.tables, t)
	}
}

// noteWrites adds a note on why writes are not restricted to attributes.
func (w *writer) noteWrites() {
	if w.writes {
		w.note("", "writes are restricted to partitions and to what they return (dynamodb:ReturnValues), not to attributes: generated code requests the item after an update "+
			"and the item that failed a condition, and dynamodb:Attributes would deny that")
	}
}

// noteKeys adds a note on the permissions for tables with a customer managed key.
func (w *writer) noteKeys(d *model.Design) {
	for _, t := range d.Tables {
		if t.Encryption == "customer" && slices.Contains(w.tables, t) {
			w.note("", "%s is encrypted with a customer managed key: the key policy must allow the role to use it through DynamoDB", t.Name)
		}
	}
}

func compareResources(a, b Resource) int {
	return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index))
}
