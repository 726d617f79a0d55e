package askahuman

import "sortkey.dev/apps/internal/live"

// FeedTopic is the topic of hints about the list of open questions.
const FeedTopic live.Topic = "feed"

// QuestionTopic returns the topic of hints about a question.
func QuestionTopic(id string) live.Topic { return live.Topic("question " + id) }

// PersonTopic returns the topic of hints about the inbox of a person.
func PersonTopic(hash string) live.Topic { return live.Topic("person " + hash) }
