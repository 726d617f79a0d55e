package arrange

// A fact is a property of an arrangement that a step establishes and later steps rely on.
type fact string

// The facts, in the order in which the steps establish them.
const (
	sharedKnown    fact = "the values that repeated items share are known"
	actionsExist   fact = "there is one action for each repeated item"
	wholesGiven    fact = "items that the caller gives whole have values"
	ownersMatched  fact = "items of one call belong to the items of the call that count them"
	valuesEqual    fact = "arguments that must be equal are equal"
	itemsPlaced    fact = "required items exist, forbidden items do not, and their keys are bound"
	paramsBound    fact = "every parameter that a caller chooses is bound"
	conditionsHold fact = "the conditions of the actions hold"
	versionsSeen   fact = "the caller has seen the versions of the items"
	countersFit    fact = "the items that count exist, and their counters stay within bounds"
	itemsFinal     fact = "no step after this one adds or removes rows"
	sizesFit       fact = "the items of a typical scenario have the size that the estimate assumes"
	paramsDerived  fact = "parameters that follow from the design are bound"
)

// A step is one step of arranging a write. It relies on what earlier steps left, and on
// nothing else.
type step struct {
	name   string
	needs  []fact
	leaves []fact
	run    func(*arrangement)
}

// steps lists the steps of arranging a write, in the order in which they run. Together they
// leave a scenario in which the call most likely succeeds; whether it must is for package
// judge to say.
var steps = []step{
	{
		name:   "find shared values",
		leaves: []fact{sharedKnown},
		run:    (*arrangement).findShared,
	},
	{
		name:   "repeat actions",
		needs:  []fact{sharedKnown},
		leaves: []fact{actionsExist},
		run:    (*arrangement).repeatActions,
	},
	{
		name:   "invent whole items",
		needs:  []fact{sharedKnown, actionsExist},
		leaves: []fact{wholesGiven},
		run:    (*arrangement).inventWholes,
	},
	{
		name:   "match items with their counters",
		needs:  []fact{wholesGiven},
		leaves: []fact{ownersMatched},
		run:    (*arrangement).matchOwners,
	},
	{
		name:   "equate arguments",
		needs:  []fact{wholesGiven, ownersMatched},
		leaves: []fact{valuesEqual},
		run:    (*arrangement).equateArguments,
	},
	{
		name:   "place items",
		needs:  []fact{actionsExist, valuesEqual},
		leaves: []fact{itemsPlaced},
		run:    (*arrangement).placeItems,
	},
	{
		name:   "choose parameters",
		needs:  []fact{itemsPlaced},
		leaves: []fact{paramsBound},
		run:    (*arrangement).chooseParameters,
	},
	{
		name:   "satisfy conditions",
		needs:  []fact{itemsPlaced, paramsBound},
		leaves: []fact{conditionsHold},
		run:    (*arrangement).satisfyConditions,
	},
	{
		name:   "read versions", // satisfying conditions may have changed them
		needs:  []fact{conditionsHold},
		leaves: []fact{versionsSeen},
		run:    (*arrangement).readVersions,
	},
	{
		name:   "make room in counters", // by how much they change depends on all other values
		needs:  []fact{paramsBound, conditionsHold},
		leaves: []fact{countersFit},
		run:    (*arrangement).makeRoom,
	},
	{
		name:   "remove items now and then", // a missing item would fail all conditions before
		needs:  []fact{conditionsHold, versionsSeen, countersFit},
		leaves: []fact{itemsFinal},
		run:    (*arrangement).removeSome,
	},
	{
		name:   "fit sizes", // of attributes that nothing compares, in a typical scenario
		needs:  []fact{itemsFinal},
		leaves: []fact{sizesFit},
		run:    (*arrangement).fitSizes,
	},
	{
		name:   "derive parameters", // from the rows before and after the call
		needs:  []fact{paramsBound, itemsFinal, sizesFit},
		leaves: []fact{paramsDerived},
		run:    (*arrangement).deriveParameters,
	},
}
