package people

import "sortkey.dev/apps/exambuddy/exambuddydb"

// The types of people for doors, which do not import the database.
type (
	User   = exambuddydb.User
	Group  = exambuddydb.Group
	Member = exambuddydb.GroupMember
)
