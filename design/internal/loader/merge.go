package loader

// merge merges several files into one design: blocks with the same name are merged, and lists
// are concatenated. Keys of two files stay two entries, which the check for duplicates
// reports.
func merge(roots []*node) *node {
	if len(roots) == 1 {
		return roots[0]
	}
	whole := &node{kind: mapping, place: roots[0].place}
	for _, root := range roots {
		whole.last = max(whole.last, root.last)
		for _, e := range root.entries {
			if !joined(whole, e) {
				whole.entries = append(whole.entries, e)
			}
		}
	}
	return whole
}

// joined adds an entry to the block of the same name from another file, if there is one.
func joined(whole *node, e *entry) bool {
	for _, have := range whole.entries {
		if have.key.text != e.key.text || have.key.place.File == e.key.place.File || have.value.kind != e.value.kind {
			continue
		}
		switch e.value.kind {
		case mapping:
			if !mergesByKey(e.key.text) {
				continue
			}
			have.value.entries = append(have.value.entries, e.value.entries...)
			return true
		case list:
			have.value.items = append(have.value.items, e.value.items...)
			return true
		}
	}
	return false
}

// mergesByKey reports whether a top-level block is a mapping of names.
func mergesByKey(key string) bool {
	k := designSpec.key(key)
	return k != nil && k.value.names != nil
}
