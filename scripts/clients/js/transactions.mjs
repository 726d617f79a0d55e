// Transactions: all or nothing, the reasons of a cancelled one, tokens, consistent reads.
import { randomUUID } from "node:crypto";

import { expect, refused } from "./expect.mjs";
import { create, doc, drop } from "./shop.mjs";

const table = "js-transactions";

export async function chapter() {
  await create(table);
  for (const n of [1, 2, 3]) await doc.put({ TableName: table, Item: order("ada", n, { amount: n * 10 }) });
  await written();
  await cancelled();
  await repeated();
  await read();
  await refusals();
  await drop(table);
  return "written, checked, cancelled with reasons and the old item, repeated by token, read, refused";
}

async function written() {
  await doc.transactWrite({
    TransactItems: [
      { Put: { TableName: table, Item: order("bob", 1, { amount: 1, status: "open" }) } },
      add("ada", 1, -1),
      { Delete: { TableName: table, Key: order("ada", 2) } },
      check("ada", 3, "amount = :n", 30),
    ],
  });
  expect("TransactWriteItems: all done", await amounts(), { "ada 1": 9, "ada 3": 30, "bob 1": 1 });
  const index = await doc.query({
    TableName: table,
    IndexName: "ByStatus",
    KeyConditionExpression: "#s = :s",
    ExpressionAttributeNames: { "#s": "status" },
    ExpressionAttributeValues: { ":s": "open" },
  });
  expect("TransactWriteItems: the index too", index.Count, 1);
}

async function cancelled() {
  const before = await amounts();
  const put = {
    TableName: table,
    Item: order("ada", 1),
    ConditionExpression: "attribute_not_exists(customer)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
  const error = await refused(
    "a transaction with conditions that fail",
    "TransactionCanceledException",
    "Transaction cancelled, please refer cancellation reasons for specific reasons " +
      "[None, ConditionalCheckFailed, ConditionalCheckFailed]",
    () => doc.transactWrite({ TransactItems: [add("bob", 1, 100), { Put: put }, check("ada", 3, "amount < :n", 30)] }),
  );
  const [nothing, withItem, withoutItem] = error.CancellationReasons;
  expect("reason of the action that could have been done", nothing, { Code: "None" });
  const failed = { Code: "ConditionalCheckFailed", Message: "The conditional request failed" };
  const old = { customer: { S: "ada" }, placed: { S: "1" }, amount: { N: "9" } };
  expect("reason with the old item", withItem, { ...failed, Item: old });
  expect("reason without it", withoutItem, failed);
  expect("nothing was written", await amounts(), before);
}

async function repeated() {
  const request = { TransactItems: [add("bob", 1, 5)], ClientRequestToken: randomUUID() };
  await doc.transactWrite(request);
  const again = await doc.transactWrite({ ...request, ReturnConsumedCapacity: "TOTAL" });
  expect("the same token twice: written once", (await amounts())["bob 1"], 6);
  const [{ CapacityUnits, ReadCapacityUnits }] = again.ConsumedCapacity;
  expect("the same token twice: a read", { CapacityUnits, ReadCapacityUnits }, { CapacityUnits: 2, ReadCapacityUnits: 2 });
  await refused("the token with other actions", "IdempotentParameterMismatchException", "", () =>
    doc.transactWrite({ ...request, TransactItems: [add("bob", 1, 6)] }),
  );
  expect("the token with other actions: nothing written", (await amounts())["bob 1"], 6);
}

async function read() {
  const answer = await doc.transactGet({
    TransactItems: [
      { Get: { TableName: table, Key: order("ada", 3) } },
      { Get: { TableName: table, Key: order("ada", 2) } },
      { Get: { TableName: table, Key: order("bob", 1), ProjectionExpression: "amount" } },
    ],
    ReturnConsumedCapacity: "TOTAL",
  });
  const wanted = [order("ada", 3, { amount: 30 }), undefined, { amount: 6 }];
  expect("TransactGetItems, in order", answer.Responses.map((response) => response.Item), wanted);
  const [{ TableName, CapacityUnits }] = answer.ConsumedCapacity;
  expect("its capacity", [TableName, CapacityUnits], [table, 6]);
}

async function refusals() {
  const twice = "Transaction request cannot include multiple operations on one item";
  await refused("two actions on one item", "ValidationException", twice, () =>
    doc.transactWrite({ TransactItems: [add("ada", 1, 1), check("ada", 1, "amount > :n", 0)] }),
  );
  await refused("a transaction on no table", "ResourceNotFoundException", "Requested resource not found", () =>
    doc.transactGet({ TransactItems: [{ Get: { TableName: "js-nowhere", Key: order("a", 1) } }] }),
  );
  const Update = add("ada", 1, 1).Update;
  Update.UpdateExpression = "SET amount = customer + :n";
  const name = "TransactionCanceledException";
  const error = await refused("a transaction with an update that cannot be", name, "[ValidationError]", () =>
    doc.transactWrite({ TransactItems: [{ Update }] }),
  );
  const reason = "An operand in the update expression has an incorrect data type";
  expect("its reason", error.CancellationReasons[0].Message, reason);
}

function order(customer, placed, attributes) {
  return { customer, placed: String(placed), ...attributes };
}

function add(customer, placed, number) {
  const Key = order(customer, placed);
  const ExpressionAttributeValues = { ":n": number };
  return { Update: { TableName: table, Key, UpdateExpression: "ADD amount :n", ExpressionAttributeValues } };
}

function check(customer, placed, ConditionExpression, number) {
  const Key = order(customer, placed);
  return { ConditionCheck: { TableName: table, Key, ConditionExpression, ExpressionAttributeValues: { ":n": number } } };
}

// What the whole table holds.
async function amounts() {
  const { Items } = await doc.scan({ TableName: table, ConsistentRead: true });
  return Object.fromEntries(Items.map((item) => [`${item.customer} ${item.placed}`, item.amount]));
}
