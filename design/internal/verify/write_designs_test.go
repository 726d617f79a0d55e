package verify_test

// Each of the designs below has one feature of writes.

const uniqueDesign = `
design: Unique
entities:
  User:
    id: user_id
    attributes: { user_id: ulid, email: string, nick: string?, team: string, badge: int?, name: string }
    unique: [email, nick, [team, badge]]
    count: 10
tables:
  app-users:
    pk: PK
    sk: SK
    type: kind
    items:
      User: { PK: "USER#{user_id}", SK: "USER" }
    guards:
      User.email: { PK: "EMAIL#{email|lower}", SK: "EMAIL" }
      User.nick: { PK: "NICK#{nick}", SK: "NICK" }
      User.team+badge: { PK: "TEAM#{team}", SK: "BADGE#{badge|pad 4}" }
patterns:
  Register: { create: User, rate: 1/day }
  Rename: { update: User, where: { user_id: $ }, set: [name], rate: 1/day }
  ChangeEmail: { update: User, where: { user_id: $ }, set: [email], rate: 1/day }
  ChooseNick: { update: User, where: { user_id: $ }, set: [nick], if: nick missing, rate: 1/day }
  ChangeNick: { update: User, where: { user_id: $ }, set: [nick], rate: 1/day }
  DropNick: { update: User, where: { user_id: $ }, remove: [nick], rate: 1/day }
  ChangeTeam: { update: User, where: { user_id: $ }, set: [team], rate: 1/day }
  Leave: { delete: User, where: { user_id: $ }, rate: 1/day }
  LeaveKnown: { delete: User, where: { user_id: $, email: $ }, rate: 1/day }
`

const counterDesign = `
design: Counter
entities:
  Project:
    id: project_id
    attributes: { project_id: ulid, tasks: int, open: int, points: int, views: int?, name: string, version: int }
    counters:
      tasks: { count: Task, min: 0, max: 6 }
      open: { count: Task, where: { status: [open, busy] }, min: 0 }
      points: { sum: Task.points }
      views: { count: View, shards: 3 }
    version: version
    count: 10
  Task:
    id: task_id
    attributes:
      task_id: ulid
      project_id: ulid
      status: { type: "enum(open, busy, done)", lifecycle: { open: [busy, done], busy: [open, done], done: [open] } }
      points: int
      note: string?
    per: { project_id: 4 }
    count: 30
  View:
    id: view_id
    attributes: { view_id: ulid, project_id: ulid }
    count: 30
tables:
  app-tasks:
    pk: PK
    sk: SK
    type: kind
    indexes:
      GSI1: { pk: GSI1PK, sk: SK }
    items:
      Project: { PK: "PROJECT#{project_id}", SK: "PROJECT" }
      Task: { PK: "TASK#{task_id}", SK: "TASK", GSI1PK: { value: "OPEN#{project_id}", when: status = open } }
      View: { PK: "VIEW#{view_id}", SK: "VIEW" }
patterns:
  CreateProject: { create: Project, rate: 1/day }
  AddTask: { create: Task, rate: 1/day }
  RemoveTask: { delete: Task, where: { task_id: $, project_id: $ }, rate: 1/day }
  RemoveOpenTask: { delete: Task, where: { task_id: $, project_id: $, status: open, points: 3 }, rate: 1/day }
  TakeTask: { update: Task, where: { task_id: $, project_id: $ }, set: { status: busy }, if: status = open, rate: 1/day }
  FinishTask: { update: Task, where: { task_id: $, project_id: $ }, set: { status: done }, rate: 1/day }
  SetStatus: { update: Task, where: { task_id: $, project_id: $ }, set: [status], rate: 1/day }
  SetPoints: { update: Task, where: { task_id: $, project_id: $ }, set: [points], rate: 1/day }
  AddPoints: { update: Task, where: { task_id: $, project_id: $ }, add: { points: $more }, rate: 1/day }
  StepTask: { update: Task, where: { task_id: $, project_id: $, status: $was }, set: { status: $ }, rate: 1/day }
  EndTask: { update: Task, where: { task_id: $, project_id: $ }, set: { status: done }, if: status = $was, rate: 1/day }
  LeaveOpen: { update: Task, where: { task_id: $, project_id: $, status: open }, set: { status: $ }, rate: 1/day }
  DropTask: { delete: Task, where: { task_id: $, project_id: $, status: $, points: $ }, rate: 1/day }
  DropTasks: { transact: [{ delete: Task, where: { task_id: $, project_id: $project, status: $, points: $ }, each: 4 }], rate: 1/day }
  MoveTask: { update: Task, where: { task_id: $, project_id: $from, status: $, points: $ }, set: { project_id: $to }, rate: 1/day }
  Note: { update: Task, where: { task_id: $ }, set: [note], rate: 1/day }
  See: { create: View, rate: 1/day }
  Unsee: { delete: View, where: { view_id: $, project_id: $ }, rate: 1/day }
  AddTasks:
    transact:
      - { create: Task, each: 4 }
    rate: 1/day
  StartProject:
    transact:
      - { create: Project }
      - { create: Task, each: 3 }
    rate: 1/day
  RenameAndAdd:
    transact:
      - { create: Task }
      - { update: Project, where: { project_id: $ }, set: [name] }
    rate: 1/day
  CheckAndAdd:
    transact:
      - { create: Task }
      - { check: Project, where: { project_id: $ }, if: points >= 0 }
    rate: 1/day
  ByHand:
    transact:
      - { create: Task, set: { points: 2 } }
      - { update: Project, where: { project_id: $ }, add: { tasks: 1, open: 1, points: 2 } }
    rate: 1/day
`

// boundedDesign has sums that stay between bounds, of items that values of the caller decide
// about: by how much they change follows from what the patterns name.
const boundedDesign = `
design: Bounded
entities:
  Box:
    id: box_id
    attributes: { box_id: string, load: int, cargo: decimal, hot: int, loose: int, things: int }
    counters:
      load: { sum: Thing.weight, min: -5, max: 10 }
      cargo: { sum: Thing.weight, where: { state: [packed, sent], hot: false }, min: 0, max: 20 }
      hot: { count: Thing, where: { hot: true }, min: 0, max: 4 }
      loose: { count: Thing, where: { state: new, worth: lt 50 }, max: 9 }
      things: { count: Thing, where: { weight: gt 1 } }
    count: 10
  Thing:
    id: thing_id
    attributes: { thing_id: string, box_id: string, weight: int, worth: decimal?, hot: bool, state: "enum(new, packed, sent)" }
    count: 30
tables:
  app-boxes: { pk: PK, items: { Box: { PK: "B#{box_id}" }, Thing: { PK: "T#{thing_id}" } } }
patterns:
  AddBox: { create: Box, rate: 1/day }
  AddThing: { create: Thing, rate: 1/day }
  Weigh: { update: Thing, where: { thing_id: $, box_id: $, weight: $old, state: $, hot: $ }, set: [weight], rate: 1/day }
  More: { update: Thing, where: { thing_id: $, box_id: $, state: $, hot: $ }, add: { weight: $by }, if: weight = $old, rate: 1/day }
  DropThing: { delete: Thing, where: { thing_id: $, box_id: $, weight: $, state: $, hot: $, worth: $ }, rate: 1/day }
  DropAny: { delete: Thing, where: { thing_id: $, box_id: $ }, rate: 1/day }
  Heat: { update: Thing, where: { thing_id: $, box_id: $, hot: $was, weight: $, state: $ }, set: { hot: $ }, rate: 1/day }
  Price: { update: Thing, where: { thing_id: $, box_id: $, state: $, worth: $old }, set: [worth], rate: 1/day }
  Unprice: { update: Thing, where: { thing_id: $, box_id: $, state: $, worth: $ }, remove: [worth], rate: 1/day }
  Pack: { update: Thing, where: { thing_id: $, box_id: $, state: $was, worth: $, hot: $, weight: $ }, set: { state: $ }, rate: 1/day }
  PackMore: { update: Thing, where: { thing_id: $, box_id: $, state: $was, hot: false, weight: $, worth: 7 }, set: { state: $ }, add: { weight: 1 }, rate: 1/day }
  Rebox: { update: Thing, where: { thing_id: $, box_id: $from, state: $, worth: $, hot: $, weight: $ }, set: { box_id: $to }, rate: 1/day }
  MoreOfMany: { transact: [{ update: Thing, where: { thing_id: $, box_id: $box, state: $, hot: $ }, add: { weight: $by }, each: 3 }], rate: 1/day }
  Gather: { transact: [{ create: Thing }, { delete: Thing, where: { thing_id: $other, box_id: $, weight: $, state: $, hot: $, worth: $ } }], rate: 1/day }
`

const requireDesign = `
design: Require
entities:
  Room:
    id: room_id
    attributes: { room_id: ulid, state: "enum(free, closed)", seats: int, owner: string?, version: int }
    version: version
    count: 10
  Key:
    id: [room_id, code]
    attributes: { room_id: ulid, code: string, until: timestamp, uses: int }
    count: 20
  Ban:
    id: [room_id, person]
    attributes: { room_id: ulid, person: string }
    count: 20
  Booking:
    id: booking_id
    attributes: { booking_id: { type: ulid, time: made_at }, made_at: timestamp, room_id: ulid, person: string, seats: int }
    count: 20
tables:
  app-rooms:
    pk: PK
    sk: SK
    items:
      Room: { PK: "ROOM#{room_id}", SK: "ROOM" }
      Key: { PK: "ROOM#{room_id}", SK: "KEY#{code}" }
      Ban: { PK: "ROOM#{room_id}", SK: "BAN#{person}" }
      Booking: { PK: "BOOKING#{booking_id}", SK: "BOOKING" }
patterns:
  Book:
    create: Booking
    requires:
      - { entity: Room, where: { room_id: $ }, if: state = free and seats >= $seats }
      - { entity: Ban, exists: false, where: { room_id: $, person: $ } }
    rate: 1/day
  BookWithKey:
    create: Booking
    requires:
      - { entity: Key, where: { room_id: $, code: $ }, if: until > $now and uses < 5, consume: true }
    rate: 1/day
  BookAndClose:
    create: Booking
    requires:
      - { entity: Room, where: { room_id: $ }, if: state = free, change: { state: closed } }
    rate: 1/day
  Own:
    update: Room
    where: { room_id: $ }
    set: [owner]
    if: owner missing
    rate: 1/day
  Reopen: { update: Room, where: { room_id: $, state: closed }, set: { state: free }, remove: [owner], rate: 1/day }
  Close: { delete: Room, where: { room_id: $ }, if: seats < 100, rate: 1/day }
`

const keyDesign = `
design: Keys
entities:
  Job:
    id: [queue, number]
    attributes:
      queue: string
      number: int
      state: "enum(waiting, running, dead)"
      due: timestamp
      owner: string?
      tries: int
      most: int
      price: decimal
      tags: set<string>
      done: bool
      note: string?
      version: int
    version: version
    size: 1200B
    count: 40
  Plain:
    id: name
    attributes: { name: string, rank: int, group: string?, text: string }
    count: 20
tables:
  app-jobs:
    pk: PK
    sk: SK
    type: kind
    indexes:
      ByState: { pk: StatePK, sk: StateSK }
      ByOwner: { pk: OwnerPK, sk: due, project: keys }
      ByTries: { local: true, sk: TriesSK, project: [note] }
      ByDay: { pk: DayPK, sk: SK, project: [state, price] }
    items:
      Job:
        PK: "QUEUE#{queue}"
        SK: "JOB#{number|pad 6}"
        StatePK: { value: "STATE#{state}#{number|shard 3}", when: "state in (waiting, running)" }
        StateSK: "{due}#{number|pad 6}"
        OwnerPK: "OWNER#{owner|upper}"
        TriesSK: "TRIES#{tries|pad 3}"
        DayPK: { value: "DAY#{due|date}", when: done = false }
  app-plain:
    pk: name
    indexes:
      ByGroup: { pk: group, sk: rank }
    items: [Plain]
patterns:
  Add: { create: Job, set: { state: waiting, done: false, tries: 0 }, rate: 1/day }
  Save: { put: Job, rate: 1/day }
  Claim:
    update: Job
    where: { queue: $, number: $ }
    set: { state: running, owner: $, due: $lease }
    add: { tries: 1 }
    if: state = waiting and due <= $now and tries < most and tries = $tries and done = $done
    rate: 1/day
  Free:
    update: Job
    where: { queue: $, number: $ }
    set: { state: waiting }
    remove: [owner]
    if: state = running and owner = $me and due = $due
    rate: 1/day
  Bury:
    update: Job
    where: { queue: $, number: $ }
    set: { state: dead, note: $reason }
    if: state != dead and tries >= 1 and tries <= 90
    rate: 1/day
  Finish:
    update: Job
    where: { queue: $, number: $ }
    set: { done: true }
    if: done = false
    rate: 1/day
  Own: { update: Job, where: { queue: $, number: $ }, set: [owner], rate: 1/day }
  Retry: { update: Job, where: { queue: $, number: $ }, add: { tries: $by, price: 0.5 }, if: tries = $tries, rate: 1/day }
  Note: { update: Job, where: { queue: $, number: $ }, set: [note, tags], if: note exists, rate: 1/day }
  Drop: { delete: Job, where: { queue: $, number: $ }, if: 'state in (dead, waiting) and owner missing', rate: 1/day }
  SavePlain: { put: Plain, rate: 1/day }
  ReplacePlain: { put: Plain, if: rank >= $least, rate: 1/day }
  Group: { update: Plain, where: { name: $ }, set: [group, rank], rate: 1/day }
  Ungroup: { update: Plain, where: { name: $ }, remove: [group], if: group exists, rate: 1/day }
  DropPlain: { delete: Plain, where: { name: $ }, rate: 1/day }
  Swap:
    transact:
      - { delete: Plain, where: { name: $old_name } }
      - { create: Plain }
      - { check: Job, where: { queue: $, number: $ }, if: tries <= most }
      - { update: Job, where: { queue: $, number: $number2 }, set: { note: $ }, each: 60 }
    rate: 1/day
`

const moveDesign = `
design: Move
entities:
  Board:
    id: board_id
    attributes: { board_id: ulid, cards: int, weight: decimal, ready: int, guests: int?, heavy: int }
    counters:
      cards: { count: Card, max: 40 }
      weight: { sum: Card.weight, min: 0, max: 100000 }
      ready: { count: Card, where: { state: ready } }
      guests: { count: Card, match: { board_id: guest_of }, max: 9 }
      heavy: { count: Card, where: { weight: gte 50 } }
    count: 10
  Card:
    id: card_id
    attributes: { card_id: ulid, board_id: ulid, guest_of: ulid?, weight: decimal, state: "enum(new, ready)", text: string? }
    count: 30
tables:
  app-boards:
    pk: board_id
    items: [Board]
  app-cards:
    pk: card_id
    items: [Card]
patterns:
  AddCard: { create: Card, rate: 1/day }
  AddReady: { create: Card, where: { state: ready, board_id: $home }, rate: 1/day }
  MoveFixed: { update: Card, where: { card_id: $, board_id: $from, weight: 5, state: new, guest_of: $ }, set: { board_id: $to }, rate: 1/day }
  Move: { update: Card, where: { card_id: $, board_id: $from }, set: { board_id: $to }, if: guest_of missing, rate: 1/day }
  Uninvite: { update: Card, where: { card_id: $, guest_of: $, board_id: $ }, remove: [guest_of], rate: 1/day }
  Invite: { update: Card, where: { card_id: $, board_id: $ }, set: [guest_of], if: guest_of missing, rate: 1/day }
  Weigh: { update: Card, where: { card_id: $, board_id: $ }, set: [weight], rate: 1/day }
  Heavier: { update: Card, where: { card_id: $, board_id: $ }, add: { weight: 1.5 }, rate: 1/day }
  Ready: { update: Card, where: { card_id: $, board_id: $ }, set: [state], rate: 1/day }
  Text: { update: Card, where: { card_id: $ }, set: [text], if: text != $last, rate: 1/day }
  Remove: { delete: Card, where: { card_id: $, board_id: $, guest_of: $ }, rate: 1/day }
  RemoveAlone: { delete: Card, where: { card_id: $, board_id: $ }, if: guest_of missing, rate: 1/day }
  RemoveMany:
    transact:
      - { delete: Card, where: { card_id: $, board_id: $board }, if: guest_of missing, each: 4 }
    rate: 1/day
  AddMany:
    transact:
      - { create: Card, each: 4, set: { weight: 2 } }
    rate: 1/day
`

// versionDesign puts items with a version: alone, with a condition, several at once, and
// where the version may be absent.
const versionDesign = `
design: App
entities:
  Page:
    id: slug
    attributes: { slug: string, text: string, state: "enum(draft, live)", version: int }
    version: version
    size: 100B
    count: 20
  Draft:
    id: [slug, number]
    attributes: { slug: string, number: int, text: string?, rev: int? }
    version: rev
    size: 100B
    count: 20
    per: { slug: 4 }
tables:
  app:
    pk: PK
    sk: SK
    type: kind
    items:
      Page: { PK: "PAGE#{slug}", SK: "PAGE" }
      Draft: { PK: "PAGE#{slug}", SK: "DRAFT#{number|pad 4}" }
patterns:
  Save: { put: Page, rate: 1/day }
  SaveLive: { put: Page, if: state = live, rate: 1/day }
  SaveDraft: { put: Draft, rate: 1/day }
  FirstText: { put: Draft, if: text missing, rate: 1/day }
  SaveAll: { transact: [{ put: Page }, { put: Draft, each: 5 }], rate: 1/day }
  Unpublish: { transact: [{ put: Page, set: { state: draft } }, { delete: Draft, where: { slug: $other, number: $ } }], rate: 1/day }
`

// stepDesign changes states by lifecycles: from states the design names, from those the
// caller says, and with whole items, which may stay as they are.
const stepDesign = `
design: Steps
entities:
  Order:
    id: order_id
    attributes:
      order_id: ulid
      note: string?
      status: { type: "enum(open, paid, shipped, lost)", lifecycle: { open: [paid], paid: [shipped], shipped: [lost] } }
      mood: { type: "enum(calm, angry)?", start: calm, lifecycle: { calm: [angry], angry: [calm] } }
    size: 100B
    count: 20
tables:
  orders: { pk: order_id, items: [Order] }
patterns:
  Ship: { update: Order, where: { order_id: $ }, set: { status: shipped }, rate: 1/day }
  Move: { update: Order, where: { order_id: $ }, set: [status], if: status = $was, rate: 1/day }
  Replace: { put: Order, if: status = $was and mood = $mood_was, rate: 1/day }
  Anger: { put: Order, set: { mood: angry }, if: status = paid and mood = $was, rate: 1/day }
  ReplaceSome: { transact: [{ put: Order, each: 3, if: status = $was and mood = $mood_was }], rate: 1/day }
`

const setDesign = `
design: Sets
entities:
  Thing:
    id: thing_id
    attributes: { thing_id: ulid, shelf: string, nums: set<int>, tags: set<string>?, blob: bytes, note: string }
    count: 20
    per: { shelf: 5 }
tables:
  app-things:
    pk: PK
    sk: SK
    indexes: { GSI1: { pk: GSI1PK, sk: SK } }
    items:
      Thing: { PK: "THING#{thing_id}", SK: "THING", GSI1PK: "SHELF#{shelf}" }
patterns:
  AddThing: { create: Thing, rate: 1/day }
  SetNums: { update: Thing, where: { thing_id: $, nums: $old }, set: [nums, blob], rate: 1/day }
  Note: { update: Thing, where: { thing_id: $, tags: $ }, set: [note], if: "nums != $others", rate: 1/day }
  Drop: { delete: Thing, where: { thing_id: $, nums: $ }, rate: 1/day }
  DropOther: { delete: Thing, where: { thing_id: $ }, if: "tags != $tags", rate: 1/day }
  ListLike: { list: Thing, where: { shelf: $ }, filter: { nums: $, note: gte $least }, rate: 1/day }
`
