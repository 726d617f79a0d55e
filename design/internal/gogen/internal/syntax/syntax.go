// Package syntax is a tree of Go source and the one printer of it. Rooms that generate code
// build declarations, statements and expressions, ask the tree which names it uses, and print
// it at the end. Generated text is never searched or edited.
//
// The tree has what generated packages need and no more: no positions, no parsing. Operators
// get the parentheses they need, packages are imported because a name of theirs is used, and
// go/format does the indentation.
package syntax
