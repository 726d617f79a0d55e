package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// roleReadsOthers finds roles of end users whose policy lets them read items that none of their
// patterns returns (K121): IAM restricts partitions, not sort keys, so a role that may read one
// entity of a partition may read all of it. Items in the caller's own partition count only if they
// hold a secret.
func roleReadsOthers(s *subject) {
	for _, role := range s.design.Roles {
		if len(role.Bind) == 0 {
			continue
		}
		used := entitiesOf(role)
		told := map[*model.Entity]bool{}
		for _, p := range role.Patterns {
			for _, r := range s.layout.Plan(p).Reads() {
				var others []*model.Entity
				for _, e := range s.design.Entities {
					if !slices.Contains(used, e) && !told[e] && s.exposes(role, r, e) {
						told[e] = true
						others = append(others, e)
					}
				}
				if len(others) > 0 {
					s.report.Add(roleReads(role, r, others))
				}
			}
		}
	}
}

// roleReads reports that a role can read entities it has no pattern for.
func roleReads(role *model.Role, r *resolve.Read, others []*model.Entity) diag.Finding {
	var names []string
	f := diag.Finding{Code: "K121", Place: role.Place, Subject: "role " + role.Name}
	for _, e := range others {
		names = append(names, e.Name)
		f.Related = append(f.Related, diag.Related{Place: e.Place, Message: e.Name + " is in the same partition"})
	}
	mine, is := r.Entry.Item.Entity.Name, "is"
	if len(names) > 1 {
		is = "are"
	}
	what := fmt.Sprintf("the partition %s of %s", partitionText(r.Entry.PK), r.Entry.Path)
	if r.Operation == resolve.Scan {
		what = "all of " + r.Entry.Path.String()
	}
	f.Message = fmt.Sprintf("%s lets the role %s read %s, and %s, which no pattern of the role returns, %s in it", r.Pattern.Name, role.Name, what, inWords(names), is)
	f.Fix = fmt.Sprintf("Move %s to a partition of its own, read it through an index without %s, or take %s from the role", mine, inWords(names), r.Pattern.Name)
	return f
}

// entitiesOf returns the entities that the patterns of a role read or write.
func entitiesOf(role *model.Role) []*model.Entity {
	var all []*model.Entity
	for _, p := range role.Patterns {
		all = append(all, p.Entities()...)
	}
	return all
}

// exposes reports whether the permission for a read also allows reading another entity.
func (s *subject) exposes(role *model.Role, r *resolve.Read, e *model.Entity) bool {
	for _, entry := range s.layout.Entries(e) {
		together := r.Operation == resolve.Scan || sameKeys(entry.PK, r.Entry.PK)
		if entry.Path != r.Entry.Path || !together || !readsMore(r, entry) {
			continue
		}
		return !ownPartition(role, r.Partition) || slices.ContainsFunc(e.Attributes, func(a *model.Attribute) bool {
			return entry.Path.Projects(a.Stored) && endsInOne(a.Name, secretWords)
		})
	}
	return false
}

// readsMore reports whether the attributes that the policy of a read allows include one that an
// entry has besides its keys. A read without select may have all of them.
func readsMore(r *resolve.Read, entry *resolve.Entry) bool {
	if len(r.Pattern.Select) == 0 {
		return true
	}
	keys := resolve.KeyNames(entry.Path)
	return slices.ContainsFunc(r.Pattern.Select, func(a *model.Attribute) bool {
		isKey := slices.ContainsFunc(keys, func(k model.KeyName) bool { return k.Name == a.Stored })
		inKey := slices.ContainsFunc(entry.PK, func(k *model.Key) bool {
			return slices.ContainsFunc(k.Attributes(), func(part *model.Attribute) bool { return part.Name == a.Name })
		})
		return !isKey && !inKey && entry.Item.Entity.Stored(a.Stored) != nil
	})
}

// sameKeys reports whether two lists of keys are written the same way, from attributes of the same
// names.
func sameKeys(a, b []*model.Key) bool {
	return slices.EqualFunc(a, b, func(x, y *model.Key) bool {
		return slices.EqualFunc(x.Parts(), y.Parts(), func(p, q model.Part) bool {
			if p.IsHole() != q.IsHole() || p.Literal != q.Literal {
				return false
			}
			return !p.IsHole() || p.Attribute.Name == q.Attribute.Name && slices.Equal(p.Filters, q.Filters)
		})
	})
}

// ownPartition reports whether a partition key holds a property of the caller.
func ownPartition(role *model.Role, partition []resolve.KeyCondition) bool {
	for _, key := range partition {
		for _, part := range key.Low {
			if part.Value == nil || part.Each || len(part.Filters) > 0 {
				continue
			}
			if slices.ContainsFunc(role.Bind, func(b model.Binding) bool { return part.Value.Param == b.Attribute }) {
				return true
			}
		}
	}
	return false
}

// partitionText formats the keys of a partition.
func partitionText(keys []*model.Key) string {
	var all []string
	for _, k := range keys {
		if k.Template != nil {
			all = append(all, k.Template.String())
		} else {
			all = append(all, "{"+k.Name+"}")
		}
	}
	return inWords(all)
}

// bindWithoutKey finds bindings of a role that no partition key of its patterns holds (K122).
func bindWithoutKey(s *subject) {
	for _, role := range s.design.Roles {
		for _, b := range role.Bind {
			alone := &model.Role{Bind: []model.Binding{b}}
			if len(role.Patterns) == 0 || slices.ContainsFunc(role.Patterns, func(p *model.Pattern) bool { return s.holdsBinding(alone, p) }) {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "K122", Place: orPlace(b.Place, role.Place), Subject: "role " + role.Name,
				Message: fmt.Sprintf("%s binds %s to the caller, but no partition key of its patterns contains %s: the policy restricts nothing by it", role.Name, b.Attribute, b.Attribute),
				Fix:     fmt.Sprintf("Put %s into the partition keys of what %s may read, name the parameter $%s in where, or remove the binding", b.Attribute, role.Name, b.Attribute),
			})
		}
	}
}

// holdsBinding reports whether a pattern has a partition key with the bound attribute of a role.
func (s *subject) holdsBinding(role *model.Role, p *model.Pattern) bool {
	plan := s.layout.Plan(p)
	if slices.ContainsFunc(plan.Reads(), func(r *resolve.Read) bool { return ownPartition(role, r.Partition) }) {
		return true
	}
	return slices.ContainsFunc(plan.Writes, func(w *resolve.PlannedWrite) bool {
		return len(w.Key) > 0 && ownPartition(role, w.Key[:1])
	})
}
