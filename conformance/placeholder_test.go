package conformance

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	repeatPlaceholder   = regexp.MustCompile(`\$\{([^$]+?)\*([0-9]+)\}`)
	countPlaceholder    = regexp.MustCompile(`\$\{i(?::([0-9]+))?\}`)
	arnPlaceholder      = regexp.MustCompile(`\$\{arn:([^}]*)\}`)
	previousPlaceholder = regexp.MustCompile(`"\$\{previous\.([^}]+)\}"`)
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

// withPrevious replaces "${previous.A.B}" by that member of the previous answer.
func withPrevious(text string, previous any) (string, error) {
	var problem error
	text = previousPlaceholder.ReplaceAllStringFunc(text, func(found string) string {
		path := previousPlaceholder.FindStringSubmatch(found)[1]
		value := previous
		for name := range strings.SplitSeq(path, ".") {
			object, _ := value.(map[string]any)
			member, ok := object[name]
			if !ok {
				problem = fmt.Errorf("the answer before has no member %s", path)
				return found
			}
			value = member
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
	return withArns(counted(previousPlaceholder.ReplaceAllString(text, "{}"), 0), func(table string) string { return table })
}
