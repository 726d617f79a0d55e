// Command dead has a dead function on each line whose comment says so.
package main

import (
	"fmt"
	"sync/atomic"

	"example.com/dead/inner"
)

var held atomic.Pointer[pointed]

var table = map[string]func(){"named": namedByVariable}

var printed any = variable{}

func main() {
	held.Store(&pointed{})
	table["named"]()
	fmt.Println(shown{}, outer{}, printed)
	inner.Call(hidden{})
	inner.Call(&twice{})
	inner.Print(argument{})
	inner.Of(instance{}).Show()
	(&direct{}).called()
	if false {
		live()
	}
}

func init() { fromInit() }

func fromInit() {}

func namedByVariable() {}

func live() {}

func dead() { alsoDead() } // want dead

func alsoDead() {} // want dead

// A shown value becomes an interface, so that its exported methods may be found by reflection.
type shown struct{}

func (shown) String() string { return "" }

func (shown) quiet() {} // want dead

// An outer value reaches a field.
type outer struct{ Field []*field }

type field struct{}

func (*field) Exported() result { return result{} }

type result struct{}

func (result) Exported() {}

type variable struct{}

func (variable) Exported() {}

// A pointed value never becomes an interface.
type pointed struct{}

func (*pointed) Exported() {} // want dead

type argument struct{}

func (argument) Exported() {}

type instance struct{}

func (instance) Exported() {}

type direct struct{}

func (*direct) called() { fmt.Println("called") }

// A hidden value cannot have the method that inner calls.
type hidden struct{ inner.Base }

func (hidden) call() {} // want dead

// A twice value has the method of inner through what it embeds.
type twice struct{ hidden }

type sealed interface{ seal() }

type member struct{}

func (member) seal() {}

var _ sealed = member{}
