package cli

import "sortkey.dev/design"

func compareCommand() command {
	return command{
		name:    "compare",
		summary: "hold a design against its alternatives on one workload",
		args:    "FILE",
		about: `For the design and each layout under "alternatives": which patterns are served, with how many
requests and units, what it costs a month, where it gets hot, how many tables and indexes it has.`,
		setup: onDesign("compare", func(d *design.Design, w design.Workload) (result, error) { return d.Compare(w) }),
	}
}
