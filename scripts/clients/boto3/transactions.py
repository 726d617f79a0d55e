"""Transactions: all or nothing, the reasons of a cancelled one, tokens, consistent reads."""

import uuid

import shop
from expect import expect, refused
from shop import client, order

TABLE = "boto3-transactions"


def chapter():
    shop.create(TABLE)
    for placed, amount in [("1", "10"), ("2", "20"), ("3", "30")]:
        client.put_item(TableName=TABLE, Item=order("ada", placed, amount={"N": amount}))
    written()
    cancelled()
    repeated()
    read()
    refusals()
    shop.delete(TABLE)
    return "written, checked, cancelled with reasons and the old item, repeated by token, read, refused"


def written():
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": TABLE, "Item": order("bob", "1", amount={"N": "1"}, status={"S": "open"})}},
            add("ada", "1", "-1"),
            {"Delete": {"TableName": TABLE, "Key": order("ada", "2")}},
            check("ada", "3", "amount = :n", "30"),
        ]
    )
    expect("TransactWriteItems: all done", amounts(), {"bob 1": "1", "ada 1": "9", "ada 3": "30"})
    index = client.query(
        TableName=TABLE, IndexName="ByStatus", KeyConditionExpression="#s = :s",
        ExpressionAttributeNames={"#s": "status"}, ExpressionAttributeValues={":s": {"S": "open"}},
    )
    expect("TransactWriteItems: the index too", index["Count"], 1)


def cancelled():
    before = amounts()
    put = {"TableName": TABLE, "Item": order("ada", "1"), "ConditionExpression": "attribute_not_exists(customer)"}
    answer = refused(
        "a transaction with conditions that fail", "TransactionCanceledException",
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed, ConditionalCheckFailed]",
        client, "transact_write_items",
        TransactItems=[
            add("bob", "1", "100"),
            {"Put": put | {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
            check("ada", "3", "amount < :n", "30"),
        ],
    )
    nothing, with_item, without_item = answer["CancellationReasons"]
    expect("reason of the action that could have been done", nothing, {"Code": "None"})
    failed = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
    expect("reason with the old item", with_item, failed | {"Item": order("ada", "1", amount={"N": "9"})})
    expect("reason without it", without_item, failed)
    expect("nothing was written", amounts(), before)


def repeated():
    token = str(uuid.uuid4())
    request = {"TransactItems": [add("bob", "1", "5")], "ClientRequestToken": token}
    client.transact_write_items(**request)
    again = client.transact_write_items(**request, ReturnConsumedCapacity="TOTAL")
    expect("the same token twice: written once", amounts()["bob 1"], "6")
    (capacity,) = again["ConsumedCapacity"]
    expect("the same token twice: a read", (capacity["CapacityUnits"], capacity["ReadCapacityUnits"]), (2.0, 2.0))
    refused(
        "the token with other actions", "IdempotentParameterMismatchException", "",
        client, "transact_write_items", TransactItems=[add("bob", "1", "6")], ClientRequestToken=token,
    )
    expect("the token with other actions: nothing written", amounts()["bob 1"], "6")


def read():
    answer = client.transact_get_items(
        TransactItems=[
            {"Get": {"TableName": TABLE, "Key": order("ada", "3")}},
            {"Get": {"TableName": TABLE, "Key": order("ada", "2")}},
            {"Get": {"TableName": TABLE, "Key": order("bob", "1"), "ProjectionExpression": "amount"}},
        ],
        ReturnConsumedCapacity="TOTAL",
    )
    wanted = [{"Item": order("ada", "3", amount={"N": "30"})}, {}, {"Item": {"amount": {"N": "6"}}}]
    expect("TransactGetItems, in order", answer["Responses"], wanted)
    (capacity,) = answer["ConsumedCapacity"]
    expect("its capacity", (capacity["TableName"], capacity["CapacityUnits"]), (TABLE, 6.0))


def refusals():
    refused(
        "two actions on one item", "ValidationException",
        "Transaction request cannot include multiple operations on one item",
        client, "transact_write_items", TransactItems=[add("ada", "1", "1"), check("ada", "1", "amount > :n", "0")],
    )
    refused(
        "a transaction on no table", "ResourceNotFoundException", "Requested resource not found",
        client, "transact_get_items", TransactItems=[{"Get": {"TableName": "boto3-nowhere", "Key": order("a", "1")}}],
    )
    number = {"TableName": TABLE, "Key": order("ada", "1"), "UpdateExpression": "SET amount = customer + :one"}
    answer = refused(
        "a transaction with an update that cannot be", "TransactionCanceledException", "[ValidationError]",
        client, "transact_write_items",
        TransactItems=[{"Update": number | {"ExpressionAttributeValues": {":one": {"N": "1"}}}}],
    )
    reason = answer["CancellationReasons"][0]
    expect("its reason", reason["Message"], "An operand in the update expression has an incorrect data type")


def add(customer, placed, number):
    return {
        "Update": {
            "TableName": TABLE,
            "Key": order(customer, placed),
            "UpdateExpression": "ADD amount :n",
            "ExpressionAttributeValues": {":n": {"N": number}},
        }
    }


def check(customer, placed, condition, number):
    return {
        "ConditionCheck": {
            "TableName": TABLE,
            "Key": order(customer, placed),
            "ConditionExpression": condition,
            "ExpressionAttributeValues": {":n": {"N": number}},
        }
    }


def amounts():
    """What the whole table holds."""
    items = client.scan(TableName=TABLE, ConsistentRead=True)["Items"]
    return {f"{i['customer']['S']} {i['placed']['S']}": i["amount"]["N"] for i in items}
