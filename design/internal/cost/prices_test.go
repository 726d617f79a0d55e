package cost

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

func TestPriceFilesAreComplete(t *testing.T) {
	names := Regions()
	if !slices.Contains(names, "us-east-1") || !slices.Contains(names, "us-east-1@2024-10") {
		t.Fatalf("the built-in price files are %v", names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			list, err := PricesOf(name)
			if err != nil {
				t.Fatal(err)
			}
			region, _, _ := strings.Cut(name, "@")
			if list.Region != region || list.Name != name {
				t.Errorf("the file %s is of the region %s and named %s", name, list.Region, list.Name)
			}
			if _, err := time.Parse(time.DateOnly, list.Date); err != nil {
				t.Errorf("its date is %q", list.Date)
			}
			checkPrices(t, list)
		})
	}
}

func checkPrices(t *testing.T, list *PriceList) {
	t.Helper()
	for i, known := range PriceNames {
		if i >= len(list.Prices) || list.Prices[i].Name != known.Name {
			t.Fatalf("the prices are not those of PriceNames in their order: %s is missing", known.Name)
		}
		p := list.Prices[i]
		if p.Source == "" || p.Amount.Sign() <= 0 {
			t.Errorf("%s is %s from %q", p.Name, p.Amount, p.Source)
		}
		if p.Status == Derived && !list.Approximate && list.Region != "us-east-1" && p.Name != "reserved_1y" && p.Name != "reserved_3y" &&
			!strings.Contains(p.Source, "as in us-east-1") {
			t.Errorf("%s is derived, but the list does not say that it is approximate", p.Name)
		}
	}
	if list.Approximate && list.Note == "" {
		t.Error("the list is approximate and does not say why")
	}
	five := exact.Int(5)
	if ratio, _ := list.Of("wcu_hour").Div(list.Of("rcu_hour")); ratio.Sub(five).Round(1).Sign() != 0 {
		t.Errorf("a write capacity unit costs %s read units, want 5 as everywhere", ratio)
	}
}

func TestPricesOfVirginia(t *testing.T) {
	now, err := PricesOf("us-east-1")
	if err != nil {
		t.Fatal(err)
	}
	before, err := PricesOf("us-east-1@2024-10")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, now, before string }{
		{"write", "0.000000625", "0.00000125"}, {"read", "0.000000125", "0.00000025"},
		{"wcu_hour", "0.00065", "0.00065"}, {"rcu_hour", "0.00013", "0.00013"},
		{"storage", "0.25", "0.25"}, {"pitr", "0.2", "0.2"}, {"streams", "0.0000002", "0.0000002"},
		{"replicated_write", "0.000000625", "0.000001875"}, {"free_wcu", "25", "25"},
	} {
		equal(t, c.name+" now", now.Of(c.name), c.now)
		equal(t, c.name+" before", before.Of(c.name), c.before)
	}
}

func TestBreakEven(t *testing.T) {
	for region, want := range map[string][4]string{
		"us-east-1":         {"28.9", "28.9", "13.3", "6.6"},
		"us-east-1@2024-10": {"14.4", "14.4", "6.6", "3.3"},
	} {
		list, err := PricesOf(region)
		if err != nil {
			t.Fatal(err)
		}
		b := BreakEvenAt(list)
		for i, got := range []exact.Number{b.Write, b.Read, b.Reserved1, b.Reserved3} {
			if got.Times(100).Fixed(1) != want[i] {
				t.Errorf("%s: break-even %d is %s %%, want %s", region, i, got.Times(100).Fixed(1), want[i])
			}
		}
	}
}

func TestPricesOfOtherRegions(t *testing.T) {
	stockholm, err := PricesOf("eu-north-1")
	if err != nil {
		t.Fatal(err)
	}
	if !stockholm.Approximate || !strings.Contains(stockholm.Note, "derived") {
		t.Errorf("eu-north-1 has derived prices and does not say so: %+v", stockholm.Note)
	}
	zurich, err := PricesOf("eu-central-2")
	if err != nil {
		t.Fatal(err)
	}
	if zurich.Region != "eu-central-2" || !zurich.Approximate || !strings.Contains(zurich.Note, "the prices of eu-central-1") {
		t.Errorf("eu-central-2 is priced as %s, note %q", zurich.Region, zurich.Note)
	}
	if _, err := PricesOf("us-est-1x"); err == nil || !strings.Contains(err.Error(), "us-east-1") {
		t.Errorf("a name that is no region gives %v, want a suggestion", err)
	}
}

func TestReadPrices(t *testing.T) {
	list, err := ReadPrices([]byte(`{"region": "us-east-1", "date": "2027-01-01", "prices": [
		{"name": "write", "amount": "0.5", "unit": "million WRU", "source": "a contract", "status": "own"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the stated price", list.Of("write"), "0.0000005")
	equal(t, "a price not stated", list.Of("read"), "0.000000125")
	if list.Date != "2027-01-01" || list.Note == "" {
		t.Errorf("date %s, note %q", list.Date, list.Note)
	}
}

func TestReadPricesRejectsInvalidFiles(t *testing.T) {
	price := func(fields string) string {
		return `{"region": "us-east-1", "date": "2027-01-01", "prices": [{` + fields + `}]}`
	}
	for _, c := range []struct{ text, want string }{
		{`nonsense`, "not valid"},
		{`{"region": "us-east-1", "date": "yesterday", "prices": []}`, `is "yesterday"`},
		{`{"date": "2027-01-01", "prices": []}`, "no region"},
		{`{"region": "us-east-1", "date": "2027-01-01", "cost": 1}`, "cost"},
		{price(`"name": "wirte", "amount": "1", "unit": "million WRU", "source": "x", "status": "own"`), "prices are write, read"},
		{price(`"name": "write", "amount": "1e9", "unit": "million WRU", "source": "x", "status": "own"`), "not a decimal"},
		{price(`"name": "write", "amount": "-1", "unit": "million WRU", "source": "x", "status": "own"`), "is negative"},
		{price(`"name": "write", "amount": "1", "unit": "WRU", "source": "x", "status": "own"`), `"million WRU"`},
		{price(`"name": "write", "amount": "1", "unit": "million WRU", "status": "own"`), "no source"},
		{price(`"name": "write", "amount": "1", "unit": "million WRU", "source": "x", "status": "rumour"`), "rumour"},
	} {
		if _, err := ReadPrices([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngives %v, want an error with %q", c.text, err, c.want)
		}
	}
}

func TestPricesOfADesign(t *testing.T) {
	d := &model.Design{Region: "eu-west-1"}
	equal(t, "the region's price", PricesFor(d).Of("wcu_hour"), "0.000735")
	d.Prices = &model.Prices{Name: "us-east-1@2024-10"}
	equal(t, "a named list", PricesFor(d).Of("write"), "0.00000125")
	d.Prices = &model.Prices{Date: "2026-02-06", Source: "the seed", Values: map[string]exact.Number{"write": number("1.4175"), "storage": number("0.27")}}
	list := PricesFor(d)
	equal(t, "a stated price, per million", list.Of("write"), "0.0000014175")
	equal(t, "a stated price", list.Of("storage"), "0.27")
	equal(t, "a price left to the region", list.Of("rcu_hour"), "0.000147")
	if list.Date != "2026-02-06" {
		t.Errorf("the date is %s", list.Date)
	}
	d.Prices = &model.Prices{Name: "mars-1"}
	if list := PricesFor(d); list.Region != "eu-west-1" || !strings.Contains(list.Note, "mars-1") {
		t.Errorf("an unknown list gives %s, note %q", list.Region, list.Note)
	}
	if list := PricesFor(&model.Design{}); list.Region != DefaultRegion {
		t.Errorf("a design without region is priced in %s", list.Region)
	}
}

func FuzzReadPrices(f *testing.F) {
	f.Add([]byte(`{"region": "us-east-1", "date": "2027-01-01", "prices": []}`))
	f.Add([]byte(`{"region": "", "date": "2027-01-01"}`))
	f.Add([]byte(`{"region": "eu-x-1", "date": "2027-01-01", "prices": [{"name": "write", "amount": "1", "unit": "million WRU", "source": "x", "status": "own"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := ReadPrices(text)
		if err == nil && len(list.Prices) != len(PriceNames) {
			t.Errorf("%q gives %d prices and no error", text, len(list.Prices))
		}
	})
}
