package cost

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// DefaultRegion is the region of designs that state none.
const DefaultRegion = "us-east-1"

// A PriceList holds the prices of one region at one date.
type PriceList struct {
	Name        string // us-east-1, us-east-1@2024-10, or the region of a user's file
	Region      string
	Date        string // 2026-07-30: date of the newest source
	Approximate bool   // some prices are derived, or those of another region
	Note        string // why it is approximate, and other remarks
	Prices      []Quote
	amounts     map[string]exact.Number
}

// A Quote is one price and its source.
type Quote struct {
	Name   string
	Amount exact.Number // of one unit: a write request unit, not a million
	Stated exact.Number // as the source quotes it, for the Unit
	Unit   string
	Source string
	Status Status
}

// Status is the reliability of a price.
type Status string

// The statuses.
const (
	Listed    Status = "listed"    // stated by AWS, or computed from AWS's price list
	Derived   Status = "derived"   // computed from other prices as the source says
	Secondary Status = "secondary" // quoted by a third party
	Own       Status = "own"       // stated by the design
)

// Of returns the price of one unit, zero if the list has none of that name.
func (p *PriceList) Of(name string) exact.Number { return p.amounts[name] }

// Has reports whether the list states a price.
func (p *PriceList) Has(name string) bool {
	_, ok := p.amounts[name]
	return ok
}

//go:embed prices/*.json
var priceFiles embed.FS

// Regions returns the names PricesOf accepts: regions, and regions at an earlier date.
func Regions() []string {
	entries, err := priceFiles.ReadDir("prices")
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}

// PricesOf returns the built-in prices of a region, or of a region at an earlier date:
// us-east-1@2024-10. For a region without built-in prices it returns those of a nearby region
// with a note. A name that is not a valid region is an error.
func PricesOf(region string) (*PriceList, error) {
	if slices.Contains(Regions(), region) {
		return builtIn(region)
	}
	if !looksLikeRegion(region) {
		return nil, fmt.Errorf("there is no price list %q; price lists are %s", region, strings.Join(Regions(), ", "))
	}
	near := nearest(region)
	list, err := builtIn(near)
	if err != nil {
		return nil, err
	}
	list.Name, list.Region, list.Approximate = region, region, true
	list.Note = fmt.Sprintf("no prices of %s are known; these are the prices of %s", region, near)
	return list, nil
}

func builtIn(name string) (*PriceList, error) {
	text, err := priceFiles.ReadFile("prices/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("reading the prices of %s: %w", name, err)
	}
	list, err := parsePrices(text)
	if err != nil {
		return nil, fmt.Errorf("reading the prices of %s: %w", name, err)
	}
	list.Name = name
	return list, nil
}

// looksLikeRegion reports whether a name has the shape of AWS's regions: xx-name-1.
func looksLikeRegion(name string) bool {
	parts := strings.Split(name, "-")
	last := parts[len(parts)-1]
	return (len(parts) == 3 || len(parts) == 4) && len(parts[0]) == 2 && len(last) == 1 && last >= "1" && last <= "9"
}

// nearest returns the region whose prices are used for an unknown region.
func nearest(region string) string {
	switch region[:2] {
	case "eu":
		return "eu-central-1"
	case "ap":
		return "ap-southeast-1"
	case "ca", "mx":
		return "ca-central-1"
	case "sa":
		return "sa-east-1"
	case "me", "il":
		return "me-central-1"
	case "af":
		return "af-south-1"
	}
	return DefaultRegion
}

// A priceFile is the format of a price file. Amounts are strings to avoid floats.
type priceFile struct {
	Region      string      `json:"region"`
	Date        string      `json:"date"`
	Approximate bool        `json:"approximate"`
	Note        string      `json:"note"`
	Prices      []filePrice `json:"prices"`
}

type filePrice struct {
	Name   string `json:"name"`
	Amount string `json:"amount"`
	Unit   string `json:"unit"`
	Source string `json:"source"`
	Status Status `json:"status"`
}

// ReadPrices reads a price file in the JSON format of the built-in ones. Prices it does not
// state default to the built-in ones of its region.
func ReadPrices(text []byte) (*PriceList, error) {
	list, err := parsePrices(text)
	if err != nil {
		return nil, err
	}
	return list, list.complete()
}

func parsePrices(text []byte) (*PriceList, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var file priceFile
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("the price file is not valid: %w", err)
	}
	if _, err := time.Parse(time.DateOnly, file.Date); err != nil {
		return nil, fmt.Errorf("the date of the price file is %q; it must have the form 2026-07-30", file.Date)
	}
	if file.Region == "" {
		return nil, fmt.Errorf("the price file has no region")
	}
	list := &PriceList{
		Name: file.Region, Region: file.Region, Date: file.Date, Approximate: file.Approximate, Note: file.Note,
		amounts: make(map[string]exact.Number, len(PriceNames)),
	}
	for _, p := range file.Prices {
		if err := list.read(p); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (p *PriceList) read(f filePrice) error {
	known, ok := LookupPrice(f.Name)
	if !ok {
		return fmt.Errorf("there is no price %q; prices are %s", f.Name, strings.Join(priceNames(), ", "))
	}
	amount, err := exact.Parse(f.Amount)
	switch {
	case err != nil:
		return fmt.Errorf("the price %s: %w", f.Name, err)
	case amount.Sign() < 0:
		return fmt.Errorf("the price %s is negative", f.Name)
	case p.Has(f.Name):
		return fmt.Errorf("the price %s is stated twice", f.Name)
	case f.Unit != known.Unit:
		return fmt.Errorf("the unit of the price %s is %q, not %q", f.Name, known.Unit, f.Unit)
	case f.Source == "":
		return fmt.Errorf("the price %s has no source", f.Name)
	case f.Status != Listed && f.Status != Derived && f.Status != Secondary && f.Status != Own:
		return fmt.Errorf("the status of the price %s is %q; it must be listed, derived, secondary or own", f.Name, f.Status)
	}
	p.set(Quote{Name: f.Name, Stated: amount, Unit: f.Unit, Source: f.Source, Status: f.Status})
	return nil
}

// set sets a price, replacing an earlier one with the same name.
func (p *PriceList) set(price Quote) {
	price.Amount = perOne(price.Stated, price.Unit)
	p.amounts[price.Name] = price.Amount
	for i := range p.Prices {
		if p.Prices[i].Name == price.Name {
			p.Prices[i] = price
			return
		}
	}
	p.Prices = append(p.Prices, price)
}

// complete adds the prices a file does not state from the built-in list of its region.
func (p *PriceList) complete() error {
	if len(p.Prices) == len(PriceNames) {
		return nil
	}
	rest, err := PricesOf(p.Region)
	if err != nil {
		return err
	}
	for _, price := range rest.Prices {
		if !p.Has(price.Name) {
			p.set(price)
		}
	}
	p.Approximate = p.Approximate || rest.Approximate
	if p.Note == "" {
		p.Note = "prices the file does not state are the built-in ones of " + rest.Date
	}
	return nil
}

func priceNames() []string {
	names := make([]string, len(PriceNames))
	for i, p := range PriceNames {
		names[i] = p.Name
	}
	return names
}

// PricesFor returns the prices of a design: those its prices block names or states, else
// those of its region. If the block names an unknown list, PricesFor returns the prices of
// the region with a note.
func PricesFor(d *model.Design) *PriceList {
	region := d.Region
	if region == "" {
		region = DefaultRegion
	}
	list, err := PricesOf(region)
	if err != nil {
		list, _ = builtIn(DefaultRegion) // built in; tests read every file
		list.Approximate = true
		list.Note = fmt.Sprintf("%s is not an AWS region; these are the prices of %s", region, DefaultRegion)
	}
	if d.Prices == nil {
		return list
	}
	if d.Prices.Name != "" {
		named, err := PricesOf(d.Prices.Name)
		if err != nil {
			list.Note = err.Error() + "; these are the prices of " + region
			list.Approximate = true
			return list
		}
		list = named
	}
	return list.with(d.Prices)
}

// with returns the list with the prices that a design states.
func (p *PriceList) with(own *model.Prices) *PriceList {
	if len(own.Values) == 0 {
		return p
	}
	if own.Date != "" {
		p.Date = own.Date
	}
	source := own.Source
	if source == "" {
		source = "the design"
	}
	for _, known := range PriceNames {
		if amount, ok := own.Values[known.Name]; ok {
			p.set(Quote{Name: known.Name, Stated: amount, Unit: known.Unit, Source: source, Status: Own})
		}
	}
	p.Note = "with prices of " + source
	return p
}
