package check

import (
	"fmt"
	"slices"
	"time"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// timeRules check TTL, deadlines and states.
var timeRules = []rule{
	ttlNotSeconds, ttlNotEnabled, ttlAsDeadline, ttlTooEarly, ttlOrphans, keepWithoutTTL, stateNeverReached, textDate,
}

// ttlLag is the documented delay of TTL deletion: a few days. Data with a shorter lifetime
// is outdated before it is deleted.
const ttlLag = model.Duration(3 * 24 * time.Hour)

// ttlNotSeconds finds TTL attributes of the wrong type (T601): those an entity declares, and
// attributes with the name of the table's TTL attribute.
func ttlNotSeconds(s *subject) {
	for _, entity := range s.entities() {
		a, place := entity.TTL, entity.TTLPlace
		if home := s.layout.Home(entity); a == nil && home != nil && home.Table.TTL != "" {
			a, place = entity.Stored(home.Table.TTL), home.Table.TTLPlace
		}
		if a == nil || a.Type.IsNumber() {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "T601", Place: a.TypePlace, Subject: "entity " + entity.Name,
			Message: fmt.Sprintf("%s.%s is %s, but TTL needs a Unix time in seconds, so no %s is ever deleted", entity.Name, a.Name, aName(a.Type.String()), entity.Name),
			Fix:     fmt.Sprintf("Make %s unixtime", a.Name),
			Related: []diag.Related{{Place: place, Message: "used as TTL here"}},
		})
	}
}

// ttlNotEnabled finds TTL attributes that are not the table's TTL attribute (T605).
func ttlNotEnabled(s *subject) {
	for _, entity := range s.entities() {
		home := s.layout.Home(entity)
		if entity.TTL == nil || home == nil || home.Table.TTL == entity.TTL.Stored {
			continue
		}
		finding := diag.Finding{
			Code: "T605", Place: entity.TTLPlace, Subject: "entity " + entity.Name,
			Message: fmt.Sprintf("%s expires by %s, but the table %s has no TTL", entity.Name, entity.TTL.Stored, home.Table.Name),
			Fix:     fmt.Sprintf("Add ttl: %s to the table %s", entity.TTL.Stored, home.Table.Name),
			Related: []diag.Related{{Place: home.Table.Place, Message: "the table"}},
		}
		if home.Table.TTL != "" {
			finding.Message = fmt.Sprintf("%s expires by %s, but the table %s has TTL on %s", entity.Name, entity.TTL.Stored, home.Table.Name, home.Table.TTL)
			finding.Fix = fmt.Sprintf("Store %s.%s under the name %s", entity.Name, entity.TTL.Name, home.Table.TTL)
			finding.Related[0].Place = home.Table.TTLPlace
		}
		s.report.Add(finding)
	}
}

// ttlAsDeadline finds entities that use TTL as a deadline (T602), one finding each: the
// deadline is the TTL attribute itself; a pattern compares the TTL attribute with the time;
// or the lifetime is so short that TTL deletes too late.
func ttlAsDeadline(s *subject) {
	for _, entity := range s.entities() {
		if entity.TTL == nil {
			continue
		}
		a := entity.TTL.Name
		finding := diag.Finding{
			Code: "T602", Place: entity.TTLPlace, Subject: "entity " + entity.Name,
			Fix: fmt.Sprintf("Give %s a separate deadline attribute, compare it on every read, and set %s some days later to clean up", entity.Name, a),
		}
		asker := asksTTL(s.design, entity)
		switch keep := entity.Volume.Keep; {
		case entity.Deadline == entity.TTL:
			finding.Message = fmt.Sprintf("The deadline of %s is its TTL attribute %s: nothing happens at that time, and later the item is deleted", entity.Name, a)
		case entity.Deadline != nil:
			continue
		case asker != nil:
			finding.Message = fmt.Sprintf("%s compares %s to find out whether %s has expired, but TTL deletes by the same attribute, so expired items soon disappear", asker.Name, a, aName(entity.Name))
			finding.Related = []diag.Related{{Place: asker.Place, Message: "compares " + a}}
		case keep > 0 && keep < ttlLag:
			finding.Message = fmt.Sprintf("%s is kept for %s and has no deadline but TTL, which may delete it days later", entity.Name, span(keep))
			finding.Related = []diag.Related{{Place: entity.Volume.Place, Message: "kept for " + span(keep)}}
		default:
			continue
		}
		s.report.Add(finding)
	}
}

// asksTTL returns the first pattern that looks for expired items by comparing an entity's TTL
// attribute with a parameter, such as the current time. A pattern that leaves them out, with gt
// or gte, does what TTL is too late for.
func asksTTL(d *model.Design, entity *model.Entity) *model.Pattern {
	for _, p := range d.Patterns {
		if slices.ContainsFunc(conditionsOn(p, entity), func(c *model.Condition) bool {
			return comparesWithParam(c, entity.TTL) && !leavesOutExpired(c)
		}) {
			return p
		}
	}
	return nil
}

// conditionsOn returns the filter of a pattern and its conditions on an entity.
func conditionsOn(p *model.Pattern, entity *model.Entity) []*model.Condition {
	all := slices.Clone(p.Filter)
	if p.Entity == entity {
		all = slices.Concat(all, p.Where, p.If)
	}
	for _, part := range p.Parts {
		if part.Entity == entity {
			all = slices.Concat(all, part.Where)
		}
	}
	for _, step := range p.Steps {
		if step.Entity == entity {
			all = slices.Concat(all, step.Where, step.If)
		}
	}
	for _, r := range p.Requires {
		if r.Entity == entity {
			all = slices.Concat(all, r.Where, r.If)
		}
	}
	return model.Comparisons(all)
}

func leavesOutExpired(c *model.Condition) bool { return c.Op == model.Gt || c.Op == model.Gte }

func comparesWithParam(c *model.Condition, a *model.Attribute) bool {
	return c.Attribute == a && c.Op.IsRange() &&
		slices.ContainsFunc(c.Values, func(v model.Operand) bool { return v.Param != "" })
}

// span formats a duration for a sentence.
func span(d model.Duration) string {
	minutes := exact.Int(int64(time.Duration(d) / time.Minute))
	switch hours := minutes.Over(60); {
	case hours.Less(exact.One):
		return counted(minutes, "minute")
	case hours.Less(exact.Int(48)):
		return counted(hours.Round(1), "hour")
	}
	return counted(d.Days().Round(1), "day")
}

// ttlTooEarly finds patterns whose reach is longer than the lifetime of items (T603).
func ttlTooEarly(s *subject) {
	for _, p := range s.patterns() {
		for _, entity := range p.Entities() {
			keep := entity.Volume.Keep
			if entity.TTL == nil || keep == 0 || p.Reach <= keep {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "T603", Place: p.ReachAt, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s must still find %s after %s, but TTL deletes it after %s", p.Name, aName(entity.Name), span(p.Reach), span(keep)),
				Fix:     fmt.Sprintf("Keep %s for at least %s, or shorten the reach of %s", entity.Name, span(p.Reach), p.Name),
				Related: []diag.Related{{Place: entity.Volume.Place, Message: "kept for " + span(keep)}},
			})
		}
	}
}

// ttlOrphans finds children that outlive the parent whose id is their partition key
// (T604). It skips children that expire later if they are read in another way.
func ttlOrphans(s *subject) {
	for _, child := range s.entities() {
		home := s.layout.Home(child)
		if home == nil {
			continue
		}
		key := home.Key(home.Table.PK.Name)
		if key == nil {
			continue
		}
		for _, parent := range s.design.Entities {
			if isParent(parent, child, key) && parent.TTL != nil && !outlives(s.design, child, key) {
				orphans(s, child, parent, home)
			}
		}
	}
}

// isParent reports whether a partition key is the id of another entity. Entities with the
// same id are two records of one thing, not parent and child.
func isParent(parent, child *model.Entity, key *model.Key) bool {
	return len(parent.ID) > 0 && sameNames(parent.ID, key.Attributes()) && !sameNames(parent.ID, child.ID)
}

// outlives reports whether another entity with the same id is kept as long as the child.
func outlives(d *model.Design, child *model.Entity, key *model.Key) bool {
	return slices.ContainsFunc(d.Entities, func(other *model.Entity) bool {
		stays := other.TTL == nil || child.TTL != nil && child.Volume.Keep > 0 && other.Volume.Keep >= child.Volume.Keep
		return isParent(other, child, key) && stays
	})
}

// isReadOtherwise reports whether a pattern reads the child without its parent's id.
func isReadOtherwise(layout *resolve.Layout, child *model.Entity) bool {
	return slices.ContainsFunc(layout.Entries(child), func(e *resolve.Entry) bool {
		return e.Path.IsGlobal() && len(layout.Readers(e)) > 0
	})
}

// orphans reports a child that outlives its parent.
func orphans(s *subject, child, parent *model.Entity, home *model.Item) {
	theirs, mine := parent.Volume.Keep, child.Volume.Keep
	finding := diag.Finding{
		Code: "T604", Place: child.Place, Subject: "entity " + child.Name,
		Fix:     fmt.Sprintf("Give %s a ttl no later than that of its %s", child.Name, parent.Name),
		Related: []diag.Related{{Place: parent.TTLPlace, Message: parent.Name + " expires"}, {Place: home.Place, Message: child.Name + " has the id of " + parent.Name + " as its partition key"}},
	}
	switch {
	case child.TTL == nil:
		finding.Message = fmt.Sprintf("TTL deletes %s, but its %s items are never deleted", aName(parent.Name), child.Name)
		if theirs > 0 {
			finding.Message = fmt.Sprintf("TTL deletes %s after %s, but its %s items are never deleted", aName(parent.Name), span(theirs), child.Name)
		}
	case theirs > 0 && mine > theirs && !isReadOtherwise(s.layout, child):
		finding.Message = fmt.Sprintf("%s is kept for %s, but the %s it belongs to only for %s", child.Name, span(mine), parent.Name, span(theirs))
	default:
		return
	}
	s.report.Add(finding)
}

// keepWithoutTTL finds entities with keep that are not deleted (T607): they have no TTL, and
// patterns delete far fewer items than are created.
func keepWithoutTTL(s *subject) {
	for _, entity := range s.entities() {
		home := s.layout.Home(entity)
		if entity.Volume.Keep == 0 || entity.TTL != nil || home == nil {
			continue
		}
		if home.Table.TTL != "" && entity.Stored(home.Table.TTL) != nil || s.deletesEnough(entity) {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "T607", Place: entity.Volume.Place, Subject: "entity " + entity.Name,
			Message: fmt.Sprintf("%s is to be kept for %s, but has no ttl, and no pattern deletes it", entity.Name, span(entity.Volume.Keep)),
			Fix:     fmt.Sprintf("Add an attribute expires_at: unixtime and ttl: expires_at to %s, or remove keep", entity.Name),
		})
	}
}

// deletesEnough reports whether patterns delete at least half of what grows.
func (s *subject) deletesEnough(entity *model.Entity) bool {
	deleted := exact.Zero
	for _, p := range s.using(entity) {
		for _, step := range p.Actions() {
			if step.Entity == entity && step.Verb == model.Delete {
				deleted = deleted.Add(p.Rate.PerMonth.Times(max(step.Each, 1)))
			}
		}
	}
	growth := entity.Volume.Growth
	return deleted.Sign() > 0 && (growth == nil || growth.PerMonth.Cmp(deleted.Times(2)) <= 0)
}
