package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of people.
var (
	NewIdentity = operation.Post[None, Identity]("/human/identity", "Become somebody").Created().Open().
			Describe("An anonymous identity. It is signed, and stored nowhere but with you. 600 an hour for an address.").
			Says(forPeople("newIdentity", "The token.", nil, Identity{"c29tZWJvZHk..bWFj"}))
	ListFeed = operation.Get[FeedQuery, Feed]("/human/questions", "See what can be answered").Open().
			Describe("Newest first in pages; within a page, what needs the fewest answers first. What you have answered and what is over is left out. 300 reads an hour for an address.").
			Says(forPeople("listFeed", "A part of the feed.", nil, Feed{Questions: []Card{exampleCard}}, invalid, personUnauthorized))
	GetCard = operation.Get[CardOf, Card]("/human/questions/{id}", "See one question").Open().
		Says(forPeople("getCard", "The question.", nil, exampleCard, invalid, personUnauthorized, noQuestion, closed))
	ReportQuestion = operation.Post[Reporting, None]("/human/questions/{id}/report", "Report a question").Open().
			Describe("Say that a question is improper. Once is enough. 10 an hour.").
			Says(forPeople("reportQuestion", "Thank you.", Report{"It asks for a password."}, nil, invalid, personUnauthorized, noQuestion, tooLarge, notJSON))
	SendAnswer = operation.Post[PersonWith[Answer], Reward]("/human/responses", "Answer a question").Created().Open().
			Describe("30 an hour, and not more than 5 a minute; 1800 an hour for an address.").
			Says(forPeople("answer", "What it earned.", exampleAnswer, exampleReward,
			invalid, personUnauthorized, banned, noQuestion, "409 AlreadyAnswered", closed, tooLarge, notJSON))
	GetStats = operation.Get[Person, Stats]("/human/stats", "See your points, streak and badges").Open().
			Says(forPeople("getStats", "They are yours.", nil, exampleStats, invalid, personUnauthorized))
	GetLeaderboard = operation.Get[BoardQuery, Leaderboard]("/human/leaderboard", "See who answers most").Open().
			Says(forPeople("getLeaderboard", "The board.", nil, exampleBoard, invalid, personUnauthorized))
	GetInbox = operation.Get[Person, Inbox]("/human/inbox", "List the questions you were notified of").Open().
			Describe("Of the last day, and still to be answered; newest first.").
			Says(forPeople("getInbox", "The questions.", nil, Inbox{[]InboxEntry{{exampleCard, asked.Add(5 * time.Second)}}}, invalid, personUnauthorized))
	GetPushKey = operation.Get[None, PushKey]("/human/push/key", "Get the key of web push").Open().
			Says(forPeople("getPushKey", "The key.", nil, PushKey{"BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"}, notFound))
	Subscribe = operation.Post[PersonWith[NewSubscription], Subscription]("/human/push/subscribe", "Subscribe to notifications").Created().Open().
			Describe("You have one subscription on each channel; asking again changes it. 10 an hour, and 300 for an address.").
			Says(forPeople("subscribe", "The subscription.", NewSubscription{FCMToken: "dG9rZW4", MinInterval: new(30)}, exampleSubscription,
			invalid, personUnauthorized, banned, tooLarge, notJSON))
	ChangeSubscription = operation.Put[PersonWith[SubscriptionChange], Subscription]("/human/push/subscribe", "Change a subscription").Open().
				Describe("A new token, another interval, another audience. 10 an hour, and 300 for an address, together with new ones.").
				Says(forPeople("changeSubscription", "The subscription.",
			SubscriptionChange{SubscriptionID: exampleSubscription.SubscriptionID, NewSubscription: NewSubscription{FCMToken: "bmV3IHRva2Vu"}}, exampleSubscription,
			invalid, personUnauthorized, banned, notFound, tooLarge, notJSON))
	Unsubscribe = operation.Delete[OfSubscription, None]("/human/push/subscribe/{id}", "End a subscription").Open().
			Says(forPeople("unsubscribe", "It is over.", nil, nil, invalid, personUnauthorized, notFound))
	ForgetMe = operation.Delete[Person, None]("/human/me", "Be forgotten").Open().
			Describe("Deletes your statistics, places and subscriptions, and the words of your answers. What you answered stays counted.").
			Says(forPeople("forgetMe", "You are forgotten.", nil, nil, invalid, personUnauthorized))
)

// FeedQuery holds the arguments of ListFeed.
type FeedQuery struct {
	Visitor
	Limit    *int   `query:"limit" doc:"How many at most; brought into 1 to 50." schema:"default=20"`
	Cursor   string `query:"cursor" doc:"next_cursor of the page before."`
	Audience string `query:"audience" doc:"For one audience only." enum:"technical product ethics creative general"`
}

// CardOf holds the arguments of GetCard.
type CardOf struct {
	Visitor
	ID string `path:"id" doc:"The id of the question."`
}

// Reporting holds the arguments of ReportQuestion.
type Reporting struct {
	Person
	ID   string `path:"id" doc:"The id of the question."`
	Body Report
}

// BoardQuery holds the arguments of GetLeaderboard.
type BoardQuery struct {
	Visitor
	Period string `query:"period" doc:"Days and weeks are those of UTC; a week begins on Monday." enum:"daily weekly all_time" schema:"default=all_time"`
	Limit  *int   `query:"limit" doc:"How many places; brought into 1 to 100." schema:"default=10"`
}

// OfSubscription holds the arguments of Unsubscribe.
type OfSubscription struct {
	Person
	ID string `path:"id" doc:"The id of the subscription."`
}

// An Identity is the token of a person.
type Identity struct {
	Fingerprint string `json:"fingerprint" doc:"Send it in the header X-Fingerprint. It says nothing about who you are, and is stored nowhere."`
}

// A Card is a question as people see it.
type Card struct {
	_                 struct{}  `doc:"A question as people see it."`
	QuestionID        string    `json:"question_id" ref:"QuestionId"`
	Prompt            string    `json:"prompt"`
	Context           string    `json:"context,omitempty"`
	Type              Type      `json:"type"`
	Options           []string  `json:"options,omitempty" schema:"minItems=2; maxItems=10" items:"minLength=1; maxLength=200"`
	Audience          []string  `json:"audience" ref:"Audience"`
	ResponsesNeeded   int       `json:"responses_needed" doc:"How many answers are missing." schema:"minimum=0"`
	ResponsesRequired int       `json:"required_responses" schema:"minimum=1"`
	CreatedAt         time.Time `json:"created_at"`
	ExpiresAt         time.Time `json:"expires_at"`
	CanAnswer         bool      `json:"can_answer" doc:"false if you have answered it."`
}

// A Feed is a page of the questions that a person may answer.
type Feed struct {
	Questions []Card `json:"questions"`
	Next      string `json:"next_cursor,omitempty" doc:"For the next page; absent on the last. A page that is short, or even empty, can still have a next one."`
}

// A Report says why a question is improper.
type Report struct {
	Reason string `json:"reason" schema:"minLength=1; maxLength=500"`
}

// An Answer answers a question.
type Answer struct {
	QuestionID     string `json:"question_id"`
	Answer         string `json:"answer,omitempty" doc:"The answer to a text question, 1 to 5,000 characters." schema:"maxLength=5000"`
	SelectedOption *int   `json:"selected_option,omitempty" doc:"The answer to a multiple_choice, counted from 0." schema:"minimum=0; maximum=9"`
	Confidence     *int   `json:"confidence,omitempty" doc:"How sure you are." schema:"minimum=1; maximum=5"`
	ResponseTimeMS *int   `json:"response_time_ms,omitempty" doc:"From seeing the question to sending the answer." schema:"minimum=0; maximum=2592000000"`
	Source         string `json:"source,omitempty" doc:"How you came to the question." enum:"feed push link"`
	TimezoneOffset *int   `json:"timezone_offset,omitempty" doc:"Minutes east of UTC; the same as the header X-Timezone-Offset." schema:"minimum=-720; maximum=840"`
}

// A Badge names an achievement.
type Badge struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// An EarnedBadge is a badge of a person.
type EarnedBadge struct {
	Badge
	EarnedAt time.Time `json:"earned_at"`
}

// BadgeProgress is a badge that a person may earn.
type BadgeProgress struct {
	Badge
	Have int `json:"have" schema:"minimum=0"`
	Goal int `json:"goal" schema:"minimum=1"`
}

// Points are a part of a reward.
type Points struct {
	Name   string `json:"name" enum:"answer confidence thoughtful quick in_demand streak"`
	Label  string `json:"label"`
	Points int    `json:"points"`
}

// A Reward holds the points and badges of an answer.
type Reward struct {
	_            struct{}       `doc:"What an answer earned."`
	ResponseID   string         `json:"response_id"`
	Points       int            `json:"points_earned" schema:"minimum=0"`
	Breakdown    []Points       `json:"points_breakdown"`
	Capped       bool           `json:"capped" doc:"The day's points are used up, in part or whole."`
	NewBadges    []Badge        `json:"new_badges"`
	TotalPoints  int            `json:"total_points"`
	TotalAnswers int            `json:"total_answers"`
	StreakDays   int            `json:"streak_days"`
	NextBadge    *BadgeProgress `json:"next_badge,omitempty"`
}

// Stats holds a person's statistics.
type Stats struct {
	TotalPoints  int             `json:"total_points"`
	TotalAnswers int             `json:"total_answers"`
	PointsToday  int             `json:"points_today"`
	DailyCap     int             `json:"daily_cap"`
	StreakDays   int             `json:"streak_days"`
	Rank         *int            `json:"rank" doc:"On the board of all time; null without points." schema:"minimum=1"`
	Badges       []EarnedBadge   `json:"badges"`
	Progress     []BadgeProgress `json:"progress"`
	ByCategory   map[string]int  `json:"answers_by_category"`
}

// A Leaderboard shows who answers most.
type Leaderboard struct {
	_           struct{}   `doc:"People are anonymous. Equal points share a rank."`
	Period      string     `json:"period" enum:"daily weekly all_time"`
	Entries     []Place    `json:"entries"`
	YourRank    *int       `json:"your_rank" schema:"minimum=1"` // null if not on the board
	YourPoints  int        `json:"your_points"`
	YourAnswers int        `json:"your_answers"`
	Resets      *time.Time `json:"resets_at,omitempty"`
}

// A Place is one place of a leaderboard.
type Place struct {
	Rank    int  `json:"rank" schema:"minimum=1"`
	Points  int  `json:"points"`
	Answers int  `json:"answers"`
	You     bool `json:"is_current_user"`
}

// An Inbox holds the questions a person was notified of.
type Inbox struct {
	Entries []InboxEntry `json:"entries"`
}

// An InboxEntry is one notification.
type InboxEntry struct {
	Question Card      `json:"question"`
	SentAt   time.Time `json:"sent_at"`
}

// A PushKey is the key of web push.
type PushKey struct {
	PublicKey string `json:"public_key" doc:"The applicationServerKey of web push."`
}

// A NewSubscription subscribes to notifications.
type NewSubscription struct {
	Channel     string   `json:"channel,omitempty" doc:"If left out: fcm with a token, webpush with an endpoint, else inbox." enum:"inbox webpush fcm"`
	FCMToken    string   `json:"fcm_token,omitempty" doc:"Of channel fcm." schema:"maxLength=4096"`
	Endpoint    string   `json:"endpoint,omitempty" doc:"Of channel webpush: the address of the browser's push service." schema:"maxLength=1000"`
	P256DH      string   `json:"p256dh,omitempty" doc:"Of channel webpush: the browser's key."`
	Auth        string   `json:"auth,omitempty" doc:"Of channel webpush: the browser's secret."`
	MinInterval *int     `json:"min_interval_minutes,omitempty" doc:"At most one notification within so many minutes." schema:"minimum=5; maximum=1440; default=30"`
	Audience    []string `json:"audience,omitempty" doc:"Which questions are worth waking for; all if left out." items:"enum=[\"technical\",\"product\",\"ethics\",\"creative\",\"general\"]"`
}

// A SubscriptionChange changes a subscription.
type SubscriptionChange struct {
	SubscriptionID string `json:"subscription_id,omitempty" doc:"Which one; if left out, that of the channel."`
	NewSubscription
}

// A Subscription is a person's subscription to notifications.
type Subscription struct {
	SubscriptionID string   `json:"subscription_id"`
	Status         string   `json:"status" enum:"active inactive"`
	Channel        string   `json:"channel" enum:"inbox webpush fcm"`
	MinInterval    int      `json:"min_interval_minutes"`
	Audience       []string `json:"audience,omitempty" ref:"Audience"`
}
