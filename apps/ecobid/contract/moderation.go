package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of moderators, and figures.
var (
	ListReports  = operation.Get[operation.Page, List[Report]]("/v1/moderation/reports", "Open reports, oldest first")
	DecideReport = operation.Post[ReportOf, None]("/v1/moderation/reports/{target}/{reporter}", "Decide a report")
	RemoveItem   = operation.Post[operation.ByID, None]("/v1/moderation/items/{id}/remove", "Remove an item")
	RestoreItem  = operation.Post[operation.ByID, None]("/v1/moderation/items/{id}/restore", "Restore an item")
	Suspend      = operation.Post[operation.ByID, None]("/v1/moderation/users/{id}/suspend", "Suspend a person")
	Reinstate    = operation.Post[operation.ByID, None]("/v1/moderation/users/{id}/reinstate", "Take a suspension back")
	GetHealth    = operation.Get[None, Health]("/health", "Whether the database can be used").Open()
	GetImpact    = operation.Get[Where, Impact]("/v1/impact", "What was kept out of the bin").Open()
)

// A Report is an open report.
type Report struct {
	Target     string    `json:"target"`
	ItemID     string    `json:"itemId,omitempty"`
	UserID     string    `json:"userId,omitempty"`
	ReporterID string    `json:"reporterId"`
	Reason     string    `json:"reason"`
	Note       *string   `json:"note,omitempty"`
	At         time.Time `json:"at"`
}

// A Decision says whether a report is right.
type Decision struct {
	Uphold bool `json:"uphold"`
}

// A Health says that the database can be used.
type Health struct {
	Status string `json:"status"`
}

// An Impact holds the figures of months, with the formula.
type Impact struct {
	Months  []ImpactMonth  `json:"months"`
	Factors []ImpactFactor `json:"factors"`
}

// An ImpactMonth holds the figures of a month.
type ImpactMonth struct {
	Month    string `json:"month"`
	Items    int64  `json:"items"`
	Grams    int64  `json:"grams"`
	CO2Grams int64  `json:"co2Grams"`
}

// An ImpactFactor is the formula of a category: grams of CO2 = grams × co2GramsPerKg / 1000.
type ImpactFactor struct {
	Category      string `json:"category"`
	UsualGrams    int64  `json:"usualGrams"`
	CO2GramsPerKg int64  `json:"co2GramsPerKg"`
}

// A ReportOf names a report.
type ReportOf struct {
	Target   string `path:"target"`
	Reporter string `path:"reporter"`
	Body     Decision
}

// Where holds the arguments of GetImpact.
type Where struct {
	City string `query:"city"`
}
