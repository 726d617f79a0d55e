// Package migrate carries a migration out while programs go on reading and writing: it gives
// every item of a table what the next version of a design stores of it, proves that nothing is
// missing, and removes what only the last version stored.
//
// A migration is plain data, which sortkey plan writes from two versions of a design. What a
// version stores of an item and the other does not is a part. A part is a function of other
// attributes of the item, so it can be computed again at any time and be compared with what is
// stored. Parts pass through phases: see package access.
//
// The package sends single requests and holds nothing in memory but a page of items. It knows no
// design files. The command sortkey migrate calls it, and so can any program.
package migrate
