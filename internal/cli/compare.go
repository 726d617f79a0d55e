package cli

import "sortkey.dev/design"

func compareCommand() command {
	return command{
		name:    "compare",
		summary: "compare a design with its alternatives on one workload",
		args:    "FILE",
		about: `For the design and each layout under "alternatives": which patterns are served, with how many
requests and units, the monthly cost, hot partitions, and the number of tables and indexes.`,
		setup: onDesign("compare", func(d *design.Design, w design.Workload) (result, error) { return d.Compare(w) }),
	}
}
