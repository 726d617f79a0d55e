// Package inner is called by the program.
package inner

import "fmt"

type caller interface{ call() }

// A Base can be called.
type Base struct{}

func (Base) call() {}

func (Base) never(int) {} // want dead

// Call calls.
func Call(c caller) { c.call() }

// Print makes an interface of its argument.
func Print[T any](value T) { fmt.Println(value) }

// A Box holds a value.
type Box[T any] struct{ value T }

// Of returns a box.
func Of[T any](value T) Box[T] { return Box[T]{value} }

// Show makes an interface of the value.
func (b Box[T]) Show() { fmt.Println(b.value) }

// Hide is dead.
func (b Box[T]) Hide() {} // want dead

// OnlyForTests is called by a test of another package.
func OnlyForTests() {} // want dead

// Allowed stays.
func Allowed() {}

// Dead is dead.
func Dead() {} // want dead
