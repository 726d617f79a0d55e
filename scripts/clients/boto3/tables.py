"""Tables: create, describe, list, change, tag, delete."""

import shop
from expect import eventually, expect, refused
from shop import client

TABLE = "boto3-tables"
ARN = f"arn:aws:dynamodb:us-east-1:123456789012:table/{TABLE}"


def chapter():
    created_and_described()
    listed_in_pages()
    index_added_and_dropped()
    tagged()
    deleted()
    return "created, described, listed in pages, index added and dropped online, tagged, protected, deleted"


def created_and_described():
    made = shop.create(TABLE)
    expect("CreateTable: status", made["TableStatus"], "CREATING")
    expect("CreateTable: ARN", made["TableArn"], ARN)
    expect("CreateTable: stream ARN", made["LatestStreamArn"], f"{ARN}/stream/{made['LatestStreamLabel']}")

    table = client.describe_table(TableName=TABLE)["Table"]
    expect("DescribeTable: status", table["TableStatus"], "ACTIVE")
    expect("DescribeTable: id", table["TableId"], made["TableId"])
    expect("DescribeTable: created", table["CreationDateTime"], made["CreationDateTime"])
    expect("DescribeTable: key", table["KeySchema"], shop.keys("customer", "placed"))
    expect("DescribeTable: billing", table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
    expect(
        "DescribeTable: stream",
        table["StreamSpecification"],
        {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    (by_status,) = table["GlobalSecondaryIndexes"]
    expect("DescribeTable: global index", (by_status["IndexName"], by_status["IndexStatus"]), ("ByStatus", "ACTIVE"))
    expect("DescribeTable: global index ARN", by_status["IndexArn"], f"{ARN}/index/ByStatus")
    (by_amount,) = table["LocalSecondaryIndexes"]
    expect(
        "DescribeTable: local index",
        by_amount["Projection"],
        {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]},
    )

    refused(
        "CreateTable of a table that exists", "ResourceInUseException", f"Table already exists: {TABLE}",
        client, "create_table", TableName=TABLE, KeySchema=shop.keys("pk"), BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
    )
    refused(
        "DescribeTable of no table", "ResourceNotFoundException",
        "Requested resource not found: Table: boto3-nowhere not found",
        client, "describe_table", TableName="boto3-nowhere",
    )


def listed_in_pages():
    small = [f"{TABLE}-{letter}" for letter in "abc"]
    for name in small:
        client.create_table(
            TableName=name,
            KeySchema=shop.keys("pk"),
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "N"}],
            ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
        )
        client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=shop.SOON)
    pages = list(client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 1}))
    expect("ListTables: names on a page", max(len(page["TableNames"]) for page in pages), 1)
    listed = [name for page in pages for name in page["TableNames"]]
    expect("ListTables: ours, in order", [n for n in listed if n.startswith(TABLE)], [TABLE, *small])

    changed = client.update_table(
        TableName=small[0], ProvisionedThroughput={"ReadCapacityUnits": 3, "WriteCapacityUnits": 4}
    )
    expect("UpdateTable: status", changed["TableDescription"]["TableStatus"], "UPDATING")
    client.get_waiter("table_exists").wait(TableName=small[0], WaiterConfig=shop.SOON)
    throughput = client.describe_table(TableName=small[0])["Table"]["ProvisionedThroughput"]
    expect("UpdateTable: throughput", (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]), (3, 4))
    for name in small:
        shop.delete(name)


def index_added_and_dropped():
    for number in range(30):
        note = {"note": {"S": f"note {number % 3}"}} if number < 20 else {}
        client.put_item(TableName=TABLE, Item=shop.order("ada", f"{number:03}", **note))
    # Items that do not fit the new index are left out of it, not refused.
    client.put_item(TableName=TABLE, Item=shop.order("ada", "number", note={"N": "1"}))

    change = client.update_table(
        TableName=TABLE,
        AttributeDefinitions=[
            {"AttributeName": "note", "AttributeType": "S"},
            {"AttributeName": "placed", "AttributeType": "S"},
        ],
        GlobalSecondaryIndexUpdates=[
            {
                "Create": {
                    "IndexName": "ByNote",
                    "KeySchema": shop.keys("note", "placed"),
                    "Projection": {"ProjectionType": "KEYS_ONLY"},
                }
            }
        ],
    )["TableDescription"]
    expect("adding an index: table status", change["TableStatus"], "UPDATING")
    expect("adding an index: its status", index_status("ByNote", change), "CREATING")
    eventually("the new index is ACTIVE", 30, lambda: index_status("ByNote"), "ACTIVE")
    eventually("the table is ACTIVE again", 30, table_status, "ACTIVE")
    client.put_item(TableName=TABLE, Item=shop.order("bob", "new", note={"S": "note 0"}))
    eventually("the new index has old and new items", 10, lambda: count("ByNote", "note 0"), 8)
    refused(
        "a number as index key", "ValidationException", "Type mismatch for Index Key note Expected: S Actual: N",
        client, "put_item", TableName=TABLE, Item=shop.order("bob", "wrong", note={"N": "1"}),
    )

    change = client.update_table(
        TableName=TABLE, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "ByNote"}}]
    )["TableDescription"]
    expect("dropping an index: its status", index_status("ByNote", change), "DELETING")
    eventually("the index is gone", 30, lambda: index_status("ByNote"), None)
    eventually("the table is ACTIVE again", 30, table_status, "ACTIVE")
    refused(
        "Query on a dropped index", "ValidationException", "The table does not have the specified index: ByNote",
        client, "query", TableName=TABLE, IndexName="ByNote",
        KeyConditionExpression="note = :n", ExpressionAttributeValues={":n": {"S": "note 0"}},
    )


def tagged():
    expect("tags of CreateTable", tags(), {"team": "shop"})
    client.tag_resource(ResourceArn=ARN, Tags=[{"Key": "team", "Value": "sales"}, {"Key": "stage", "Value": "test"}])
    expect("TagResource", tags(), {"team": "sales", "stage": "test"})
    client.untag_resource(ResourceArn=ARN, TagKeys=["team"])
    expect("UntagResource", tags(), {"stage": "test"})


def deleted():
    client.update_table(TableName=TABLE, DeletionProtectionEnabled=True)
    refused(
        "DeleteTable of a protected table", "ValidationException", "protected against deletion",
        client, "delete_table", TableName=TABLE,
    )
    client.update_table(TableName=TABLE, DeletionProtectionEnabled=False)
    expect("DeleteTable: status", shop.delete(TABLE)["TableStatus"], "DELETING")
    refused(
        "PutItem without a table", "ResourceNotFoundException", "Requested resource not found",
        client, "put_item", TableName=TABLE, Item=shop.order("ada", "late"),
    )


def table_status():
    return client.describe_table(TableName=TABLE)["Table"]["TableStatus"]


def index_status(name, table=None):
    table = table or client.describe_table(TableName=TABLE)["Table"]
    return next((i["IndexStatus"] for i in table.get("GlobalSecondaryIndexes", []) if i["IndexName"] == name), None)


def count(index, value):
    return client.query(
        TableName=TABLE, IndexName=index, Select="COUNT",
        KeyConditionExpression="note = :n", ExpressionAttributeValues={":n": {"S": value}},
    )["Count"]


def tags():
    pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=ARN)
    return {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}
