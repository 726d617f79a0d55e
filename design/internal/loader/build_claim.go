package loader

import (
	"strings"

	"sortkey.dev/design/internal/model"
)

// A claimBuilder builds the claims of a design and of its patterns.
type claimBuilder struct{ *reader }

// all builds the claims of the design: numbers that its document states.
func (b claimBuilder) all(n *node) []*model.Claim {
	var all []*model.Claim
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
				all = append(all, c)
			}
		})
	}
	return all
}

func (b claimBuilder) stated(n *node) model.Stated {
	s, err := model.ParseStated(n.text)
	b.syntax(n, err, nil)
	s.Place = n.place
	return s
}

// ofPattern builds the claims of a pattern from its expect block.
func (b claimBuilder) ofPattern(p *model.Pattern, n *node) []*model.Claim {
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
