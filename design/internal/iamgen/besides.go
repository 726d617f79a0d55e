package iamgen

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Permissions that generated packages need besides patterns are granted only on request.

// Scans adds the permissions for scans to the policies of roles, as a separate document each.
// A scan has no partition key, so it cannot be restricted to the caller's items.
func Scans(l *resolve.Layout, policies []Policy) []Policy {
	all := slices.Clone(policies)
	for i, role := range l.Design().Roles {
		s := Statement{Sid: Letters(role.Name) + "Scans", Actions: []string{"Scan"}}
		for _, t := range writerOf(l, role).tables {
			s.Resources = append(s.Resources, Resource{Table: t.Name})
		}
		if len(s.Resources) == 0 {
			continue
		}
		slices.SortFunc(s.Resources, compareResources)
		all[i].Documents = append(slices.Clone(all[i].Documents), Document{Statements: []Statement{s}})
		all[i].Notes = append(slices.Clone(all[i].Notes), "scans read whole tables: all items of all entities, including those of other callers")
	}
	return all
}

// Consumer returns the policy of a program that reads the streams of the design's tables and
// stores its checkpoints and dead letters in a separate table.
func Consumer(d *model.Design, checkpoints string) (Policy, error) {
	w := &writer{role: &model.Role{}}
	var tables, streams []Resource
	for _, t := range d.Tables {
		if t.Stream != "" {
			w.touch(t)
			tables = append(tables, Resource{Table: t.Name})
			streams = append(streams, Resource{Table: t.Name, Streams: true})
		}
	}
	if len(tables) == 0 {
		return Policy{}, fmt.Errorf("no table of %s has a stream; set stream on a table", d.Name)
	}
	w.note("", "it does not include what handlers do to tables: give them the policy of a role, too")
	w.note("", "%s must exist: EnsureTable of package stream, which creates it, would need dynamodb:CreateTable and dynamodb:DescribeTable on it", checkpoints)
	w.noteKeys(d)
	return Policy{
		Role: "consumer", Doc: "Reads streams.", Notes: w.words(),
		Documents: []Document{{Statements: []Statement{
			{Sid: "Streams", Actions: []string{"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"}, Resources: streams},
			{Sid: "Tables", Actions: []string{"DescribeTable"}, Resources: tables},
			{Sid: "Checkpoints", Actions: []string{"DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"}, Resources: []Resource{{Table: checkpoints}}},
		}}},
	}, nil
}

// statement allows reading the state row, and nothing else of its table.
func (s *State) statement(sid string) Statement {
	return Statement{Sid: sid, Actions: []string{"GetItem"}, Resources: []Resource{{Table: s.Table}}, LeadingKeys: []string{escape(s.Partition)}}
}
