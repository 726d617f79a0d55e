package webkit

// A BarChart compares numbers: one bar each, from zero, with its label and value beside it.
type BarChart struct {
	Title string
	Desc  string // what can be seen in it, in a sentence
	Bars  []Bar
	Unit  string // "answers", for the table
	// Format is "number" (default), "percent" (of the sum, beside the number), "money EUR" or "duration" (values in seconds).
	Format string
	Max    float64 // the full width; the largest value if 0
}

// A Bar is one number of a BarChart.
type Bar struct {
	Label string
	Value float64
	Mark  bool // the viewer's own, or the winner
	Note  string
}

// A LineChart shows how numbers change, from left to right.
type LineChart struct {
	Title, Desc string
	Labels      []string // of the points, from left to right
	Series      []Series // at most 6
	Area        bool     // fills what is under a single line
	Unit        string
	Format      string
}

// A StackedChart shows what a total is made of, in columns from left to right.
type StackedChart struct {
	Title, Desc string
	Labels      []string // of the columns
	Series      []Series // at most 6, from the bottom up
	Unit        string
	Format      string
}

// A Series is one line, or one part of every column. It has a value for each label.
type Series struct {
	Name   string
	Values []float64
}

// A Sparkline is a line the size of a word.
type Sparkline struct {
	Label  string // what a screen reader says: "Answers in the last 7 days: 3, 5, 2"
	Values []float64
}

// A RatioChart compares measurements with what was expected of them: bars to the right of the
// middle are above it, bars to the left below, on a scale of doublings.
type RatioChart struct {
	Title, Desc string
	Rows        []Ratio
	Same        string  // under the middle: "as planned"
	Most        float64 // ratios above it are marked; 0 marks none
}

// A Ratio is a measurement by what was expected.
type Ratio struct {
	Label string
	Value float64 // 1 is as expected
	Note  string  // "3.00 units, planned 2.00"
}

func (BarChart) component() string     { return "bars" }
func (LineChart) component() string    { return "line" }
func (StackedChart) component() string { return "stacked" }
func (RatioChart) component() string   { return "ratios" }
func (Sparkline) component() string    { return "sparkline" }
