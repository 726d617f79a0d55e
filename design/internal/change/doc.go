// Package change compares two versions of a design: which elements are the same things, what changed, and
// whether old and new code may run on the same tables. Each change has a class and a code of the
// family evolution in package diag.
//
// It reads models and plans and runs nothing; package design calls it for sortkey diff. What old and
// new code do to each other's items is tried elsewhere: a change has room for what was seen.
package change
