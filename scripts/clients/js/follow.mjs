// Reads streams: all shards of one, parents before children, until caught up.
import { setTimeout as sleep } from "node:timers/promises";

import { client, streams } from "./shop.mjs";

// The stream that the table has now.
export async function arnOf(table) {
  return (await client.describeTable({ TableName: table })).Table.LatestStreamArn;
}

// All shards, a page at a time, parents first as DescribeStream lists them.
export async function shards(arn) {
  const found = [];
  let start;
  do {
    const request = { StreamArn: arn, Limit: 2, ExclusiveStartShardId: start };
    const { StreamDescription } = await streams.describeStream(request);
    found.push(...StreamDescription.Shards);
    start = StreamDescription.LastEvaluatedShardId;
  } while (start);
  return found;
}

// An iterator for every shard.
export async function iterators(arn, kind) {
  const found = [];
  for (const { ShardId } of await shards(arn)) {
    const answer = await streams.getShardIterator({ StreamArn: arn, ShardId, ShardIteratorType: kind });
    found.push(answer.ShardIterator);
  }
  return found;
}

// Reads on all iterators until so many records came and one more round brought nothing. Gives the records, and the
// iterators to go on with: undefined for a shard that is closed and read to its end.
export async function records(open, count, seconds = 20) {
  const found = [];
  const current = [...open];
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const before = found.length;
    for (const [n, ShardIterator] of current.entries()) {
      if (!ShardIterator) continue;
      const answer = await streams.getRecords({ ShardIterator, Limit: 3 });
      found.push(...answer.Records);
      current[n] = answer.NextShardIterator;
    }
    if (found.length > before) continue;
    if (found.length >= count || Date.now() > end) return [found, current];
    await sleep(300);
  }
}
