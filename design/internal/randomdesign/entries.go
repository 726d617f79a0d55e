package randomdesign

import "slices"

// hasEntries reports whether entries of an attribute can be changed one by one.
func (m writeMaker) hasEntries(a *attribute) bool {
	return a.base == "map" && !a.optional && !a.sealed && slices.Contains([]string{"map<string>", "map<int>", "map<decimal>"}, a.written)
}

// addEntry changes one entry of a map, and returns a condition on it or nothing.
func (m writeMaker) addEntry(a *attribute, set, add, remove *node) []string {
	entry := a.name + "[" + pick(m, "$key", "$key_of_"+a.name, "fixed") + "]"
	switch {
	case a.written != "map<string>" && m.chance(40):
		add.add(scalar(entry, pick(m, "1", "-2", "$more")))
	case m.chance(30):
		remove.add(scalar(entry, "all"))
	default:
		set.add(scalar(entry, "$value_of_"+a.name))
	}
	if m.chance(40) {
		return []string{entry + pick(m, " exists", " missing")}
	}
	return nil
}
