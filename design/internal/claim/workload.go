package claim

import (
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// workloadFunctions lists functions about patterns and entities: units of a call, numbers of
// items.
var workloadFunctions = []*Function{
	{Name: "units", Doc: "Capacity units of one call, reads and writes together.", params: []param{word("pattern")},
		call: ofPattern(func(c *cost.PatternCost) exact.Number { return c.Read.Add(c.Write) })},
	{Name: "index_writes", Doc: "Write units of one call that go to indexes.", params: []param{word("pattern")},
		call: ofPattern(indexWrites)},
	{Name: "amplification", Doc: "Write units of one call over those of the table alone.", params: []param{word("pattern")},
		call: ofPattern(func(c *cost.PatternCost) exact.Number { return c.Amplification })},
	{Name: "calls", Doc: "Requests to DynamoDB of one call, pages included.", params: []param{word("pattern")},
		call: ofPattern(func(c *cost.PatternCost) exact.Number { return c.Requests })},
	{Name: "pages", Doc: "Pages of one query.", params: []param{word("pattern")},
		call: ofPattern(func(c *cost.PatternCost) exact.Number { return c.Pages })},
	{Name: "rate", Doc: "Calls of the pattern a month.", params: []param{word("pattern"), maybe("profile")}, call: rate},
	{Name: "actions", Doc: "Actions of a transaction, including those of guards and counters.", params: []param{word("pattern")}, call: actions},
	{Name: "patterns", Doc: "Number of patterns, in total or with a tag.", params: []param{maybe("tag")}, call: patterns},
	{Name: "served", Doc: "Number of patterns that are served by a key, or by a scan that is meant, of all or of those with a tag.", params: []param{maybe("tag")}, call: served},
	{Name: "entities", Doc: "Number of entities, in total or with a tag.", params: []param{maybe("tag")}, call: entities},
	{Name: "items", Doc: "Stored items of an entity.", params: []param{word("entity"), maybe("profile")}, call: items},
	{Name: "size", Doc: "Average bytes of an item of an entity.", params: []param{word("entity")}, call: size},
}

// ofPattern returns a function of the cost of one call of a pattern. A pattern that no key
// serves costs nothing, and the finding says so.
func ofPattern(of func(*cost.PatternCost) exact.Number) func(Env, []argument) (value, error) {
	return func(env Env, args []argument) (value, error) {
		p, err := args[0].pattern(env)
		if err != nil {
			return value{}, err
		}
		c := patternCost(env.Estimate(""), p)
		if c == nil || c.Plan == nil || !c.Plan.Served() {
			env.remark("no key serves " + p.Name)
			return plain(exact.Zero), nil
		}
		return plain(of(c)), nil
	}
}

// patternCost finds a pattern in an estimate, or nil.
func patternCost(e *cost.Estimate, p *model.Pattern) *cost.PatternCost {
	if e == nil {
		return nil
	}
	at := slices.IndexFunc(e.Patterns, func(c *cost.PatternCost) bool { return c.Pattern.Name == p.Name })
	if at < 0 {
		return nil
	}
	return e.Patterns[at]
}

func indexWrites(c *cost.PatternCost) exact.Number {
	sum := exact.Zero
	for _, use := range c.Uses {
		if !use.Path.IsTable() {
			sum = sum.Add(use.Write)
		}
	}
	return sum
}

func rate(env Env, args []argument) (value, error) {
	p, err := args[0].pattern(env)
	if err != nil {
		return value{}, err
	}
	estimate, err := env.estimate(args[1:])
	if err != nil {
		return value{}, err
	}
	if c := patternCost(estimate, p); c != nil {
		return plain(c.Calls), nil
	}
	return plain(p.Rate.PerMonth), nil
}

func actions(env Env, args []argument) (value, error) {
	p, err := args[0].pattern(env)
	if err != nil {
		return value{}, err
	}
	n := int64(0)
	for _, write := range env.Layout.Plan(p).Writes {
		if write.Step == nil {
			n++
			continue
		}
		n += max(write.Step.Each, 1)
	}
	return plain(exact.Int(n)), nil
}

// carries reports whether tags contain the requested tag; unlike in a selection of phases,
// elements without tags do not match.
func carries(tags []string, args []argument) bool {
	return len(args) == 0 || slices.Contains(tags, args[0].word)
}

func patterns(env Env, args []argument) (value, error) {
	n := 0
	for _, p := range env.Layout.Design().Patterns {
		if carries(p.Tags, args) {
			n++
		}
	}
	return count(n), nil
}

func entities(env Env, args []argument) (value, error) {
	n := 0
	for _, e := range env.Layout.Design().Entities {
		if carries(e.Tags, args) {
			n++
		}
	}
	return count(n), nil
}

// served counts the patterns that are served, and remarks on the others and on scans.
func served(env Env, args []argument) (value, error) {
	n := 0
	for _, p := range env.Layout.Design().Patterns {
		if !carries(p.Tags, args) {
			continue
		}
		switch env.Layout.Plan(p).Service() {
		case resolve.NotServed:
			env.remark("no key serves " + p.Name)
			continue
		case resolve.ByScan:
			env.remark("a scan serves " + p.Name)
		}
		n++
	}
	return count(n), nil
}

func items(env Env, args []argument) (value, error) {
	e, err := args[0].entity(env)
	if err != nil {
		return value{}, err
	}
	profile, err := env.profile(args[1:])
	if err != nil {
		return value{}, err
	}
	return plain(cost.Stored(e, cost.Options{Profile: profile})), nil
}

func size(env Env, args []argument) (value, error) {
	e, err := args[0].entity(env)
	if err != nil {
		return value{}, err
	}
	home := env.Layout.Home(e)
	if home == nil {
		return value{}, args[0].about("%s is in no table", e.Name)
	}
	return bytes(exact.Int(cost.ItemSize(home).Avg), 1), nil
}
