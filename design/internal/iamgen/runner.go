package iamgen

import "slices"

// VersionTag is the tag of principals that run code which goes through the phases of a migration.
const VersionTag = "sortkey-version"

// A Runner carries a migration out.
type Runner struct {
	Control string // the table of its rows
	State   *State
	Tables  []Access
}

// An Access says what a migration does with a table. One table may be there more than once.
type Access struct {
	Table   string
	Items   bool // reads all items and changes some in place
	Rows    bool // puts, checks and deletes items: copies, and rows of unique rules and counters
	Made    bool // the table is made
	Updated bool // indexes are made or removed, or a stream is switched on
	Stream  bool // changes are watched
	Backup  bool // a backup is made before something is lost
}

// Policy returns the policy of the runner.
func (r Runner) Policy(longest int) Policy {
	var made, updated, streams, backups []Resource
	all := []Resource{}
	actions := map[string][]string{} // of items, by table
	add := func(to *[]Resource, r Resource) {
		if !slices.Contains(*to, r) {
			*to = append(*to, r)
		}
	}
	for _, a := range r.Tables {
		table := Resource{Table: a.Table}
		add(&all, table)
		for _, one := range []struct {
			does bool
			to   *[]Resource
		}{{a.Made, &made}, {a.Updated, &updated}, {a.Backup, &backups}} {
			if one.does {
				add(one.to, table)
			}
		}
		if a.Stream {
			add(&streams, Resource{Table: a.Table, Streams: true})
		}
		if a.Items {
			actions[a.Table] = union(actions[a.Table], []string{"GetItem", "Scan", "UpdateItem"})
		}
		if a.Rows {
			actions[a.Table] = union(actions[a.Table], []string{"ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Scan", "UpdateItem"})
		}
	}
	control := Resource{Table: r.Control}
	statements := []Statement{
		{Sid: "Control", Actions: []string{"CreateTable", "DeleteItem", "DescribeTable", "GetItem", "PutItem", "Query", "UpdateItem"}, Resources: []Resource{control}},
	}
	if r.State != nil {
		state := r.State.statement("State")
		state.Actions = []string{"GetItem", "PutItem", "UpdateItem"}
		statements = append(statements, state)
	}
	statements = append(statements, itemStatements(all, actions)...)
	statements = append(statements, Statement{Sid: "Tables", Resources: all, Actions: []string{
		"DescribeContinuousBackups", "DescribeTable", "DescribeTimeToLive", "ListTagsOfResource", "TagResource", "UntagResource",
	}})
	for _, s := range []Statement{
		{Sid: "Make", Actions: []string{"CreateTable", "DeleteTable", "UpdateContinuousBackups", "UpdateTimeToLive"}, Resources: made},
		{Sid: "Update", Actions: []string{"UpdateTable"}, Resources: updated},
		{Sid: "Watch", Actions: []string{"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"}, Resources: streams},
		{Sid: "Backups", Actions: []string{"CreateBackup", "ListBackups"}, Resources: backups},
	} {
		if len(s.Resources) > 0 {
			statements = append(statements, s)
		}
	}
	for i := range statements {
		slices.SortFunc(statements[i].Resources, compareResources)
	}
	p := Policy{Role: "migrate", Doc: "Carries out migrations.", Documents: cut(statements, longest)}
	p.Notes = append(p.Notes, "the permissions are those of the migrations that are not settled; print them again for the next one")
	if len(made) > 0 {
		p.Notes = append(p.Notes, "a run that goes back deletes the tables that it made, if they are empty; migrate apply --drop needs dynamodb:DeleteTable on old tables too")
	}
	if len(all) > len(actions) {
		p.Notes = append(p.Notes, "tables without the tag sortkey:shape are sampled, which needs dynamodb:Scan on them too")
	}
	return p
}

// itemStatements returns the statements about items, one for all tables with the same actions.
func itemStatements(tables []Resource, actions map[string][]string) []Statement {
	var all []Statement
	for _, t := range tables {
		own := slices.Sorted(slices.Values(actions[t.Table]))
		if len(own) == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(s Statement) bool { return slices.Equal(s.Actions, own) })
		if i < 0 {
			sid := "Items"
			if slices.Contains(own, "PutItem") {
				sid = "Rows"
			}
			i, all = len(all), append(all, Statement{Sid: sid, Actions: own})
		}
		all[i].Resources = append(all[i].Resources, t)
	}
	return all
}

// Fence returns a policy with a document for each table, to attach to it as its resource policy: principals without the tag
// VersionTag may not write.
func Fence(tables []string) Policy {
	p := Policy{Role: "fence", Doc: "Denies writes to principals without the tag " + VersionTag + "."}
	for _, table := range tables {
		p.Documents = append(p.Documents, Document{Statements: []Statement{{
			Sid: "Fence", Fence: true, Resources: []Resource{{Table: table}},
			Actions: []string{"BatchWriteItem", "DeleteItem", "PartiQLDelete", "PartiQLInsert", "PartiQLUpdate", "PutItem", "UpdateItem"},
		}}})
	}
	p.Notes = []string{
		"each document is the resource policy of its table: aws dynamodb put-resource-policy",
		"first give the tag " + VersionTag + " to the roles of programs that run the new version, and to that of the runner",
		"requests signed before are carried out for up to 15 minutes",
	}
	return p
}
