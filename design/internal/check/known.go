package check

import (
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/model"
)

// known holds what several rules look up, each computed once.
type known struct {
	using  map[*model.Entity][]*model.Pattern
	costs  map[*model.Pattern]*cost.PatternCost
	keys   []keyUse
	states []state
}

// using returns the patterns of all phases that read or write an entity, in file order.
func (s *subject) using(e *model.Entity) []*model.Pattern {
	if s.known.using == nil {
		s.known.using = make(map[*model.Entity][]*model.Pattern, len(s.design.Entities))
		for _, p := range s.design.Patterns {
			for _, used := range p.Entities() {
				s.known.using[used] = append(s.known.using[used], p)
			}
		}
	}
	return s.known.using[e]
}

// priced returns what a pattern costs, or nil if the estimate leaves it out.
func (s *subject) priced(p *model.Pattern) *cost.PatternCost {
	if s.known.costs == nil {
		s.known.costs = make(map[*model.Pattern]*cost.PatternCost, len(s.estimate.Patterns))
		for _, c := range s.estimate.Patterns {
			s.known.costs[c.Pattern] = c
		}
	}
	return s.known.costs[p]
}

// keyUses returns all keys of all tables and indexes for the entities of the selected phases,
// in file order. For a local index it returns only the sort key. The caller does not change it.
func (s *subject) keyUses() []keyUse {
	if s.known.keys != nil {
		return s.known.keys
	}
	for _, table := range s.design.Tables {
		for _, item := range table.Items {
			if item.Entity.HasTag(s.options.Tags) {
				s.known.keys = append(s.known.keys, itemKeys(item)...)
			}
		}
	}
	return s.known.keys
}
