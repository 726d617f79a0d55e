package check_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

var shardBy = regexp.MustCompile(`\w+`)

// A tree is a block of a design.
type tree = map[string]any

// A form is a kind of advice that can be followed without thinking. Its function makes the change
// and reports whether it could.
type form struct {
	text   *regexp.Regexp
	follow func(design tree, f diag.Finding, found []string) bool
}

var forms = []form{
	{regexp.MustCompile(`^Add if: (.+?) to (\w+)(?::|$)`), func(d tree, _ diag.Finding, found []string) bool {
		p := at(d, "patterns", found[2])
		if p == nil || p["transact"] != nil {
			return false
		}
		if have, ok := p["if"].(string); ok {
			found[1] = have + " and " + found[1]
		}
		p["if"] = found[1]
		return true
	}},
	{regexp.MustCompile(`^Write (\w+): ("[^"]+")$`), func(d tree, f diag.Finding, found []string) bool {
		return replaceKey(d, f, found[1], strings.Trim(found[2], `"`))
	}},
	{regexp.MustCompile(`^Write (\w+): "([^"]+)" under items, (\w+)(?:, or .*)?$`), func(d tree, f diag.Finding, found []string) bool {
		return writeKey(d, found[3], found[1], found[2])
	}},
	{regexp.MustCompile(`(?:^W|partitions: w)rite pk: (\w+) in the (table|index) (\w+) and (\w+): "([^"]+)" under items, (\w+), or `), func(d tree, f diag.Finding, found []string) bool {
		return newKey(d, found)
	}},
	{regexp.MustCompile(`^Write pk: (\w+) in the (table|index) (\w+) and (\w+): "([^"]+)" under items, (\w+), and (\w+): (between \$from and \$to) with fanout: \{ \w+: (\d+) \} in ([\w, ]+), or let old items expire with ttl$`), func(d tree, f diag.Finding, found []string) bool {
		divideReads(d, found[7:])
		return newKey(d, found)
	}},
	{regexp.MustCompile(`^Write (\w+): "([^"]+)" under items, (\w+), and (\w+): (between \$from and \$to) with fanout: \{ \w+: (\d+) \} in ([\w, ]+), or let old items expire with ttl$`), func(d tree, f diag.Finding, found []string) bool {
		divideReads(d, found[4:])
		return writeKey(d, found[3], found[1], found[2])
	}},
	{regexp.MustCompile(`^Add if: (.+?) to the (\w+) in requires of (\w+)(?::|$)`), func(d tree, _ diag.Finding, found []string) bool {
		all, _ := at(d, "patterns", found[3])["requires"].([]any)
		for _, one := range all {
			if r := one.(tree); r["entity"] == found[2] && r["change"] != nil {
				r["if"] = found[1]
				return true
			}
		}
		return false
	}},
	{regexp.MustCompile(`^Write add: \{ (\w+): 1 \} instead of setting it$`), func(d tree, f diag.Finding, found []string) bool {
		p := at(d, "patterns", strings.TrimPrefix(f.Subject, "pattern "))
		if p == nil || p["transact"] != nil {
			return false
		}
		unset(p, found[1])
		p["add"] = tree{found[1]: 1}
		return true
	}},
	{regexp.MustCompile(`^Take (\w+) out of set of (\w+): generated code keeps it$`), func(d tree, _ diag.Finding, found []string) bool {
		return withoutSet(d, found[2], found[1])
	}},
	{regexp.MustCompile(`^Write counters: \{ (\w+): \{ count: (\w+) \} \} in (\w+) and take \w+ out of set of (\w+)`), func(d tree, _ diag.Finding, found []string) bool {
		at(d, "entities", found[3])["counters"] = tree{found[1]: tree{"count": found[2]}}
		return withoutSet(d, found[4], found[1])
	}},
	{regexp.MustCompile(`^Add ((?:\w+: \$\w*(?:, )?)+) to where of (\w+)(?::|, so that|$)`), func(d tree, _ diag.Finding, found []string) bool {
		return addWhere(at(d, "patterns", found[2]), found[1])
	}},
	{regexp.MustCompile(`^Add ((?:\w+: \$\w*(?:, )?)+) to where of (\w+) (\w+) in (\w+)(?::|, so that|$)`), func(d tree, _ diag.Finding, found []string) bool {
		return inList(at(d, "patterns", found[4])["transact"], found[2], found[3], found[1])
	}},
	{regexp.MustCompile(`^Add ((?:\w+: \$\w*(?:, )?)+) to where of the (\w+) in requires of (\w+)(?::|, so that|$)`), func(d tree, _ diag.Finding, found []string) bool {
		return inList(at(d, "patterns", found[3])["requires"], "entity", found[2], found[1])
	}},
	{regexp.MustCompile(`^(?:Say|Ask for (\w+): (between \$from and \$to) and say) fanout: \{ (\w+): (\d+) \},`), func(d tree, f diag.Finding, found []string) bool {
		p := at(d, "patterns", strings.TrimPrefix(f.Subject, "pattern "))
		if found[1] != "" {
			at(p, "where")[found[1]] = found[2]
		}
		most, _ := strconv.Atoi(found[4])
		p["fanout"] = tree{found[3]: most}
		return true
	}},
	{regexp.MustCompile(`^Remove (\w+) from fanout$`), func(d tree, f diag.Finding, found []string) bool {
		p := at(d, "patterns", strings.TrimPrefix(f.Subject, "pattern "))
		delete(p, "fanout")
		return true
	}},
	{regexp.MustCompile(`^Add limit: (\d+)`), func(d tree, f diag.Finding, found []string) bool {
		p := at(d, "patterns", strings.TrimPrefix(f.Subject, "pattern "))
		if p == nil {
			return false
		}
		p["limit"] = 20
		return true
	}},
	{regexp.MustCompile(`^Remove (\w+) from accept$`), func(d tree, _ diag.Finding, found []string) bool {
		return everyParent(d, "accept", func(block tree) bool {
			accept, _ := block["accept"].(tree)
			_, ok := accept[found[1]]
			delete(accept, found[1])
			if len(accept) == 0 {
				delete(block, "accept")
			}
			return ok
		})
	}},
	{regexp.MustCompile(`^Bring (\w+) with (phase\d+)`), func(d tree, _ diag.Finding, found []string) bool {
		set := func(blocks tree) bool {
			block, _ := blocks[found[1]].(tree)
			if block == nil {
				return false
			}
			block["tags"] = []any{found[2]}
			return true
		}
		return everyBlock(d, "entities", set) || everyBlock(d, "indexes", set)
	}},
	{regexp.MustCompile(`^Write pitr: true in the table (\w+)`), func(d tree, _ diag.Finding, found []string) bool {
		table := at(d, "tables", found[1])
		if table == nil {
			return false
		}
		table["pitr"] = true
		return true
	}},
	{regexp.MustCompile(`^Raise max of autoscale of (\w+) to ([\d,]+)`), func(d tree, _ diag.Finding, found []string) bool {
		scale := at(d, "tables", found[1], "billing", "autoscale")
		if scale == nil {
			return false
		}
		n, err := strconv.Atoi(strings.ReplaceAll(found[2], ",", ""))
		scale["max"] = n
		return err == nil
	}},
	{regexp.MustCompile(`^Spread the writes over (\d+) partitions with (\{\w+\|shard \d+\}) in (\w+)`), func(d tree, f diag.Finding, found []string) bool {
		key := regexp.MustCompile(`one key (\S+)(?: \(.*\))? of`).FindStringSubmatch(f.Message)
		changed := false
		everyBlock(d, "items", func(items tree) bool {
			for entity, of := range items {
				computed, _ := of.(tree)
				known := at(d, "entities", entity, "attributes")[shardBy.FindString(found[2])] != nil
				if text, ok := computed[found[3]].(string); ok && known && text == key[1] {
					computed[found[3]], changed = text+"#"+found[2], true
				}
			}
			return false
		})
		return changed
	}},
}

// addWhere adds conditions to the where of a block.
func addWhere(block tree, conditions string) bool {
	where := at(block, "where")
	if where == nil {
		return false
	}
	for _, one := range strings.Split(conditions, ", ") {
		name, value, _ := strings.Cut(one, ": ")
		where[name] = value
	}
	return true
}

// inList adds conditions to the where of the block of a list that has a value for a key.
func inList(list any, key, value, conditions string) bool {
	all, _ := list.([]any)
	for _, one := range all {
		if block := one.(tree); block[key] == value {
			return addWhere(block, conditions)
		}
	}
	return false
}

// divideReads asks for ranges in patterns. found holds the attribute, the range, the fan-out and the
// patterns.
func divideReads(d tree, found []string) {
	for _, name := range strings.Split(found[3], ", ") {
		p := at(d, "patterns", name)
		if p["where"] == nil {
			p["where"] = tree{}
		}
		at(p, "where")[found[0]] = found[1]
		most, _ := strconv.Atoi(found[2])
		p["fanout"] = tree{found[0]: most}
	}
}

// newKey replaces the partition key of a table or an index by a computed key. found holds, after the
// whole advice, the key, the kind and name of its place, the key again, its template and the entity.
func newKey(d tree, found []string) bool {
	return everyBlock(d, map[string]string{"table": "tables", "index": "indexes"}[found[2]], func(places tree) bool {
		place, ok := places[found[3]].(tree)
		if ok {
			place["pk"] = found[1]
		}
		return ok
	}) && writeKey(d, found[6], found[4], found[5])
}

// writeKey sets a computed key of an entity, which may be listed by its name alone.
func writeKey(d tree, entity, name, text string) bool {
	for _, table := range at(d, "tables") {
		if list, ok := table.(tree)["items"].([]any); ok && slices.Contains(list, any(entity)) {
			items := tree{}
			for _, one := range list {
				items[one.(string)] = tree{}
			}
			table.(tree)["items"] = items
		}
	}
	return everyBlock(d, "items", func(items tree) bool {
		computed, ok := items[entity].(tree)
		if ok {
			computed[name] = text
		}
		return ok
	})
}

// unset removes an attribute from set of a pattern.
func unset(p tree, name string) {
	switch set := p["set"].(type) {
	case []any:
		p["set"] = slices.DeleteFunc(set, func(have any) bool { return have == name })
		if len(set) == 1 {
			delete(p, "set")
		}
	case tree:
		delete(set, name)
		if len(set) == 0 {
			delete(p, "set")
		}
	}
}

// withoutSet removes an attribute from set of a pattern, and the pattern if nothing is left.
func withoutSet(d tree, pattern, name string) bool {
	p := at(d, "patterns", pattern)
	if p == nil || p["set"] == nil {
		return false
	}
	unset(p, name)
	if p["set"] == nil {
		delete(at(d, "patterns"), pattern)
	}
	return true
}

// at returns the block at a path of keys, or nil.
func at(d tree, path ...string) tree {
	for _, key := range path {
		d, _ = d[key].(tree)
	}
	return d
}

// everyBlock calls change for every block with a key, until it returns true.
func everyBlock(d tree, key string, change func(tree) bool) bool {
	for name, value := range d {
		block, ok := value.(tree)
		if ok && (name == key && change(block) || everyBlock(block, key, change)) {
			return true
		}
	}
	return false
}

// everyParent calls change for every block that contains a key, until it returns true.
func everyParent(d tree, key string, change func(tree) bool) bool {
	if d[key] != nil && change(d) {
		return true
	}
	for _, value := range d {
		if block, ok := value.(tree); ok && everyParent(block, key, change) {
			return true
		}
	}
	return false
}

// replaceKey replaces the template of a computed key of the entity that a finding is about.
func replaceKey(d tree, f diag.Finding, name, text string) bool {
	return everyBlock(d, "items", func(items tree) bool {
		for entity, of := range items {
			computed, _ := of.(tree)
			if _, ok := computed[name].(string); ok && regexp.MustCompile(`\b`+entity+`\b`).MatchString(f.Subject+" "+f.Message) {
				computed[name] = text
				return true
			}
		}
		return false
	})
}

// leftOver lists findings about what nothing needs any more after a repair: an acceptance, an
// entity.
var leftOver = []diag.Code{"F012", "F014"}

// TestAdviceCanBeFollowed does what findings advise, where that needs no thought: the finding must
// go away, and no error or warning may come instead.
func TestAdviceCanBeFollowed(t *testing.T) {
	paths, err := filepath.Glob("testdata/*/fires*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	used := make([]int, len(forms))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before := foundIn(string(text))
		if !staysAsRead(t, text, before) {
			continue // a number that the YAML library changes
		}
		for _, f := range before {
			if f.Accepted != "" {
				continue
			}
			for i, form := range forms {
				found := form.text.FindStringSubmatch(f.Fix)
				if found == nil {
					continue
				}
				var d tree
				if err := yaml.Unmarshal(text, &d); err != nil {
					t.Fatal(err)
				}
				if !form.follow(d, f, found) {
					continue
				}
				used[i]++
				changed, err := yaml.Marshal(d)
				if err != nil {
					t.Fatal(err)
				}
				for _, after := range foundIn(string(changed)) {
					same := func(g diag.Finding) bool { return g.Code == after.Code && g.Subject == after.Subject }
					switch {
					case same(f) && after.Fix == f.Fix:
						t.Errorf("%s: %s stays after: %s", path, f.Code, f.Fix)
					case after.Severity >= diag.Warning && !slices.Contains(leftOver, after.Code) && !slices.ContainsFunc(before, same):
						t.Errorf("%s: %s\n\tbrings %s %s: %s", path, f.Fix, after.Code, after.Subject, after.Message)
					}
				}
			}
		}
	}
	for i, form := range forms {
		if used[i] == 0 {
			t.Errorf("no finding gives the advice %s", form.text)
		}
	}
}

// staysAsRead reports whether a design has the same findings after it was read and written.
func staysAsRead(t *testing.T, text []byte, before []diag.Finding) bool {
	t.Helper()
	var d tree
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	again, err := yaml.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return len(foundIn(string(again))) == len(before)
}

// foundIn returns the findings of a design.
func foundIn(text string) []diag.Finding {
	var report diag.Report
	design := loader.Load([]loader.Source{{Name: filepath.Join(pagesFolder, "test.design.yaml"), Text: []byte(text)}}, &report)
	if design != nil && !report.Failed() {
		check.Run(design, check.Options{}, &report)
	}
	return report.Findings()
}
