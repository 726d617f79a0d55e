package claim

import (
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

const gigabyte = 1 << 30

// moneyFunctions lists functions about bills and monthly units.
var moneyFunctions = []*Function{
	{Name: "month", Doc: "The whole bill of a month if every table were on_demand, provisioned, autoscaled, reserved1 or reserved3.",
		params: []param{word("billing"), maybe("profile")}, call: month},
	{Name: "total", Doc: "The bill of a month as designed, each table in its own billing.", params: []param{maybe("profile")},
		call: ofEstimate(func(e *cost.Estimate) value { return plain(e.AsDesigned.Total) })},
	{Name: "storage", Doc: "The storage part of the bill as designed.", params: []param{maybe("profile")},
		call: ofEstimate(func(e *cost.Estimate) value { return plain(linesOf(e.AsDesigned, "storage")) })},
	{Name: "table", Doc: "The bill of one table and its indexes as designed, before the free tier.",
		params: []param{word("table"), maybe("profile")}, call: tableBill},
	{Name: "stored", Doc: "Gigabytes stored, indexes included.", params: []param{maybe("profile")},
		call: ofEstimate(func(e *cost.Estimate) value {
			return plain(sumPaths(e, func(p *cost.PathCost) exact.Number { return p.Bytes }).Over(gigabyte))
		})},
	{Name: "reads", Doc: "Read units a month.", params: []param{maybe("profile")},
		call: ofEstimate(func(e *cost.Estimate) value {
			return plain(sumPaths(e, func(p *cost.PathCost) exact.Number { return p.Reads }))
		})},
	{Name: "writes", Doc: "Write units a month, indexes included.", params: []param{maybe("profile")},
		call: ofEstimate(func(e *cost.Estimate) value {
			return plain(sumPaths(e, func(p *cost.PathCost) exact.Number { return p.Writes }))
		})},
	{Name: "break_even", Doc: "The utilization above which provisioned capacity is cheaper than on-demand, of write, read, reserved1 or reserved3.",
		params: []param{word("of")}, call: breakEven},
	{Name: "free", Doc: "The free tier left for the design: writes or reads a month, or wcu, rcu or storage.",
		params: []param{word("of")}, call: free},
	{Name: "list_price", Doc: "AWS's list price for the design's region, ignoring prices the design states.",
		params: []param{word("name")}, call: listPrice},
}

func ofEstimate(of func(*cost.Estimate) value) func(Env, []argument) (value, error) {
	return func(env Env, args []argument) (value, error) {
		e, err := env.estimate(args)
		if err != nil {
			return value{}, err
		}
		return of(e), nil
	}
}

func month(env Env, args []argument) (value, error) {
	if err := args[0].oneOf("on_demand", "on-demand", "provisioned", "autoscaled", "reserved1", "reserved3"); err != nil {
		return value{}, err
	}
	e, err := env.estimate(args[1:])
	if err != nil {
		return value{}, err
	}
	bill := e.OnDemand
	switch args[0].word {
	case "provisioned":
		bill = e.Provisioned
		if !slices.ContainsFunc(e.Design.Tables, func(t *model.Table) bool { return !t.Billing.Provisioned }) {
			bill = e.AsDesigned // with the capacity the design states
		}
	case "autoscaled":
		bill = e.Autoscaled
	case "reserved1":
		bill = e.Reserved1
	case "reserved3":
		bill = e.Reserved3
	}
	return plain(bill.Total), nil
}

func linesOf(bill cost.Bill, what string) exact.Number {
	sum := exact.Zero
	for _, line := range bill.Lines {
		if line.What == what {
			sum = sum.Add(line.Amount)
		}
	}
	return sum
}

func tableBill(env Env, args []argument) (value, error) {
	tables, err := chosen(env, args[:1])
	if err != nil {
		return value{}, err
	}
	e, err := env.estimate(args[1:])
	if err != nil {
		return value{}, err
	}
	sum := exact.Zero
	for _, table := range e.Tables {
		if table.Table != tables[0] {
			continue
		}
		for _, path := range table.Paths {
			sum = sum.Add(path.AsDesigned.Total)
		}
	}
	return plain(sum), nil
}

func sumPaths(e *cost.Estimate, of func(*cost.PathCost) exact.Number) exact.Number {
	sum := exact.Zero
	for _, table := range e.Tables {
		for _, path := range table.Paths {
			sum = sum.Add(of(path))
		}
	}
	return sum
}

func breakEven(env Env, args []argument) (value, error) {
	if err := args[0].oneOf("write", "read", "reserved1", "reserved3"); err != nil {
		return value{}, err
	}
	b := env.Estimate("").BreakEven
	return plain(map[string]exact.Number{
		"write": b.Write, "read": b.Read, "reserved1": b.Reserved1, "reserved3": b.Reserved3,
	}[args[0].word]), nil
}

func free(env Env, args []argument) (value, error) {
	if err := args[0].oneOf("writes", "reads", "wcu", "rcu", "storage"); err != nil {
		return value{}, err
	}
	f := env.Estimate("").FreeTier
	const secondsPerMonth = model.HoursPerMonth * 3600
	return plain(map[string]exact.Number{
		"writes": f.FreeWCU.Times(secondsPerMonth), "reads": f.FreeRCU.Times(secondsPerMonth),
		"wcu": f.FreeWCU, "rcu": f.FreeRCU, "storage": f.FreeGB,
	}[args[0].word]), nil
}
