package compare

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

func hotSpots(e *cost.Estimate) []HotSpot {
	var hot []HotSpot
	for _, table := range e.Tables {
		for _, path := range table.Paths {
			if part := path.Heat.Utilisation(); !part.Less(Warm) {
				hot = append(hot, HotSpot{Path: path.Path, Heat: path.Heat, Share: part})
			}
		}
	}
	slices.SortStableFunc(hot, func(a, b HotSpot) int { return b.Share.Cmp(a.Share) })
	return hot
}

// conclude describes the results in sentences.
func conclude(c *Comparison) []string {
	var said []string
	if len(c.Layouts) == 1 {
		said = append(said, alone(c.Layouts[0]))
	} else {
		said = append(said, served(c))
		said = append(said, cheapest(c, "on demand", func(l *Layout) cost.Bill { return l.Estimate.OnDemand }))
		said = append(said, cheapest(c, "provisioned for the peak", func(l *Layout) cost.Bill { return l.Estimate.Provisioned }))
		said = append(said, amplified(c))
	}
	for _, l := range c.Layouts {
		said = append(said, heat(l)...)
	}
	return slices.DeleteFunc(said, func(s string) bool { return s == "" })
}

// alone describes a design without alternatives.
func alone(l *Layout) string {
	if l.Unserved == 0 {
		return fmt.Sprintf("The design has no alternatives; it serves all %d patterns.", l.Served)
	}
	return fmt.Sprintf("The design has no alternatives; it serves %d of %d patterns and leaves out %s.", l.Served, len(l.Patterns), unserved(l))
}

// served describes which layouts serve the most patterns.
func served(c *Comparison) string {
	most := slices.MaxFunc(c.Layouts, func(a, b *Layout) int { return a.Served - b.Served })
	var best, rest []string
	for _, l := range c.Layouts {
		switch {
		case l.Served == most.Served:
			best = append(best, l.Name)
		default:
			rest = append(rest, fmt.Sprintf("%s serves %d and leaves out %s", l.Name, l.Served, unserved(l)))
		}
	}
	all := len(c.Patterns)
	if len(rest) == 0 && most.Unserved == 0 {
		return fmt.Sprintf("All %d layouts serve all %d patterns.", len(c.Layouts), all)
	}
	if len(rest) == 0 {
		return fmt.Sprintf("All %d layouts serve %d of %d patterns.", len(c.Layouts), most.Served, all)
	}
	verb := "serves"
	if len(best) > 1 {
		verb = "serve"
	}
	return fmt.Sprintf("%s %s the most patterns, %d of %d; %s.", joined(best), verb, most.Served, all, strings.Join(rest, "; "))
}

// unserved names some of the patterns a layout does not serve.
func unserved(l *Layout) string {
	const few = 3
	var names []string
	for _, s := range l.Patterns {
		if !s.Served {
			names = append(names, s.Pattern.Name)
		}
	}
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return joined(names)
}

// cheapest describes which layout costs least, and how much more the others cost. It ignores
// settings that only some layouts have, such as recovery, and mentions patterns that the
// cheapest layout does not serve.
func cheapest(c *Comparison, how string, of func(*Layout) cost.Bill) string {
	without := uneven(c, of)
	amount := func(l *Layout) exact.Number {
		bill := of(l)
		for _, what := range without {
			bill.Total = bill.Total.Sub(bill.Line(what).Amount)
		}
		return bill.Total
	}
	if len(without) > 0 {
		how += " without " + joined(without)
	}
	ranked := slices.Clone(c.Layouts)
	slices.SortStableFunc(ranked, func(a, b *Layout) int { return amount(a).Cmp(amount(b)) })
	best, worst := ranked[0], ranked[len(ranked)-1]
	if amount(best).Equal(amount(worst)) {
		return fmt.Sprintf("All layouts cost the same %s, %s a month.", how, figures.Money(amount(best)))
	}
	text := fmt.Sprintf("%s is cheapest %s, %s a month", best.Name, how, figures.Money(amount(best)))
	for _, l := range ranked[1:] {
		text += fmt.Sprintf("; %s costs %s%s", l.Name, figures.Money(amount(l)), more(amount(l), amount(best)))
	}
	text += "."
	if best.Unserved > 0 {
		text += fmt.Sprintf(" But that leaves out %s, which %s cannot serve.", unserved(best), best.Name)
	}
	return text
}

// uneven returns the kinds of lines that only some layouts have.
func uneven(c *Comparison, of func(*Layout) cost.Bill) []string {
	var lines []string
	for _, what := range []string{cost.Recovery, cost.Streams} {
		have := 0
		for _, l := range c.Layouts {
			if !of(l).Line(what).Quantity.IsZero() {
				have++
			}
		}
		if have > 0 && have < len(c.Layouts) {
			lines = append(lines, what)
		}
	}
	return lines
}

// more describes how much larger an amount is than another: 12 % more, 90 times as much.
func more(amount, than exact.Number) string {
	times, ok := amount.Div(than)
	switch {
	case !ok, times.Equal(exact.One):
		return ""
	case times.Less(exact.Ratio(1001, 1000)):
		return ", hardly more"
	case times.Less(exact.Int(3)):
		return ", " + figures.Percent(times.Sub(exact.One)) + " more"
	}
	return ", " + figures.Quantity(times.Round(0)) + " times as much"
}

// amplified describes which layout has the lowest write amplification.
func amplified(c *Comparison) string {
	ranked := slices.Clone(c.Layouts)
	slices.SortStableFunc(ranked, func(a, b *Layout) int { return a.Writes.Cmp(b.Writes) })
	best, worst := ranked[0], ranked[len(ranked)-1]
	if slack := exact.Ratio(21, 20); !best.Writes.Mul(slack).Less(worst.Writes) {
		return "" // within 5 %
	}
	return fmt.Sprintf("%s writes least, %s units a month with %s units in all for one on a table; %s writes most, %s units, %s for one.",
		best.Name, figures.Quantity(best.Writes.Round(0)), figures.Quantity(best.Amplification.Round(2)), worst.Name, figures.Quantity(worst.Writes.Round(0)), figures.Quantity(worst.Amplification.Round(2)))
}

// heat describes the hot spots of a layout.
func heat(l *Layout) []string {
	var said []string
	for _, spot := range l.Hot {
		text := fmt.Sprintf("%s: the hottest key of %s takes %s of one partition at the peak", l.Name, spot.Path, figures.Percent(spot.Share))
		if len(spot.Heat.Contenders) > 0 {
			text += ", most of it " + spot.Heat.Contenders[0].Pattern.Name
		}
		if spot.Throttled() {
			text += "; requests will be throttled"
		}
		said = append(said, text+".")
	}
	return said
}

// joined formats a list for a sentence.
func joined(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
