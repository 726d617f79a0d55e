package claim

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// An Env is the environment of formulas: a design in one layout, priced.
type Env struct {
	Layout *resolve.Layout
	// Estimate prices the layout under a profile; "" is the workload stated on the
	// patterns. It returns nil for an unknown profile.
	Estimate func(profile string) *cost.Estimate

	options cost.Options   // for pricing other layouts
	others  map[string]Env // the alternatives used so far
	remarks *[]string      // remarks to add to the finding if the claim is wrong
}

// NewEnv returns an Env that prices a layout on demand, each profile once.
func NewEnv(layout *resolve.Layout, o cost.Options) Env {
	known := map[string]*cost.Estimate{}
	return Env{
		Layout:  layout,
		options: o,
		others:  map[string]Env{},
		Estimate: func(name string) *cost.Estimate {
			if e, ok := known[name]; ok {
				return e
			}
			priced := o
			if name != "" {
				priced.Profile = layout.Design().Profile(name)
				if priced.Profile == nil {
					return nil
				}
			}
			known[name] = cost.Price(layout, priced)
			return known[name]
		},
	}
}

// remark records a remark for the finding if the claim is wrong.
func (env Env) remark(text string) {
	if env.remarks != nil && !slices.Contains(*env.remarks, text) {
		*env.remarks = append(*env.remarks, text)
	}
}

// profile returns the profile an optional argument names, or nil.
func (env Env) profile(args []argument) (*model.Profile, error) {
	if len(args) == 0 {
		return nil, nil
	}
	d := env.Layout.Design()
	if p := d.Profile(args[0].word); p != nil {
		return p, nil
	}
	names := namesOf(d.Profiles, func(p *model.Profile) string { return p.Name })
	return nil, args[0].about("no profile is called %s%s", args[0].word, diag.DidYouMean(args[0].word, names))
}

// estimate returns the estimate under the profile an optional argument names.
func (env Env) estimate(args []argument) (*cost.Estimate, error) {
	profile, err := env.profile(args)
	if err != nil {
		return nil, err
	}
	if profile == nil {
		return env.Estimate(""), nil
	}
	return env.Estimate(profile.Name), nil
}

// alternative returns the same design in the tables of an alternative.
func (env Env) alternative(name argument) (Env, error) {
	d := env.Layout.Design()
	for _, a := range d.Alternatives {
		if a.Name != name.word {
			continue
		}
		other, known := env.others[a.Name]
		if !known {
			other = NewEnv(resolve.New(d.WithTables(a)), env.options)
			if env.others != nil {
				env.others[a.Name] = other
			}
		}
		other.remarks = env.remarks
		return other, nil
	}
	names := namesOf(d.Alternatives, func(a *model.Alternative) string { return a.Name })
	return Env{}, name.about("no alternative is called %s%s", name.word, diag.DidYouMean(name.word, names))
}

// Names of numbers besides prices.
const hoursName = "hours"

// Names returns the named numbers of formulas, with their descriptions.
func Names() []cost.PriceName {
	all := []cost.PriceName{{Name: hoursName, Unit: "hours", Doc: "Hours of a month, 730."}}
	for _, p := range cost.PriceNames {
		p.Unit = strings.TrimPrefix(p.Unit, "million ")
		all = append(all, p)
	}
	return all
}

func (env Env) names() []string {
	return namesOf(Names(), func(p cost.PriceName) string { return p.Name })
}

// name returns the number of a name: the hours of a month, or a price of one unit.
func (env Env) name(name string) (value, bool) {
	if name == hoursName {
		return plain(exact.Int(model.HoursPerMonth)), true
	}
	known, ok := cost.LookupPrice(name)
	if !ok {
		return value{}, false
	}
	return priced(env.Estimate("").Prices, known), true
}

// priced returns a price with the dimension of its unit.
func priced(list *cost.PriceList, of cost.PriceName) value {
	amount := list.Of(of.Name)
	switch {
	case strings.HasPrefix(of.Name, "free_"):
		return plain(amount)
	case strings.HasSuffix(of.Unit, "-hour"):
		return perTime(amount, 3600)
	case strings.HasPrefix(of.Unit, "GB"):
		return perByte(amount, gigabyte)
	}
	return plain(amount)
}

func listPrice(env Env, args []argument) (value, error) {
	known, ok := cost.LookupPrice(args[0].word)
	if !ok {
		names := namesOf(cost.PriceNames, func(p cost.PriceName) string { return p.Name })
		return value{}, args[0].about("no price is called %s%s", args[0].word, diag.DidYouMean(args[0].word, names))
	}
	region := env.Layout.Design().Region
	if region == "" {
		region = cost.DefaultRegion
	}
	list, err := cost.PricesOf(region)
	if err != nil {
		return value{}, err
	}
	if list.Note != "" && strings.HasPrefix(list.Note, "no prices of") {
		env.remark(list.Note)
	}
	return priced(list, known), nil
}
