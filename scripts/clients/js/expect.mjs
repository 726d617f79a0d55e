// Expectations: the first answer that is not the expected one ends the story.
import { setTimeout as sleep } from "node:timers/promises";
import { inspect, isDeepStrictEqual } from "node:util";

import * as errors from "@aws-sdk/client-dynamodb";
import * as streamErrors from "@aws-sdk/client-dynamodb-streams";

export const made = { checks: 0 };

// An answer that DynamoDB would not have given.
export class Surprise extends Error {
  constructor(what, wanted, came) {
    super(`${what}\n     expected: ${wanted}\n     came:     ${came}`);
  }
}

// The answer is exactly this.
export function expect(what, came, wanted) {
  made.checks++;
  if (!isDeepStrictEqual(came, wanted)) throw new Surprise(what, text(wanted), text(came));
}

// The call fails with this exception class, name and words. Gives the error.
export async function refused(what, name, message, call) {
  let error;
  try {
    await call();
  } catch (thrown) {
    error = thrown;
  }
  if (!error) throw new Surprise(what, name, "success");
  expect(`${what}: name`, error.name, name);
  // Exceptions that the SDK does not know by class, such as ValidationException, have the one of their service.
  const known = [errors, streamErrors].map((service) => service[name]).filter(Boolean);
  if (known.length === 0) known.push(errors.DynamoDBServiceException, streamErrors.DynamoDBStreamsServiceException);
  expect(`${what}: class`, known.some((wanted) => error instanceof wanted), true);
  if (!error.message.includes(message)) throw new Surprise(`${what}: message`, message, error.message);
  return error;
}

// The answer of question() becomes the expected one within so many seconds.
export async function eventually(what, seconds, question, wanted) {
  const end = Date.now() + seconds * 1000;
  let came = await question();
  while (!isDeepStrictEqual(came, wanted) && Date.now() < end) {
    await sleep(500);
    came = await question();
  }
  expect(`${what} within ${seconds} s`, came, wanted);
}

function text(value) {
  return inspect(value, { depth: null, breakLength: Infinity });
}
