package output

import (
	"io"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
)

type jsonPattern struct {
	Pattern       string       `json:"pattern"`
	Calls         exact.Number `json:"callsPerMonth"`
	Requests      exact.Number `json:"requestsPerCall"`
	Pages         exact.Number `json:"pagesPerQuery"`
	Items         exact.Number `json:"itemsReadPerCall"`
	Known         bool         `json:"itemsKnown"`
	Read          exact.Number `json:"readUnitsPerCall"`
	Write         exact.Number `json:"writeUnitsPerCall"`
	Amplification exact.Number `json:"writeAmplification"`
	OnDemand      exact.Number `json:"onDemandPerMonth"`
	Uses          []jsonUse    `json:"uses"`
}

type jsonUse struct {
	Path  string       `json:"path"`
	Read  exact.Number `json:"readUnits"`
	Write exact.Number `json:"writeUnits"`
	Why   string       `json:"why"`
}

type jsonPath struct {
	Path        string       `json:"path"`
	Items       exact.Number `json:"items"`
	Bytes       exact.Number `json:"bytes"`
	Reads       exact.Number `json:"readUnitsPerMonth"`
	Writes      exact.Number `json:"writeUnitsPerMonth"`
	PeakRCU     exact.Number `json:"peakRCU"`
	PeakWCU     exact.Number `json:"peakWCU"`
	HottestKey  string       `json:"hottestKey"`
	HottestRCU  exact.Number `json:"hottestPartitionRCU"`
	HottestWCU  exact.Number `json:"hottestPartitionWCU"`
	OnDemand    jsonBill     `json:"onDemand"`
	Provisioned jsonBill     `json:"provisioned"`
}

type jsonBill struct {
	Total exact.Number `json:"total"`
	Lines []jsonLine   `json:"lines"`
}

type jsonLine struct {
	What     string       `json:"what"`
	Quantity exact.Number `json:"quantity"`
	Unit     string       `json:"unit"`
	Price    exact.Number `json:"price"`
	Free     exact.Number `json:"free"`
	Amount   exact.Number `json:"amount"`
}

func jsonBillOf(b cost.Bill) jsonBill {
	out := jsonBill{Total: b.Total, Lines: make([]jsonLine, len(b.Lines))}
	for i, line := range b.Lines {
		out.Lines[i] = jsonLine(line)
	}
	return out
}

type jsonPrices struct {
	Name        string      `json:"name"`
	Region      string      `json:"region"`
	Date        string      `json:"date"`
	Approximate bool        `json:"approximate"`
	Note        string      `json:"note,omitempty"`
	Prices      []jsonQuote `json:"prices"`
}

type jsonQuote struct {
	Name   string       `json:"name"`
	Amount exact.Number `json:"amount"`
	Unit   string       `json:"unit"`
	Status cost.Status  `json:"status"`
	Source string       `json:"source"`
}

func jsonPricesOf(list *cost.PriceList) jsonPrices {
	out := jsonPrices{Name: list.Name, Region: list.Region, Date: list.Date, Approximate: list.Approximate, Note: list.Note}
	for _, quote := range list.Prices {
		out.Prices = append(out.Prices, jsonQuote{quote.Name, quote.Amount, quote.Unit, quote.Status, quote.Source})
	}
	return out
}

// JSON writes the estimate as JSON. Numbers are decimal strings, exact where possible.
func (c Cost) JSON(w io.Writer) error {
	e := c.Estimate
	var out struct {
		Design      string        `json:"design"`
		Workload    string        `json:"workload"`
		Prices      jsonPrices    `json:"prices"`
		Patterns    []jsonPattern `json:"patterns"`
		Paths       []jsonPath    `json:"paths"`
		OnDemand    jsonBill      `json:"onDemand"`
		Provisioned jsonBill      `json:"provisioned"`
		Autoscaled  jsonBill      `json:"autoscaled"`
		Reserved1   jsonBill      `json:"reserved1Year"`
		Reserved3   jsonBill      `json:"reserved3Years"`
		AsDesigned  jsonBill      `json:"asDesigned"`
		BreakEven   struct {
			Write     exact.Number `json:"write"`
			Read      exact.Number `json:"read"`
			Reserved1 exact.Number `json:"reserved1Year"`
			Reserved3 exact.Number `json:"reserved3Years"`
		} `json:"breakEven"`
		FreeTierCovers bool `json:"freeTierCoversProvisioned"`
	}
	out.Design, out.Workload, out.Prices = e.Design.Name, c.Workload, jsonPricesOf(e.Prices)
	for _, pc := range e.Patterns {
		out.Patterns = append(out.Patterns, jsonPatternOf(pc))
	}
	for _, table := range e.Tables {
		for _, path := range table.Paths {
			out.Paths = append(out.Paths, jsonPath{
				Path: path.Path.String(), Items: path.Items, Bytes: path.Bytes,
				Reads: path.Reads, Writes: path.Writes, PeakRCU: path.PeakRCU, PeakWCU: path.PeakWCU,
				HottestKey: path.Heat.Key, HottestRCU: path.Heat.RCU, HottestWCU: path.Heat.WCU,
				OnDemand: jsonBillOf(path.OnDemand), Provisioned: jsonBillOf(path.Provisioned),
			})
		}
	}
	out.OnDemand, out.Provisioned = jsonBillOf(e.OnDemand), jsonBillOf(e.Provisioned)
	out.Autoscaled = jsonBillOf(e.Autoscaled)
	out.Reserved1, out.Reserved3, out.AsDesigned = jsonBillOf(e.Reserved1), jsonBillOf(e.Reserved3), jsonBillOf(e.AsDesigned)
	out.BreakEven.Write, out.BreakEven.Read = e.BreakEven.Write, e.BreakEven.Read
	out.BreakEven.Reserved1, out.BreakEven.Reserved3 = e.BreakEven.Reserved1, e.BreakEven.Reserved3
	out.FreeTierCovers = e.FreeTier.Covers
	return writeJSON(w, out)
}

func jsonPatternOf(pc *cost.PatternCost) jsonPattern {
	out := jsonPattern{
		Pattern: pc.Pattern.Name, Calls: pc.Calls, Requests: pc.Requests, Pages: pc.Pages, Items: pc.Items, Known: pc.Known,
		Read: pc.Read, Write: pc.Write, Amplification: pc.Amplification, OnDemand: pc.OnDemand,
	}
	for _, use := range pc.Uses {
		out.Uses = append(out.Uses, jsonUse{use.Path.String(), use.Read, use.Write, use.Why})
	}
	return out
}
