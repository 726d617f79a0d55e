package answers

import (
	"sortkey.dev/apps/askahuman/askahumandb"
)

// The stored values that this room returns.
type (
	Response   = askahumandb.Response
	Source     = askahumandb.ResponseSource
	FlagReason = askahumandb.ResponseFlagReason
)

// Ways by which a person came to a question.
const (
	SourceFeed = askahumandb.ResponseSourceFeed
	SourceLink = askahumandb.ResponseSourceLink
)

// States of an answer in the review.
const (
	FlagStateFlagged  = askahumandb.ResponseFlagStateFlagged
	FlagStateApproved = askahumandb.ResponseFlagStateApproved
	FlagStateRejected = askahumandb.ResponseFlagStateRejected
)

// Reasons for which an answer is flagged.
const (
	FlagReasonSuspiciousTiming = askahumandb.ResponseFlagReasonSuspiciousTiming
	FlagReasonDuplicateContent = askahumandb.ResponseFlagReasonDuplicateContent
	FlagReasonPatternMatch     = askahumandb.ResponseFlagReasonPatternMatch
	FlagReasonReported         = askahumandb.ResponseFlagReasonReported
)
