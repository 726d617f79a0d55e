package naming

import "testing"

func TestNamesAreSpelledAsGoDoes(t *testing.T) {
	for _, test := range []struct{ name, exported, unexported string }{
		{"id", "ID", "id"},
		{"candidate_id", "CandidateID", "candidateID"},
		{"question_ids", "QuestionIDs", "questionIDs"},
		{"chatId", "ChatID", "chatID"},
		{"userIds", "UserIDs", "userIDs"},
		{"thumbnailUrl", "ThumbnailURL", "thumbnailURL"},
		{"HTTPStatus", "HTTPStatus", "httpStatus"},
		{"nextIPs", "NextIPs", "nextIPs"},
		{"fcm_token", "FCMToken", "fcmToken"},
		{"ttl", "TTL", "ttl"},
		{"GSI1PK", "GSI1PK", "gsi1PK"},
		{"near6", "Near6", "near6"},
		{"ADMIN", "Admin", "admin"},
		{"TIMED_OUT", "TimedOut", "timedOut"},
		{"PDF", "PDF", "pdf"},
		{"in-progress", "InProgress", "inProgress"},
		{"1.5", "X1_5", "x1_5"},
		{"v2.0", "V2_0", "v2_0"},
		{"_private", "Private", "private"},
		{"__", "X", "x"},
		{"_1", "X1", "x1"},
		{"2nd_line", "X2ndLine", "x2ndLine"},
	} {
		if got := Exported(test.name); got != test.exported {
			t.Errorf("Exported(%s) = %s, not %s", test.name, got, test.exported)
		}
		if got := Unexported(test.name); got != test.unexported {
			t.Errorf("Unexported(%s) = %s, not %s", test.name, got, test.unexported)
		}
	}
}

func TestParametersHideNothing(t *testing.T) {
	n := &Names{Pkg: ScopeOf("time", "string", "len", "userPK")}
	s := Scope{}
	for _, test := range []struct{ name, want string }{
		{"type", "typeValue"},
		{"string", "stringValue"},
		{"time", "timeValue"},
		{"ctx", "ctxValue"},
		{"user_pk", "userPKValue"},
		{"email", "email"},
		{"email", "emailValue"},
		{"email", "emailValue2"},
	} {
		if got := n.Param(s, test.name); got != test.want {
			t.Errorf("param(%s) = %s, not %s", test.name, got, test.want)
		}
	}
}

func TestUnexportedNamesAreNoWordsOfGo(t *testing.T) {
	for name, want := range map[string]string{"return": "returnPattern", "len": "lenPattern", "string": "stringPattern", "getUser": "getUser"} {
		if got := Allowed(name, "Pattern"); got != want {
			t.Errorf("Allowed(%s) = %s, not %s", name, got, want)
		}
	}
}
