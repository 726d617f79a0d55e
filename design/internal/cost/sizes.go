package cost

import (
	"cmp"
	"strconv"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Assumed lengths of values if a design states none: guesses at typical data. A design can
// state size on the attribute or the entity.
const (
	guessText     = 20  // characters of a string
	guessBytes    = 32  // of a binary value
	guessJSON     = 200 // characters of a JSON text
	guessDigits   = 6   // of an int
	guessDecimal  = 8   // digits of a number or decimal
	guessElements = 3   // of a list, set or map
	guessMapKey   = 8   // characters of a map's key
	unixDigits    = 10  // of seconds since 1970
	geohashLength = 9
	deepest       = 32 // limit of nesting, which is DynamoDB's
)

// AttributeSize returns the size of an attribute: the bytes of its name and its value, by
// DynamoDB's rules. Unknown lengths of values are guessed from the type.
func AttributeSize(a *model.Attribute) int64 {
	if a.InKey {
		return 0 // the key has it
	}
	return int64(len(a.Stored)) + valueSize(a)
}

func valueSize(a *model.Attribute) int64 {
	if a.Size > 0 {
		return a.Size
	}
	return typeSize(a.Type, deepest)
}

// typeSize returns the size of a value: for text its bytes, for a number one byte per two
// digits plus one, for lists and maps three bytes plus one per element.
func typeSize(t model.Type, deep int) int64 {
	if deep == 0 {
		return 0
	}
	switch t.Base {
	case model.Integer, model.Numeric, model.Decimal, model.Unixtime:
		return (textLength(t)+1)/2 + 1
	case model.Bool:
		return 1
	case model.Bytes:
		return guessBytes
	case model.ListOf:
		return 3 + guessElements*(1+typeSize(*t.Element, deep-1))
	case model.SetOf:
		return 3 + guessElements*typeSize(*t.Element, deep-1)
	case model.MapOf:
		return 3 + guessElements*(1+guessMapKey+typeSize(*t.Element, deep-1))
	case model.StructOf:
		size := int64(3)
		for _, a := range t.Struct.Attributes {
			size += 1 + int64(len(a.Stored)) + cmp.Or(a.Size, typeSize(a.Type, deep-1))
		}
		return size
	}
	return textLength(t)
}

// textLength returns the number of characters of a value's text.
func textLength(t model.Type) int64 {
	switch t.Base {
	case model.Integer:
		return guessDigits
	case model.Numeric, model.Decimal:
		return guessDecimal
	case model.Unixtime, model.Date:
		return unixDigits
	case model.Bool:
		return 5
	case model.Timestamp:
		return 24
	case model.Week:
		return 8
	case model.UUID, model.UUIDv7:
		return 36
	case model.ULID:
		return 26
	case model.Geohash:
		return geohashLength
	case model.JSON:
		return guessJSON
	case model.Enum:
		return averageLength(t.Values)
	}
	return guessText
}

func averageLength(values []string) int64 {
	if len(values) == 0 {
		return guessText
	}
	total := 0
	for _, v := range values {
		total += len(v)
	}
	return int64((total + len(values) - 1) / len(values))
}

// templateSize returns the number of bytes of a template's text.
func templateSize(t *model.Template) int64 {
	size := int64(0)
	for _, part := range t.Parts {
		if part.IsHole() {
			size += holeLength(part)
		} else {
			size += int64(len(part.Literal))
		}
	}
	return size
}

func holeLength(part model.Part) int64 {
	length := textLength(part.Attribute.Type)
	if part.Attribute.Size > 0 && isVariable(part.Attribute.Type) {
		length = part.Attribute.Size
	}
	for _, f := range part.Filters {
		switch f.Name {
		case model.Pad:
			length = max(length, int64(f.N))
		case model.ByYear, model.ByMon, model.ByDate, model.ByHour:
			_, width := f.Name.Period()
			length = int64(width)
		case model.Prefix:
			length = int64(f.N)
		case model.Shard:
			length = int64(len(strconv.Itoa(max(f.N-1, 0))))
		}
	}
	return length
}

// isVariable reports whether values of the type vary in length.
func isVariable(t model.Type) bool {
	switch t.Base {
	case model.String, model.JSON, model.Bytes, model.ListOf, model.SetOf, model.MapOf:
		return true
	case model.StructOf:
		return true
	}
	return false
}

// ItemSize returns the size of an entity's items in a table. A stated size is that of the
// whole item; an estimate is the sum of the attributes, the computed keys and the type
// attribute.
func ItemSize(item *model.Item) model.Size {
	stated := item.Entity.Size
	if stated.Avg > 0 {
		return model.Size{Avg: stated.Avg, Max: max(stated.Avg, stated.Max)}
	}
	estimate := estimateItem(item)
	return model.Size{Avg: estimate, Max: max(estimate, stated.Max)}
}

// EstimateSize returns the size of an entity's items as estimated from their types, whatever size
// the design states.
func EstimateSize(item *model.Item) int64 { return estimateItem(item) }

func estimateItem(item *model.Item) int64 {
	size := int64(0)
	for _, a := range item.Entity.Attributes {
		size += AttributeSize(a)
	}
	for _, c := range item.Computed {
		size += int64(len(c.Name)) + templateSize(c.Template)
	}
	return size + typeAttributeSize(item)
}

func typeAttributeSize(item *model.Item) int64 {
	if item.Table == nil || item.Table.Type == "" {
		return 0
	}
	return int64(len(item.Table.Type) + len(item.Entity.TypeName()))
}

// EntrySize returns the size of an entity's entries on a path: the whole item on the table
// and on an index that projects all, else the keys and the projected attributes.
func EntrySize(e *resolve.Entry) model.Size {
	whole := ItemSize(e.Item)
	if e.Path.Index == nil || e.Path.Index.Project.Kind == model.ProjectAll {
		return whole
	}
	avg := projectedSize(e, whole.Avg)
	if whole.Max == whole.Avg {
		return model.Size{Avg: avg, Max: avg}
	}
	return model.Size{Avg: avg, Max: projectedSize(e, whole.Max)}
}

// projectedSize returns the size of an index entry for an item of a given size. The difference
// between that size and the estimate is distributed over the attributes of unstated length.
func projectedSize(e *resolve.Entry, whole int64) int64 {
	projected := projectedNames(e.Path)
	growing, growingSize := growingAttributes(e.Item)
	rest := max(whole-estimateItem(e.Item), 0)
	size := int64(0)
	for _, a := range e.Item.Entity.Beside() {
		if !projected[a.Stored] {
			continue
		}
		size += AttributeSize(a)
		if growing[a] {
			size += rest * valueSize(a) / growingSize
		}
	}
	for _, c := range e.Item.Computed {
		if projected[c.Name] {
			size += int64(len(c.Name)) + templateSize(c.Template)
		}
	}
	if e.Path.Table.Type != "" && projected[e.Path.Table.Type] {
		size += typeAttributeSize(e.Item)
	}
	return min(size, whole)
}

// projectedNames returns the stored names of the attributes an index projects: the keys of
// the table and the index, and the included attributes.
func projectedNames(p resolve.Path) map[string]bool {
	names := map[string]bool{p.Table.PK.Name: true}
	if p.Table.SK.Name != "" {
		names[p.Table.SK.Name] = true
	}
	for _, key := range p.Index.PK {
		names[key.Name] = true
	}
	for _, key := range p.Index.SK {
		names[key.Name] = true
	}
	if p.Index.Project.Kind == model.ProjectInclude {
		for _, name := range p.Index.Project.Attributes {
			names[name] = true
		}
	}
	return names
}

// growingAttributes returns the attributes over which the difference between an item's size
// and its estimate is distributed: those of variable, unstated length. Parts of keys are
// used only if there are no others, because keys are short.
func growingAttributes(item *model.Item) (map[*model.Attribute]bool, int64) {
	inKey := map[*model.Attribute]bool{}
	for _, a := range item.Entity.ID {
		inKey[a] = true
	}
	for _, u := range item.Entity.Unique {
		for _, a := range u.Attributes {
			inKey[a] = true // of the guard row
		}
	}
	for _, name := range keyNames(item.Table) {
		inKey[item.Entity.Stored(name)] = true
	}
	for _, c := range item.Computed {
		for _, part := range c.Template.Parts {
			inKey[part.Attribute] = true
		}
	}
	pick := func(keys bool) (map[*model.Attribute]bool, int64) {
		chosen, size := map[*model.Attribute]bool{}, int64(0)
		for _, a := range item.Entity.Beside() {
			if a.Size == 0 && isVariable(a.Type) && inKey[a] == keys {
				chosen[a] = true
				size += valueSize(a)
			}
		}
		return chosen, size
	}
	if chosen, size := pick(false); size > 0 {
		return chosen, size
	}
	chosen, size := pick(true)
	return chosen, max(size, 1)
}

// Growing returns the attributes over which the estimate spreads the bytes of a stated size that
// the types do not explain, with the share of each.
func Growing(item *model.Item) map[*model.Attribute]exact.Number {
	chosen, total := growingAttributes(item)
	shares := make(map[*model.Attribute]exact.Number, len(chosen))
	for a := range chosen {
		shares[a] = exact.Ratio(valueSize(a), total)
	}
	return shares
}

// keyNames returns the names of all key attributes of a table and its indexes.
func keyNames(t *model.Table) []string {
	if t == nil {
		return nil
	}
	names := []string{t.PK.Name, t.SK.Name}
	for _, index := range t.Indexes {
		for _, key := range index.PK {
			names = append(names, key.Name)
		}
		for _, key := range index.SK {
			names = append(names, key.Name)
		}
	}
	return names
}
