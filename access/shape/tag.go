package shape

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// Tag is the key of the tag that holds the shape of a table. A shape that does not fit into one tag goes
// on in those of the same key with .2, .3 and so on.
const Tag = "sortkey:shape"

const (
	tagSize  = 256 // characters that DynamoDB allows in the value of a tag
	mostTags = 10  // of the 50 that DynamoDB allows on a table
	wholeLen = 12  // characters of the hash of the whole
	factLen  = 6   // characters of a fact: half for its name, half for what it says
)

// IsTag reports whether a tag holds the shape of a table, or a part of it.
func IsTag(key string) bool {
	rest, is := strings.CutPrefix(key, Tag)
	if !is || rest == "" {
		return is
	}
	n, err := strconv.Atoi(strings.TrimPrefix(rest, "."))
	return strings.HasPrefix(rest, ".") && err == nil && n > 1
}

// Tags returns the tags that hold the shape. If it has more facts than fit, they hold one for
// each entity, and if there are too many entities only the hash of the whole.
func (t *Table) Tags() map[string]string {
	all := t.Facts()
	text := head(all, each) + printed(all)
	if len(text) > capacity {
		text = head(all, merged) + printed(byEntity(all))
	}
	if len(text) > capacity {
		text = head(all, merged)
	}
	tags := map[string]string{}
	for n := 1; text != ""; n++ {
		end := min(len(text), tagSize)
		if end < len(text) {
			end = first + (tagSize-first)/factLen*factLen // no fact lies in two tags
			if n > 1 {
				end = tagSize / factLen * factLen
			}
		}
		tags[keyOf(n)] = text[:end]
		text = text[end:]
	}
	return tags
}

func keyOf(n int) string {
	if n == 1 {
		return Tag
	}
	return Tag + "." + strconv.Itoa(n)
}

// first is the length of what comes before the facts, and capacity that of what all tags hold.
const (
	first    = len(version) + 1 + wholeLen + 1
	capacity = first + (tagSize-first)/factLen*factLen + (mostTags-1)*(tagSize/factLen)*factLen
)

// What the facts of a tag are about: one thing each, or one entity each.
const each, merged = ".", ":"

// head returns what comes before the facts: the version, the hash of the whole, and what the facts
// are about.
func head(all []Fact, about string) string { return version + "." + short(hash(all), wholeLen) + about }

func printed(all []Fact) string {
	var b strings.Builder
	for _, f := range all {
		b.WriteString(f.print())
	}
	return b.String()
}

// print returns a fact as a tag holds it: the hash of its name, then that of its text.
func (f Fact) print() string {
	return short(sha256.Sum256([]byte(f.id)), factLen/2) + short(sha256.Sum256([]byte(f.Text)), factLen/2)
}

func short(sum [sha256.Size]byte, n int) string {
	return base64.RawURLEncoding.EncodeToString(sum[:])[:n]
}

// A Difference says how the shape in the tags of a table differs from the shape of a design. It
// knows only the names of the design.
type Difference struct {
	Changed []string // facts that say something else
	Added   []string // facts that the tags do not have
	Removed int      // facts of the tags that the design does not have
	// Unknown says that the tags do not tell: another version of sortkey wrote them, they are
	// damaged, or the shape is too large for them.
	Unknown bool
}

// Stored reports whether the tags of a table hold a shape.
func Stored(tags map[string]string) bool { return tags[Tag] != "" }

// Compare returns how the shape in the tags of a table differs; nil if it is the same.
func (t *Table) Compare(tags map[string]string) *Difference {
	all := t.Facts()
	text := tags[Tag]
	whole := head(all, each)
	if len(text) >= first && text[:first-1] == whole[:first-1] {
		return nil
	}
	if len(text) < first || !strings.HasPrefix(text, version+".") {
		return &Difference{Unknown: true}
	}
	if text[first-1:first] == merged {
		all = byEntity(all)
	}
	have := text[first:]
	if have == "" {
		return &Difference{Unknown: true}
	}
	for n := 2; tags[keyOf(n)] != ""; n++ {
		have += tags[keyOf(n)]
	}
	return differ(all, have)
}

// differ compares facts with those that tags hold.
func differ(all []Fact, text string) *Difference {
	left := map[string]int{} // facts of the tags that no fact of the design is
	for ; len(text) >= factLen; text = text[factLen:] {
		left[text[:factLen]]++
	}
	var open []Fact
	for _, f := range all {
		if p := f.print(); left[p] > 0 {
			left[p]--
		} else {
			open = append(open, f)
		}
	}
	names, total := map[string]int{}, 0
	for fact, n := range left {
		names[fact[:factLen/2]] += n
		total += n
	}
	d := &Difference{}
	for _, f := range open {
		if name := f.print()[:factLen/2]; names[name] > 0 {
			names[name]--
			total--
			d.Changed = append(d.Changed, f.Name)
		} else {
			d.Added = append(d.Added, f.Name)
		}
	}
	d.Removed = total
	return d
}

// mostNames is how many names a sentence lists.
const mostNames = 12

// String returns the difference in words: User.age and User key differ; User.nickname is new.
func (d *Difference) String() string {
	var all []string
	if len(d.Changed) > 0 {
		all = append(all, listed(d.Changed)+plural(len(d.Changed), " differs", " differ"))
	}
	if len(d.Added) > 0 {
		all = append(all, listed(d.Added)+plural(len(d.Added), " is new", " are new"))
	}
	if d.Removed > 0 {
		all = append(all, fmt.Sprintf("%d%s that this design does not have", d.Removed, plural(d.Removed, " thing", " things")))
	}
	if len(all) == 0 {
		return "its tag " + Tag + " does not tell what differs"
	}
	return strings.Join(all, "; ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func listed(names []string) string {
	if n := len(names); n > mostNames {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), n-mostNames)
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}
