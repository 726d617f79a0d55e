package understanding

import "slices"

// A Kind divides activities into work and rest.
type Kind string

// The kinds.
const (
	Chore    Kind = "chore"
	Recovery Kind = "recovery"
)

// An Effort grades how heavy an activity was for its doer.
type Effort string

// The efforts: below 15 minutes, up to an hour, and more.
const (
	Low    Effort = "low"
	Medium Effort = "medium"
	High   Effort = "high"
)

// Value returns the effort as the averages count it: 1, 2 or 3, and 0 for an unknown effort.
func (e Effort) Value() int {
	switch e {
	case Low:
		return 1
	case Medium:
		return 2
	case High:
		return 3
	}
	return 0
}

// An ActivityID names an activity independently of the language. Households may add their own.
type ActivityID string

// Free marks an activity that the catalogue does not have. Its Name holds the words of the message.
const Free ActivityID = ""

// A Definition describes an activity of the catalogue.
type Definition struct {
	ID     ActivityID
	Kind   Kind
	Effort Effort // the usual one
	Names  map[Locale]Name
}

// A Name holds the words of one language for an activity.
type Name struct {
	Noun string // "diskning", at most four words
	Past string // "diskade", after a name: "Anna diskade senast igår"
}

// Noun returns the display name in a locale, or the id if the locale has none.
func (d Definition) Noun(l Locale) string {
	if n := d.Names[l].Noun; n != "" {
		return n
	}
	return string(d.ID)
}

// Catalogue returns the built-in activities in the order in which pages list them.
func Catalogue() []Definition { return slices.Clone(catalogue) }

// Lookup returns the definition of a built-in activity.
func Lookup(id ActivityID) (Definition, bool) {
	i := slices.IndexFunc(catalogue, func(d Definition) bool { return d.ID == id })
	if i < 0 {
		return Definition{}, false
	}
	return catalogue[i], true
}
