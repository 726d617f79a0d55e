package cost

import "sortkey.dev/design/internal/exact"

// A PriceName describes a price that a price file or a design's prices block can state.
type PriceName struct {
	Name string
	// Unit is the unit of the price as quoted. Files state prices of a million; a PriceList
	// stores prices of one unit.
	Unit string
	Doc  string
}

// PriceNames lists all prices, in the order of files and reports.
var PriceNames = []PriceName{
	{"write", "million WRU", "On-demand write request units."},
	{"read", "million RRU", "On-demand read request units."},
	{"wcu_hour", "WCU-hour", "One provisioned write capacity unit for an hour."},
	{"rcu_hour", "RCU-hour", "One provisioned read capacity unit for an hour."},
	{"storage", "GB-month", "Data stored in tables and indexes."},
	{"ia_write", "million WRU", "On-demand write request units, class standard-ia."},
	{"ia_read", "million RRU", "On-demand read request units, class standard-ia."},
	{"ia_wcu_hour", "WCU-hour", "One provisioned write capacity unit for an hour, class standard-ia."},
	{"ia_rcu_hour", "RCU-hour", "One provisioned read capacity unit for an hour, class standard-ia."},
	{"ia_storage", "GB-month", "Data stored in tables and indexes, class standard-ia."},
	{"pitr", "GB-month", "Point-in-time recovery, of a table and its local indexes."},
	{"backup", "GB-month", "On-demand backups."},
	{"restore", "GB", "Data restored from a backup."},
	{"export", "GB", "Data exported to S3."},
	{"import", "GB", "Data imported from S3."},
	{"streams", "read request", "Reading a stream: one GetRecords call of up to 1 MB."},
	{"replicated_write", "million rWRU", "On-demand writes replicated by a global table."},
	{"replicated_wcu_hour", "rWCU-hour", "One provisioned replicated write capacity unit for an hour."},
	{"reserved_1y", "share", "Discount on capacity reserved for one year, as a share of 1."},
	{"reserved_3y", "share", "Discount on capacity reserved for three years, as a share of 1."},
	{"free_wcu", "WCU", "Provisioned write capacity that is free for an account."},
	{"free_rcu", "RCU", "Provisioned read capacity that is free for an account."},
	{"free_gb", "GB", "Storage that is free for an account."},
	{"free_streams", "read request", "Stream reads that are free for an account each month."},
}

// LookupPrice finds a price by its name.
func LookupPrice(name string) (PriceName, bool) {
	for _, p := range PriceNames {
		if p.Name == name {
			return p, true
		}
	}
	return PriceName{}, false
}

// perOne converts an amount quoted for a unit into the amount of one.
func perOne(amount exact.Number, unit string) exact.Number {
	if len(unit) > len(million) && unit[:len(million)] == million {
		return amount.Over(1_000_000)
	}
	return amount
}

const million = "million "
