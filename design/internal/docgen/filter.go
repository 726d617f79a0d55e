package docgen

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A patternFilter is a choice by which the matrix of patterns can be narrowed.
type patternFilter struct {
	Key, Name string
	Values    []string
}

// filterKinds lists the filters in the order of the form.
var filterKinds = []patternFilter{
	{Key: "entity", Name: "Entity"}, {Key: "table", Name: "Table"}, {Key: "role", Name: "Role"},
	{Key: "phase", Name: "Tag"}, {Key: "finding", Name: "Finding"},
}

// patternFilters returns the filters that have something to choose from.
func patternFilters(rows []patternRow) []patternFilter {
	var filters []patternFilter
	for _, kind := range filterKinds {
		for _, row := range rows {
			for _, value := range strings.Fields(row.Filter[kind.Key]) {
				if !slices.Contains(kind.Values, value) {
					kind.Values = append(kind.Values, value)
				}
			}
		}
		if len(kind.Values) > 1 || kind.Key == "finding" && len(kind.Values) > 0 {
			slices.Sort(kind.Values)
			filters = append(filters, kind)
		}
	}
	return filters
}

// dropUnused removes the values of filters that are not offered.
func dropUnused(rows []patternRow, filters []patternFilter) {
	for _, row := range rows {
		for key := range row.Filter {
			if !slices.ContainsFunc(filters, func(f patternFilter) bool { return f.Key == key }) {
				delete(row.Filter, key)
			}
		}
	}
}

// filterValues returns the values of a pattern for each filter.
func filterValues(d *model.Design, plan *resolve.Plan, row patternRow) map[string]string {
	var entities, tables, roles, findings []string
	for _, e := range plan.Pattern.Entities() {
		entities = append(entities, e.Name)
	}
	for _, r := range plan.Reads() {
		tables = append(tables, r.Entry.Path.Table.Name)
	}
	for _, w := range plan.Writes {
		tables = append(tables, w.Item.Table.Name)
	}
	for _, role := range d.Roles {
		if slices.Contains(role.Patterns, plan.Pattern) {
			roles = append(roles, role.Name)
		}
	}
	for _, f := range row.Findings {
		findings = append(findings, f.Code)
	}
	return map[string]string{
		"entity": spaced(entities), "table": spaced(tables), "role": spaced(roles),
		"phase": spaced(plan.Pattern.Tags), "finding": spaced(findings),
	}
}

// spaced joins values so that each has a space before and after it.
func spaced(values []string) string {
	values = slices.Compact(slices.Sorted(slices.Values(values)))
	if len(values) == 0 {
		return ""
	}
	return " " + strings.Join(values, " ") + " "
}
