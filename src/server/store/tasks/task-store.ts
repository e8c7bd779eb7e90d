import type {
  NewTask,
  OpenTasks,
  Task,
  TaskChanges,
  TaskFilter,
  TaskPlatform,
  TaskStore,
} from '#core/task/task.ts';
import { taskStatusOf } from '#core/task/task.ts';
import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Updateable,
  type Selectable,
  sql,
  type SqlBool,
} from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { onePage, type SortValues } from '../database/one-page.ts';
import type { TaskTables } from '../database/task-schema.ts';
import { polledChannels } from './polled-channels.ts';

type TaskRecord = Selectable<TaskTables['tasks']>;

const DONE = ['SUCCESS', 'FAILURE'];
/** The same texts as in the partial indexes, so that those are used. */
const OPEN = sql<boolean>`status NOT IN ('SUCCESS', 'FAILURE')`;
const UNSUBMITTED = sql<boolean>`upstream_id = ''`;

/** The column of each field. */
const columnOf = {
  platform: 'platform',
  publicId: 'public_id',
  upstreamId: 'upstream_id',
  userId: 'user_id',
  username: 'username',
  tokenId: 'token_id',
  tokenName: 'token_name',
  channelId: 'channel_id',
  keyId: 'key_id',
  group: 'group_name',
  model: 'model',
  action: 'action',
  code: 'code',
  status: 'status',
  progress: 'progress',
  prompt: 'prompt',
  promptEn: 'prompt_en',
  description: 'description',
  state: 'caller_state',
  createdAtMs: 'created_at',
  submittedAtMs: 'submitted_at',
  startedAtMs: 'started_at',
  finishedAtMs: 'finished_at',
  imageUrl: 'image_url',
  failReason: 'fail_reason',
  quotaUnits: 'quota',
  notifyHook: 'notify_hook',
  reachedAt: 'reached_at',
  buttons: 'buttons',
  properties: 'properties',
  data: 'task_data',
  pricing: 'pricing',
} as const satisfies Record<keyof NewTask, keyof TaskRecord>;

const sortValues: SortValues = {
  submitted: { by: sql.ref('submitted_at') },
  finished: { by: sql`NULLIF(finished_at, 0)`, mayBeMissing: true },
  duration: { by: sql`CASE WHEN finished_at > 0 THEN finished_at - submitted_at END`, mayBeMissing: true },
};

const columnsOf = (fields: TaskChanges | NewTask): Updateable<TaskTables['tasks']> => {
  const columns: Partial<Record<keyof TaskRecord, string | number>> = {};
  for (const [field, value] of Object.entries(fields) as [keyof NewTask, string | number | undefined][])
    if (value !== undefined) columns[columnOf[field]] = value;
  return columns as Updateable<TaskTables['tasks']>;
};

const taskOf = (record: TaskRecord): Task => {
  const fields: Partial<Record<keyof Task, unknown>> = { id: record.id };
  for (const [field, column] of Object.entries(columnOf) as [keyof NewTask, keyof TaskRecord][])
    fields[field] = record[column];
  return {
    ...(fields as Task),
    platform: record.platform as TaskPlatform,
    status: taskStatusOf(record.status),
  };
};

const matches =
  (filter: TaskFilter) =>
  (is: ExpressionBuilder<Schema, 'tasks'>): Expression<SqlBool> =>
    is.and([
      is('platform', filter.platform === 'mj' ? '=' : '!=', 'mj'),
      ...(filter.userId === undefined ? [] : [is('user_id', '=', filter.userId)]),
      ...(filter.channelId === undefined ? [] : [is('channel_id', '=', filter.channelId)]),
      ...(filter.publicId === undefined ? [] : [is('public_id', '=', filter.publicId)]),
      ...(filter.status === undefined ? [] : [is('status', '=', filter.status)]),
      ...(filter.action === undefined ? [] : [is('action', '=', filter.action)]),
      ...(filter.fromMs === undefined ? [] : [is('submitted_at', '>=', filter.fromMs)]),
      ...(filter.toMs === undefined ? [] : [is('submitted_at', '<=', filter.toMs)]),
    ]);

const isOneOf =
  (which: OpenTasks) =>
  (is: ExpressionBuilder<Schema, 'tasks'>): Expression<SqlBool> => {
    if ('channelId' in which) return is('channel_id', '=', which.channelId);
    return 'platform' in which
      ? is.and([is('platform', '=', which.platform), is('upstream_id', '!=', '')])
      : UNSUBMITTED;
  };

/** Tasks in the database. */
export const createTaskStore = (database: Database): TaskStore => {
  const { writer, reader } = database;
  const all = () => writer.selectFrom('tasks').selectAll();
  return {
    async create(task) {
      const { id } = await writer
        .insertInto('tasks')
        .values(columnsOf(task) as Insertable<TaskTables['tasks']>)
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    async forget(id) {
      await writer.deleteFrom('tasks').where('id', '=', id).where('upstream_id', '=', '').execute();
    },
    async byPublicId(publicId) {
      const record = await all().where('public_id', '=', publicId).executeTakeFirst();
      return record === undefined ? undefined : taskOf(record);
    },
    ofUser: async (userId, publicIds) =>
      publicIds.length === 0
        ? []
        : (
            await all()
              .where('user_id', '=', userId)
              .where('public_id', 'in', [...publicIds])
              .orderBy('id')
              .execute()
          ).map(taskOf),
    byUpstreamId: async (upstreamId) =>
      (await all().where('upstream_id', '=', upstreamId).limit(10).execute()).map(taskOf),
    async update(id, changes) {
      const columns = columnsOf(changes);
      if (Object.keys(columns).length === 0) return true;
      const { numUpdatedRows } = await writer
        .updateTable('tasks')
        .set(columns)
        .where('id', '=', id)
        .where('status', 'not in', DONE)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async finish(id, changes) {
      await writer.updateTable('tasks').set(columnsOf(changes)).where('id', '=', id).execute();
    },
    unfinished: async (which, limit, afterId) => {
      const open = all().where(OPEN).where('id', '>', afterId).where(isOneOf(which));
      return (await open.orderBy('id').limit(limit).execute()).map(taskOf);
    },
    channelsAtWork: async () => {
      const open = writer.selectFrom('tasks').select('channel_id').distinct().where(OPEN);
      return (await open.orderBy('channel_id').execute()).map(({ channel_id: id }) => id);
    },
    ...polledChannels(database),
    page: (filter, page) =>
      onePage(reader.selectFrom('tasks').selectAll().where(matches(filter)), page, taskOf, { sortValues }),
  };
};
