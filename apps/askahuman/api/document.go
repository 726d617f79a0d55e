package api

import (
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
)

// An object is a JSON object of the document.
type object = map[string]any

// describe returns what the document says besides the operations.
func describe(publicURL string) openapi.Info {
	return openapi.Info{
		Title: "Ask-a-Human", Version: "1.0.0", URL: publicURL,
		Description: "Software asks, people answer. Agents submit a question and collect answers until there are enough; people answer it anonymously.\n\nBodies are JSON objects of at most 64 KB, in which a name that is not known, or is there twice, is an error and a null is as good as nothing. Every refusal has the form of Error. An address that does not exist is answered with 404 NOT_FOUND, a method that does not fit with 405 METHOD_NOT_ALLOWED and the header Allow. Pages of every origin may use this API; cookies are never read. Besides the limits of each operation, an address may send 100 requests a second, and 500 at once after a rest.",
		Tags: []openapi.Tag{
			{Name: contract.Agents, Description: "For software that asks."},
			{Name: contract.People, Description: "For those who answer, anonymously."},
			{Name: contract.Service, Description: "About the service itself."},
		},
		Components: map[string]object{
			"securitySchemes": {
				"agentKey":       object{"type": "http", "scheme": "bearer", "description": "The key of POST /agent/key. An id without a key needs none."},
				"operatorSecret": object{"type": "http", "scheme": "bearer", "description": "The token that operators find under Settings, or the first operator's secret."},
			},
			"headers": {
				"RequestId":     header("The id of the request in our log.", object{"type": "string"}),
				"RateLimit":     header("How many uses the limit allows in its window.", object{"type": "integer"}),
				"RateRemaining": header("How many are left.", object{"type": "integer", "minimum": 0}),
				"RateReset":     header("When the window is over, in Unix seconds.", object{"type": "integer"}),
				"RetryAfter":    header("How many seconds to wait.", object{"type": "integer", "minimum": 1}),
				"Location":      header("Where the question is.", object{"type": "string"}),
				"Challenge":     object{"description": "How an agent says who it is.", "schema": object{"type": "string"}},
			},
			"responses": refusals(),
			"schemas":   schemas(),
		},
		Webhooks: object{"questionOver": object{"post": questionOver()}},
	}
}

// questionOver describes the delivery to a callback URL.
func questionOver() object {
	parameter := func(name, description string) object {
		return object{"name": name, "in": "header", "required": true, "description": description, "schema": object{"type": "string"}}
	}
	return object{
		"operationId": "questionOver", "tags": []string{contract.Agents}, "summary": "A question is over",
		"description": "Sent to the callback_url of a question when it is CLOSED or EXPIRED, by the form of Standard Webhooks: verify webhook-signature with the callback_secret that the submission answered. It is tried 8 times within about nine hours until an answer of 2xx; 410 ends it. Addresses that are not public are not called.",
		"parameters": []object{
			parameter("webhook-id", "The same for every try, so that a repeat can be told."), parameter("webhook-timestamp", "Seconds since 1970."),
			parameter("webhook-signature", "v1, and the base64 of HMAC-SHA256 over id.timestamp.body."),
		},
		"requestBody": object{"required": true, "content": object{"application/json": object{"schema": ref("schemas", "Question")}}},
		"responses": object{
			"2XX": object{"description": "Heard."}, "410": object{"description": "Do not call again."}, "default": object{"description": "Tried again later."},
		},
	}
}

func header(description string, schema object) object {
	return object{"description": description, "required": true, "schema": schema}
}

func ref(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// refused returns the response of a refusal: its description, an example, and the other codes it may have.
func refused(description string, example contract.ErrorBody, codes ...string) object {
	return object{
		"description": description,
		"headers":     object{"X-Request-Id": ref("headers", "RequestId")},
		"content": object{"application/json": object{
			"schema": object{"allOf": []object{ref("schemas", "Error"), {"properties": object{"error": object{"properties": object{
				"code": object{"enum": append(codes, example.Code)},
			}}}}}},
			"example": object{"error": example},
		}},
	}
}

// with adds headers to a response.
func with(response object, headers object) object {
	for name, component := range headers {
		response["headers"].(object)[name] = ref("headers", component.(string))
	}
	return response
}

func refusals() object {
	said := func(code, message string) contract.ErrorBody { return contract.ErrorBody{Code: code, Message: message} }
	challenge := object{"WWW-Authenticate": "Challenge"}
	limited := said("RATE_LIMITED", "This can be done 60 times in 1 hour. Try again in 12 minutes.")
	limited.Details = jsonapi.RateDetails{Limit: 60, Reset: 1770037200, RetryAfter: 720}
	short := said("VALIDATION_ERROR", "A prompt has 10 to 2000 characters; this one has 9.")
	short.Details = jsonapi.FieldDetails{Field: "prompt", Constraint: "length", Min: new(10), Max: new(2000)}
	failed := said("SERVER_ERROR", "Something went wrong here. If it stays so, tell us the request id.")
	failed.Details = map[string]string{"request_id": "k3q7zbm2xw5d"}
	return object{
		"Invalid": refused("A value is missing or wrong.", short),
		"AgentUnauthorized": with(refused("The agent's key is missing or wrong.",
			said("UNAUTHORIZED", "This agent has a key, and it is missing or wrong. Send it in the header Authorization: Bearer KEY.")), challenge),
		"OperatorUnauthorized": with(refused("The secret is missing or wrong.",
			said("UNAUTHORIZED", "The metrics are for operators. Send the token that they find under Settings: Authorization: Bearer TOKEN.")), challenge),
		"PersonUnauthorized": refused("The token in X-Fingerprint was not made here, or is missing where it is needed.",
			said("UNAUTHORIZED", "X-Fingerprint is not a token of this server. POST /human/identity gives you one.")),
		"Banned": refused("You cannot use this service any more.", said("FORBIDDEN", "You cannot use this service any more.")),
		"MayNotAsk": refused("The agent has 100 open questions, or cannot use this service any more.",
			said("AGENT_QUOTA_EXCEEDED", "You have 100 open questions, which is as many as there may be. Close one, or wait until one is answered."), "FORBIDDEN"),
		"NoQuestion": refused("There is no such question, or it is not yours.", said("QUESTION_NOT_FOUND", "There is no such question.")),
		"NotFound":   refused("There is no such thing.", said("NOT_FOUND", "There is no such subscription.")),
		"KeyReused": refused("The idempotency key was used for another question.",
			said("IDEMPOTENCY_KEY_REUSED", "This idempotency key was used for another question within the last 24 hours. Use a new one, or send that question again as it was.")),
		"AlreadyAnswered": refused("This person has answered this question.", said("ALREADY_ANSWERED", "You have answered this question.")),
		"Closed":          refused("The question takes no more answers.", said("QUESTION_CLOSED", "This question takes no more answers.")),
		"TooLarge":        refused("The body has more than 64 KB.", said("BODY_TOO_LARGE", "A body has at most 65536 bytes.")),
		"NotJSON":         refused("The body says that it is not JSON.", said("UNSUPPORTED_MEDIA_TYPE", "The body has to be JSON: send it with Content-Type: application/json.")),
		"RateLimited": with(refused("A limit is used up.", limited), object{
			"X-RateLimit-Limit": "RateLimit", "X-RateLimit-Remaining": "RateRemaining", "X-RateLimit-Reset": "RateReset", "Retry-After": "RetryAfter",
		}),
		"Unavailable": refused("The database cannot be read.", said("UNAVAILABLE", "The database cannot be read.")),
		"Failure":     refused("Something went wrong here. What is UNAVAILABLE, with the status 503, passes by itself: Retry-After says when to try again.", failed, "UNAVAILABLE"),
	}
}

// schemas returns the schemas that no type of the contract says.
func schemas() object {
	text := func(description string) object { return object{"type": "string", "description": description} }
	number := object{"type": "integer"}
	closed := func(properties object, required ...string) object {
		return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	field := closed(object{
		"field": text("The field, parameter or header; empty for the body as a whole."),
		"constraint": object{"type": "string", "enum": []string{
			"required", "length", "range", "count", "allowed", "type", "unique", "format", "syntax", "unknown", "duplicate", "conflict",
		}},
		"min": number, "max": number, "allowed": object{"type": "array", "items": object{"type": "string"}}, "suggestion": text("What was probably meant."),
	}, "field", "constraint")
	field["description"] = "Which value is wrong, and what it may be."
	rate := closed(object{
		"limit": number, "remaining": number, "reset": object{"type": "integer", "description": "Unix seconds."},
		"retry_after": object{"type": "integer", "description": "Seconds."},
	}, "limit", "remaining", "reset", "retry_after")
	rate["description"] = "The limit that was met."
	return object{
		"QuestionId": object{"type": "string", "pattern": "^[0-9A-HJKMNP-TV-Z]{26}$", "description": "The id of a question. Ids are in the order of asking."},
		"Status": object{"type": "string", "enum": []contract.Status{contract.Open, contract.Partial, contract.Closed, contract.Expired},
			"description": "OPEN: no answer yet. PARTIAL: some. CLOSED: as many as wanted, or closed early. EXPIRED: its time was up. CLOSED and EXPIRED are final."},
		"Type": object{"type": "string", "enum": []contract.Type{contract.Text, contract.MultipleChoice},
			"description": "text is answered in words, multiple_choice with one of the options."},
		"Audience": object{"type": "array", "items": object{"type": "string", "enum": askahuman.Audiences}, "description": "Who the question is for."},
		"Error":    closed(object{"error": ref("schemas", "ErrorBody")}, "error"),
		"ErrorBody": closed(object{
			"code": object{"type": "string", "enum": []string{
				"VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "AGENT_QUOTA_EXCEEDED", "NOT_FOUND", "QUESTION_NOT_FOUND", "METHOD_NOT_ALLOWED", "ALREADY_ANSWERED",
				"IDEMPOTENCY_KEY_REUSED", "QUESTION_CLOSED", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "SERVER_ERROR", "UNAVAILABLE",
			}},
			"message": text("A sentence for people."),
			"details": object{"anyOf": []object{ref("schemas", "FieldDetails"), ref("schemas", "RateDetails"), ref("schemas", "FailureDetails")}},
		}, "code", "message"),
		"FieldDetails":   field,
		"RateDetails":    rate,
		"FailureDetails": closed(object{"request_id": text("By which the failure can be found in the log.")}, "request_id"),
	}
}
