package shapes

import (
	"fmt"
	"html/template"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/webkit"
)

// module is the beginning of the import paths whose types are filled in.
const module = "sortkey.dev/"

// maxDepth bounds how often a type contains itself.
const maxDepth = 2

// A place is a part of a value that can have several values.
type place struct {
	path string
	kind reflect.Kind
	// choices is the number of values; those from certain on may be impossible.
	choices, certain int
	used             bool // the templates may show it
}

// last returns the last choice of a place of some kinds, and the first of others.
func (p place) last(kinds ...reflect.Kind) int {
	for _, kind := range kinds {
		if p.kind == kind {
			return p.choices - 1
		}
	}
	return 0
}

// index returns a choice of a place of one kind, and the first of others.
func (p place) index(kind reflect.Kind, choice int) int {
	if p.kind != kind {
		return 0
	}
	return choice
}

// A style is a kind of text.
type style struct {
	name string
	text func(words string) string
}

var styles = []style{
	{"plain", func(words string) string { return words }},
	{"long", func(words string) string {
		return words + strings.Repeat(" and some more words", 12) + " Donaudampfschifffahrtsgesellschaftskapitänspatent"
	}},
	{"script", func(words string) string { return words + ` "'</title></textarea><script>alert(1)</script><b>` }},
	{"right-to-left", func(words string) string { return "שלום عالم " + words }},
}

// now is the time of the site's clock; typicalTime is the time of the typical shape.
var (
	now         = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	typicalTime = now.Add(-90 * time.Minute)
)

// A maker makes one value. choose is asked at every place.
type maker struct {
	t      *testing.T
	page   *page
	choose func(place) int
	style  style
	count  int
	depth  map[reflect.Type]int
	unused bool // the templates do not name the field
}

// view makes the data of the page.
func (m *maker) view() any {
	m.count = 0
	return m.value(reflect.TypeOf(m.page.view.Data), "", nil, "").Interface()
}

// zero makes the data of the page with nothing set.
func (m *maker) zero() any {
	v := reflect.New(reflect.TypeOf(m.page.view.Data)).Elem()
	m.repair(v)
	return v.Interface()
}

// repair applies the rule of a type.
func (m *maker) repair(v reflect.Value) {
	if repair, ok := m.page.rules.repairs[v.Type()]; ok && v.CanAddr() && v.Addr().CanInterface() {
		repair.Call([]reflect.Value{v.Addr()})
	}
}

// pick asks for one of several values.
func (m *maker) pick(path string, kind reflect.Kind, choices, certain int) int {
	if choices < 2 {
		return 0
	}
	return m.choose(place{path, kind, choices, certain, !m.unused})
}

// value makes a value of a type, which is the field of an owner or an element of it.
func (m *maker) value(t reflect.Type, path string, owner reflect.Type, field string) reflect.Value {
	if values, ok := m.given(t, owner, field); ok {
		return values[m.pick(path, reflect.Invalid, len(values), len(values))]
	}
	if owner != nil && m.page.rules.unique[owner.Name()+"."+field] {
		return m.next(t)
	}
	if value, ok := m.known(t, path, owner, field); ok {
		return value
	}
	if constants := constantsOf(m.t, t); len(constants) > 0 {
		return constants[m.pick(path, reflect.Invalid, len(constants), len(constants))]
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(m.pick(path, reflect.Bool, 2, 2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{3, 0, 1, 120}[m.pick(path, reflect.Int, 4, 4)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{3, 0, 1, 120}[m.pick(path, reflect.Int, 4, 4)])
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0.5, 0, 1, 1234.5}[m.pick(path, reflect.Float64, 4, 4)])
	case reflect.String:
		v.SetString(m.text(path, owner, field))
	case reflect.Pointer:
		// Lists have no nil elements.
		if m.depth[t] >= maxDepth || !strings.HasSuffix(path, "]") && m.pick(path, reflect.Pointer, 2, 2) == 1 {
			return v
		}
		m.depth[t]++
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(m.value(t.Elem(), path+behind, owner, field))
		m.depth[t]--
	case reflect.Slice, reflect.Map, reflect.Array:
		m.fillList(v, path, owner, field)
	case reflect.Struct:
		m.fillStruct(v, path)
	case reflect.Interface:
		m.t.Fatalf("%s has the interface %s: add shapes.Of[%s](…)", path, t, t)
	}
	return v
}

// next makes a text or a number that no other place has.
func (m *maker) next(t reflect.Type) reflect.Value {
	m.count++
	if t.Kind() == reflect.String {
		return reflect.ValueOf(fmt.Sprintf("x%d", m.count)).Convert(t)
	}
	return reflect.ValueOf(m.count).Convert(t)
}

// given returns the values of a rule.
func (m *maker) given(t, owner reflect.Type, field string) ([]reflect.Value, bool) {
	if owner != nil {
		list, ok := m.page.rules.fields[owner.Name()+"."+field]
		if !ok {
			list, ok = m.page.rules.fields["*."+field]
		}
		if ok && (len(list) == 0 || list[0] == nil || reflect.TypeOf(list[0]).ConvertibleTo(t)) {
			values := make([]reflect.Value, len(list))
			for i, one := range list {
				values[i] = reflect.Zero(t)
				if one != nil {
					values[i] = reflect.ValueOf(one).Convert(t)
				}
			}
			return values, true
		}
	}
	values, ok := m.page.rules.types[t]
	return values, ok
}

// known makes values of types whose fields cannot be set, or that mean more than their kind.
func (m *maker) known(t reflect.Type, path string, owner reflect.Type, field string) (reflect.Value, bool) {
	switch t {
	case reflect.TypeFor[time.Time]():
		certain := 2
		if m.optional(path, owner, field) {
			certain = 3
		}
		at := []time.Time{typicalTime, typicalTime.AddDate(1, 0, 0), {}}[m.pick(path, reflect.Struct, 3, certain)]
		return reflect.ValueOf(at), true
	case reflect.TypeFor[time.Duration]():
		return reflect.ValueOf([]time.Duration{90 * time.Second, 0, 50 * time.Hour}[m.pick(path, reflect.Int, 3, 3)]), true
	case reflect.TypeFor[template.HTML]():
		return reflect.ValueOf(template.HTML("<span>" + m.word(path) + "</span>")), true
	case reflect.TypeFor[*webkit.Form]():
		return reflect.ValueOf(m.form(m.pick(path, reflect.Pointer, 3, 3))), true
	case reflect.TypeFor[error]():
		return reflect.ValueOf(fmt.Errorf("an error at %s", path)), true
	}
	if t.Kind() == reflect.Struct && t.Name() != "" && !strings.HasPrefix(t.PkgPath(), module) {
		return reflect.Zero(t), true
	}
	return reflect.Value{}, false
}

// form makes a form of the fields that the page has: with values, without, or with an error of
// each field.
func (m *maker) form(choice int) *webkit.Form {
	switch choice {
	case 1:
		return nil
	case 2:
		form := webkit.NewForm(url.Values{})
		form.Fail("", "The whole form is wrong.")
		for _, name := range m.page.facts.fields {
			form.Fail(name, "This is wrong with "+name+".")
		}
		return form
	}
	values := url.Values{}
	for _, name := range m.page.facts.fields {
		values.Set(name, m.style.text("Value of "+name))
	}
	return webkit.NewForm(values)
}

func (m *maker) fillList(v reflect.Value, path string, owner reflect.Type, field string) {
	t, count := v.Type(), 0
	if t.Kind() == reflect.Array {
		for i := range v.Len() {
			v.Index(i).Set(m.value(t.Elem(), fmt.Sprintf("%s[%d]", path, i), owner, field))
		}
		return
	}
	if m.depth[t] < maxDepth {
		count = []int{1, 0, 3}[m.pick(path, reflect.Slice, 3, 3)]
	}
	m.depth[t]++
	defer func() { m.depth[t]-- }()
	if t.Kind() == reflect.Map {
		v.Set(reflect.MakeMap(t))
	}
	for i := range count {
		at := fmt.Sprintf("%s[%d]", path, i)
		if t.Kind() == reflect.Map {
			v.SetMapIndex(m.value(t.Key(), at+" key", nil, ""), m.value(t.Elem(), at, owner, field))
			continue
		}
		v.Set(reflect.Append(v, m.value(t.Elem(), at, owner, field)))
	}
}

// fillStruct sets the exported fields, and those of embedded structs.
func (m *maker) fillStruct(v reflect.Value, path string) {
	t := v.Type()
	for i := range t.NumField() {
		field := t.Field(i)
		if !field.IsExported() && !(field.Anonymous && field.Type.Kind() == reflect.Struct) {
			continue
		}
		at := strings.TrimPrefix(path+"."+field.Name, ".")
		if field.Anonymous && field.Type.Kind() == reflect.Struct && !field.IsExported() {
			m.fillStruct(v.Field(i), at)
			continue
		}
		before := m.unused
		m.unused = before || !m.page.facts.uses(t, field)
		v.Field(i).Set(m.value(field.Type, at, t, field.Name))
		m.unused = before
	}
	m.repair(v)
}

var (
	looksLikeID   = regexp.MustCompile(`(ID|Id|Anchor|Token|Key|Cursor|Opens|Hash|Secret)$`)
	looksLikePath = regexp.MustCompile(`(Href|URL|Link|Path|More|Next|Previous|Back|Before|After|Action|Post|Share|Fewer)$`)
	notInWords    = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

// text makes a text. One that the template does not ask about is taken as never empty.
func (m *maker) text(path string, owner reflect.Type, field string) string {
	certain := 1
	if m.optional(path, owner, field) {
		certain = 2
	}
	m.count++
	if m.pick(path, reflect.String, 2, certain) == 1 {
		return ""
	}
	switch {
	case looksLikeID.MatchString(field), field == "Name" && owner != nil && strings.HasSuffix(owner.PkgPath(), "/webkit"):
		return fmt.Sprintf("x%d", m.count)
	case looksLikePath.MatchString(field):
		return fmt.Sprintf("/x%d", m.count)
	}
	return m.style.text(m.word(path))
}

// behind ends the path of what a pointer points to.
const behind = "*"

// optional reports whether a text or a time can be empty: a template asks about it, and there is no
// pointer to be nil instead. Elements of lists and their ids are not empty.
func (m *maker) optional(path string, owner reflect.Type, field string) bool {
	if strings.HasSuffix(path, behind) || strings.HasSuffix(path, "]") || looksLikeID.MatchString(field) && strings.Contains(path, "[") {
		return false
	}
	return m.page.facts.optional(owner, field)
}

// word returns words that no other place has.
func (m *maker) word(path string) string {
	return strings.TrimSpace("The " + notInWords.ReplaceAllString(path, " "))
}
