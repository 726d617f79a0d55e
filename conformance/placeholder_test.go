package conformance

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	repeatPlaceholder   = regexp.MustCompile(`\$\{([^$]+?)\*([0-9]+)\}`)
	countPlaceholder    = regexp.MustCompile(`\$\{i(?::([0-9]+))?\}`)
	arnPlaceholder      = regexp.MustCompile(`\$\{arn:([^}]*)\}`)
	previousPlaceholder = regexp.MustCompile(`"\$\{previous\.([^}]+)\}"`)
	nowPlaceholder      = regexp.MustCompile(`\$\{now([+-][0-9]+)?\}`)
	keptPlaceholder     = regexp.MustCompile(`\$\{([a-z][A-Za-z0-9]*)\}`)
	indexInPath         = regexp.MustCompile(`\[([0-9]+)\]`)
)

// repeated replaces ${x*3} by xxx.
func repeated(text string) string {
	return repeatPlaceholder.ReplaceAllStringFunc(text, func(found string) string {
		part := repeatPlaceholder.FindStringSubmatch(found)
		n, err := strconv.Atoi(part[2])
		if err != nil {
			return found // too many digits; the text stays as it is and is refused by the service
		}
		return strings.Repeat(part[1], n)
	})
}

// counted replaces ${i} and ${i:3} by a number.
func counted(text string, i int) string {
	return countPlaceholder.ReplaceAllStringFunc(text, func(found string) string {
		width, err := strconv.Atoi(countPlaceholder.FindStringSubmatch(found)[1])
		if err != nil {
			width = 0
		}
		return fmt.Sprintf("%0*d", width, i)
	})
}

// withArns replaces ${arn:table} by what arn makes of the table.
func withArns(text string, arn func(table string) string) string {
	return arnPlaceholder.ReplaceAllStringFunc(text, func(found string) string {
		return arn(arnPlaceholder.FindStringSubmatch(found)[1])
	})
}

// withNow replaces ${now} and ${now-60} by seconds since 1970.
func withNow(text string, now time.Time) string {
	return nowPlaceholder.ReplaceAllStringFunc(text, func(found string) string {
		seconds, err := strconv.ParseInt(nowPlaceholder.FindStringSubmatch(found)[1], 10, 64)
		if err != nil {
			seconds = 0
		}
		return strconv.FormatInt(now.Unix()+seconds, 10)
	})
}

// withKept replaces ${name} by what was kept under that name.
func withKept(text string, values map[string]string) string {
	return keptPlaceholder.ReplaceAllStringFunc(text, func(found string) string {
		if value, ok := values[keptPlaceholder.FindStringSubmatch(found)[1]]; ok {
			return value
		}
		return found
	})
}

// member finds a part of an answer by a path like .Shards[0].ShardId.
func member(value any, path string) (any, error) {
	path = strings.TrimPrefix(indexInPath.ReplaceAllString(path, ".$1"), ".")
	for name := range strings.SplitSeq(path, ".") {
		var found bool
		switch tree := value.(type) {
		case map[string]any:
			value, found = tree[name]
		case []any:
			i, err := strconv.Atoi(name)
			if found = err == nil && i < len(tree); found {
				value = tree[i]
			}
		}
		if !found {
			return nil, fmt.Errorf("the answer has no member %s", path)
		}
	}
	return value, nil
}

// withPrevious replaces "${previous.A.B}" by that member of the previous answer.
func withPrevious(text string, previous any) (string, error) {
	var problem error
	text = previousPlaceholder.ReplaceAllStringFunc(text, func(found string) string {
		value, err := member(previous, previousPlaceholder.FindStringSubmatch(found)[1])
		if err != nil {
			problem = err
			return found
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			problem = err
		}
		return string(encoded)
	})
	return text, problem
}

// withSamples fills the placeholders that are filled when a step runs, so that
// the rest can be checked before.
func withSamples(text string) string {
	text = withArns(counted(previousPlaceholder.ReplaceAllString(text, "{}"), 0), func(table string) string { return table })
	return withNow(text, time.Unix(0, 0))
}
