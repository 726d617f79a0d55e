package listings

import "sortkey.dev/apps/ecobid/ecobiddb"

// The types of items for doors, which do not import the database.
type (
	Item       = ecobiddb.Item
	Card       = ecobiddb.ItemCard // an item in a list
	Category   = ecobiddb.ItemCategory
	Condition  = ecobiddb.ItemCondition
	Mode       = ecobiddb.ItemMode
	Allocation = ecobiddb.ItemAllocation
	Status     = ecobiddb.ItemStatus
)

// The states of an item.
const (
	StatusDraft     = ecobiddb.ItemStatusDraft
	StatusAvailable = ecobiddb.ItemStatusAvailable
	StatusReserved  = ecobiddb.ItemStatusReserved
	StatusCompleted = ecobiddb.ItemStatusCompleted
	StatusExpired   = ecobiddb.ItemStatusExpired
	StatusCancelled = ecobiddb.ItemStatusCancelled
	StatusRemoved   = ecobiddb.ItemStatusRemoved
)

// The ways in which an item is offered.
const (
	ModeFree    = ecobiddb.ItemModeFree
	ModeAuction = ecobiddb.ItemModeAuction

	FirstCome = ecobiddb.ItemAllocationFirstCome
	Queue     = ecobiddb.ItemAllocationQueue
	Lottery   = ecobiddb.ItemAllocationLottery
)

// The categories.
const (
	Furniture   = ecobiddb.ItemCategoryFurniture
	Electronics = ecobiddb.ItemCategoryElectronics
	Clothing    = ecobiddb.ItemCategoryClothing
	Books       = ecobiddb.ItemCategoryBooks
	Home        = ecobiddb.ItemCategoryHome
	Kids        = ecobiddb.ItemCategoryKids
	Sports      = ecobiddb.ItemCategorySports
	Other       = ecobiddb.ItemCategoryOther
)

// The conditions.
const (
	AsNew  = ecobiddb.ItemConditionAsNew
	Good   = ecobiddb.ItemConditionGood
	Worn   = ecobiddb.ItemConditionWorn
	Broken = ecobiddb.ItemConditionBroken
)
