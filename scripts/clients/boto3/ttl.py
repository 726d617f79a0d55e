"""Time to live: switched on, described, and an expired item vanishes and says so in the stream."""

import time

import shop
from expect import eventually, expect, refused
from follow import arn_of, iterators, records
from shop import client, order

TABLE = "boto3-ttl"
ON = {"Enabled": True, "AttributeName": "expires"}
YEAR = 365 * 24 * 3600


def chapter():
    shop.create(TABLE)
    off = client.describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]
    expect("DescribeTimeToLive before", off, {"TimeToLiveStatus": "DISABLED"})
    answer = client.update_time_to_live(TableName=TABLE, TimeToLiveSpecification=ON)
    expect("UpdateTimeToLive", answer["TimeToLiveSpecification"], ON)
    on = lambda: client.describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]
    eventually("DescribeTimeToLive after", 30, on, {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})
    refused(
        "UpdateTimeToLive again", "ValidationException", "TimeToLive is already enabled",
        client, "update_time_to_live", TableName=TABLE, TimeToLiveSpecification=ON,
    )

    now = int(time.time())
    expired = order("ada", "expired", expires={"N": str(now - 60)})
    for item in [
        expired,
        order("ada", "later", expires={"N": str(now + 3600)}),
        order("ada", "ancient", expires={"N": str(now - 6 * YEAR)}),  # more than five years ago: kept
        order("ada", "text", expires={"S": str(now - 60)}),  # not a number: kept
        order("ada", "never"),
    ]:
        client.put_item(TableName=TABLE, Item=item)
    eventually("the expired item is gone", 30, lambda: "expired" in names(), False)
    expect("the others stay", names(), ["ancient", "later", "never", "text"])

    found, _ = records(iterators(arn_of(TABLE), "TRIM_HORIZON"), 6)
    removed = [r for r in found if r["eventName"] == "REMOVE"]
    expect("one REMOVE record", [r["dynamodb"]["OldImage"] for r in removed], [expired])
    service = {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}
    expect("it names the service", removed[0]["userIdentity"], service)
    shop.delete(TABLE)
    return "switched on, described, an expired item vanished, its record names the service"


def names():
    items = client.query(
        TableName=TABLE, KeyConditionExpression="customer = :c", ExpressionAttributeValues={":c": {"S": "ada"}}
    )["Items"]
    return [item["placed"]["S"] for item in items]
