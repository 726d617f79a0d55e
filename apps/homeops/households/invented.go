package households

import (
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/understanding"
)

// Invented returns a household that is not stored, with the default settings, for the page on which
// operators try the classifier: they see no real household.
func Invented(locale understanding.Locale, useModel bool, people ...Person) Home {
	home := Home{Household: homeopsdb.Household{
		HouseholdID: "invented", TimeZone: homeops.DefaultZone, Locale: homeopsdb.HouseholdLocale(locale), UseModel: useModel,
		QuietFrom: homeops.DefaultQuietFrom, QuietTo: homeops.DefaultQuietTo, DailyCap: homeops.DefaultDailyCap, CooldownMinutes: homeops.DefaultCooldown,
	}}
	for _, p := range people {
		home.Members = append(home.Members, homeopsdb.Member{UserID: p.ID, DisplayName: p.Name, Status: homeopsdb.MemberStatusActive})
	}
	return home
}
