package loader

import (
	"maps"
	"slices"
	"strings"
	"time"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

func (b *builder) alternatives(n *node) {
	for _, e := range n.fit() {
		a := &model.Alternative{Name: e.key.text, Place: e.key.place, Doc: e.value.get("doc").str()}
		b.about("alternative "+a.Name, func() {
			a.Tables = b.tables(e.value.get("tables"))
			a.Accepts = b.acceptsOf(e)
		})
		if len(a.Tables) > 0 {
			b.design.Alternatives = append(b.design.Alternatives, a)
		}
	}
}

func (b *builder) profiles(n *node) {
	for _, e := range n.fit() {
		p := &model.Profile{
			Name: e.key.text, Place: e.key.place, Doc: e.value.get("doc").str(), Scale: exact.One,
			Rates: map[*model.Pattern]model.Rate{}, Counts: map[*model.Entity]exact.Number{},
		}
		b.about("profile "+p.Name, func() {
			if !e.value.flawed && b.whole(func() { b.profile(p, e.value) }) {
				b.design.Profiles = append(b.design.Profiles, p)
			}
		})
	}
}

func (b *builder) profile(p *model.Profile, block *node) {
	if scale := block.get("scale"); scale != nil {
		p.Scale = number(scale)
	}
	for _, e := range block.get("rates").fit() {
		pattern := b.patternNamed(e.key)
		rate := b.rate(e.value)
		if pattern != nil {
			p.Rates[pattern] = rate
		}
	}
	for _, e := range block.get("counts").fit() {
		if entity := b.entity(e.key); entity != nil {
			p.Counts[entity] = number(e.value)
		}
	}
}

// patternNamed finds the pattern a node names.
func (b *builder) patternNamed(n *node) *model.Pattern {
	p := b.patterns[n.text]
	if p == nil {
		b.unknown(n, "pattern", n.text, slices.Sorted(maps.Keys(b.patterns)))
	}
	return p
}

func (b *builder) roles(n *node) {
	for _, e := range n.fit() {
		r := &model.Role{Name: e.key.text, Place: e.key.place, Doc: e.value.get("doc").str()}
		b.about("role "+r.Name, func() {
			if !e.value.flawed && b.whole(func() { b.role(r, e.value) }) {
				b.design.Roles = append(b.design.Roles, r)
			}
		})
	}
}

func (b *builder) role(r *model.Role, block *node) {
	allowed := block.get("patterns")
	if allowed.str() == "all" && allowed.kind == scalar {
		r.Patterns = slices.Clone(b.design.Patterns)
	}
	for _, item := range allowed.list() {
		p := b.patternNamed(item)
		switch {
		case p == nil:
		case slices.Contains(r.Patterns, p):
			b.fail("F006", item.place, "%s is listed twice", p.Name)
		default:
			r.Patterns = append(r.Patterns, p)
		}
	}
	for _, e := range block.get("bind").fit() {
		if !b.anyHas(e.key.text) {
			var names []string
			for _, entity := range b.design.Entities {
				names = append(names, attributeNames(entity)...)
			}
			b.fail("F007", e.key.place, "no entity has an attribute %s%s", shown(e.key.text), b.found.didYouMean(e.key.text, names))
			continue
		}
		r.Bind = append(r.Bind, model.Binding{Attribute: e.key.text, Caller: e.value.text, Place: e.key.place})
	}
}

// anyHas reports whether any entity declares an attribute of that name.
func (b *builder) anyHas(name string) bool {
	for _, e := range b.design.Entities {
		if e.Attribute(name) != nil || b.broken[e.Name+"."+name] {
			return true
		}
	}
	return false
}

func (b *builder) prices(n *node) *model.Prices {
	if n == nil {
		return nil
	}
	p := &model.Prices{Place: n.place, Values: map[string]exact.Number{}}
	if n.kind == scalar {
		p.Name = n.text
		return p
	}
	ok := b.whole(func() {
		for _, e := range n.fit() {
			switch e.key.text {
			case "date":
				p.Date = e.value.text
				if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
					b.fail("F006", e.value.place, "%s is not a date such as 2026-02-06", shown(p.Date))
				}
			case "source":
				p.Source = e.value.text
			default:
				p.Values[e.key.text] = number(e.value)
			}
		}
	})
	if !ok || n.flawed {
		return nil
	}
	return p
}

// freeTierUnits and freeTierBytes are the free tier of an account.
const (
	freeTierUnits = 25
	freeTierBytes = 25 << 30
)

func (b *builder) freeTier(n *node) model.FreeTier {
	tier := model.FreeTier{
		RCU: exact.Int(freeTierUnits), WCU: exact.Int(freeTierUnits), Bytes: exact.Int(freeTierBytes), Place: n.at(),
	}
	switch {
	case n == nil:
	case n.kind == scalar:
		return model.FreeTier{Place: n.place}
	default:
		if rcu := n.get("rcu"); rcu != nil {
			tier.RCU = number(rcu)
		}
		if wcu := n.get("wcu"); wcu != nil {
			tier.WCU = number(wcu)
		}
		if storage := n.get("storage"); storage != nil {
			b.whole(func() { tier.Bytes = exact.Int(b.bytes(storage)) })
		}
	}
	return tier
}

// claims reads the numbers the document states.
func (b *builder) claims(n *node) {
	for _, block := range n.list() {
		c := &model.Claim{
			Text: block.get("claim").str(), Where: block.get("where").str(), Place: block.place,
			Worked: strings.TrimSpace(block.get("worked").str()), WorkedPlace: block.get("worked").at(),
			Is: strings.TrimSpace(block.get("is").str()), IsPlace: block.get("is").at(),
		}
		says := block.get("says")
		if block.flawed || says == nil {
			continue
		}
		b.about("claim "+shown(c.Text), func() {
			if b.whole(func() { c.Says = b.stated(says) }) {
				b.design.Claims = append(b.design.Claims, c)
			}
		})
	}
}

func (b *builder) stated(n *node) model.Stated {
	s, err := model.ParseStated(n.text)
	b.syntax(n, err, nil)
	s.Place = n.place
	return s
}

// expectations reads the expect block of a pattern.
func (b *builder) expectations(p *model.Pattern, n *node) []*model.Claim {
	var all []*model.Claim
	for _, e := range n.fit() {
		c := &model.Claim{Text: e.key.text + " of " + p.Name, Pattern: p, Of: e.key.text, Place: e.key.place, Says: b.stated(e.value)}
		if !c.Says.IsNumber {
			b.fail("F006", e.value.place, "%s is a number, not %s", e.key.text, shown(e.value.text))
		}
		all = append(all, c)
	}
	return all
}
