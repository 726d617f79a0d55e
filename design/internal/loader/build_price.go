package loader

import (
	"time"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A priceBuilder builds the prices and the free tier of a design.
type priceBuilder struct{ *reader }

func (b priceBuilder) prices(n *node) *model.Prices {
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

func (b priceBuilder) freeTier(n *node) model.FreeTier {
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
