package loader

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A profileBuilder builds the workload profiles of a design.
type profileBuilder struct{ *reader }

func (b profileBuilder) all(n *node) []*model.Profile {
	var all []*model.Profile
	for _, e := range n.fit() {
		p := &model.Profile{
			Name: e.key.text, Place: e.key.place, Doc: e.value.get("doc").str(), Scale: exact.One,
			Rates: map[*model.Pattern]model.Rate{}, Peaks: map[*model.Pattern]model.Rate{}, Counts: map[*model.Entity]exact.Number{}, Hot: map[*model.Pattern]exact.Number{},
		}
		b.about("profile "+p.Name, func() {
			if !e.value.flawed && b.whole(func() { b.profile(p, e.value) }) {
				all = append(all, p)
			}
		})
	}
	return all
}

func (b profileBuilder) profile(p *model.Profile, block *node) {
	if scale := block.get("scale"); scale != nil {
		p.Scale = number(scale)
	}
	b.rates(p.Rates, block.get("rates"))
	b.rates(p.Peaks, block.get("peaks"))
	for _, e := range block.get("counts").fit() {
		if entity := b.declared.anyEntity(e.key); entity != nil {
			p.Counts[entity] = number(e.value)
		}
	}
	for _, e := range block.get("hot").fit() {
		if pattern := b.declared.anyPattern(e.key); pattern != nil {
			p.Hot[pattern] = number(e.value)
		}
	}
}

// rates reads the rates of single patterns into a map.
func (b profileBuilder) rates(of map[*model.Pattern]model.Rate, n *node) {
	for _, e := range n.fit() {
		pattern := b.declared.anyPattern(e.key)
		rate := b.rate(e.value)
		if pattern != nil {
			of[pattern] = rate
		}
	}
}
