import { z } from 'zod';
import type * as contract from '#contract/api/logs/logs.ts';
import { logType } from '#contract/codes.ts';
import { type Language, say } from '#contract/messages.ts';
import type { PageQuery } from '#contract/paging.ts';
import { parsed } from '#contract/json-text.ts';
import type { Clock } from '#core/clock.ts';
import { shownText } from '#core/log/shown-phrase.ts';
import type { LogRow } from '#core/log/log.ts';
import type { LogFilter, LogPage, LogStat, LogStore } from '#core/log/log-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { LogClearing } from '../../../control/site/log-clearing.ts';
import type { Handlers } from '../../handler.ts';
import type { MakeRowFile } from './row-files.ts';
import { pageOf, pageRequest, toSeconds } from '../page.ts';

interface Query {
  readonly type: number;
  readonly token_name: string;
  readonly model_name: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly group: string;
  readonly program: string;
  readonly request_id: string;
}

interface AdminQuery extends Query {
  readonly username: string;
  readonly channel: number;
}

/** Logs and their sums: those of all users for admins, their own for users. */
export const logHandlers = (deps: {
  readonly logs: LogStore;
  readonly users: Pick<UserStore, 'idsOfRole'>;
  readonly clock: Clock;
  readonly quotaPerUnit: () => number;
  readonly logClearing: LogClearing;
  readonly rowFiles: MakeRowFile;
}): Handlers<typeof contract> => ({
  listLogs: async ({ query }, { actor, language }) => {
    const page = await deps.logs.page(adminFilter(query), pageRequest(query));
    const above = new Set(await deps.users.idsOfRole(actor.user.role));
    return logPageOf(page, query, (row) => {
      // The addresses of users of the same or a higher rank are private.
      const isSeen = row.userId === actor.user.id || !above.has(row.userId);
      return {
        ...logWire(row, language),
        ...(isSeen ? {} : { ip: '' }),
        cost_nano_usd: row.costNano ?? null,
      };
    });
  },
  listOwnLogs: async ({ query }, { actor, language }) =>
    logPageOf(
      await deps.logs.page({ ...filter(query), userId: actor.user.id }, pageRequest(query)),
      query,
      (row) => ownLogWire(row, language),
    ),
  exportLogs: async ({ query }, { actor, language }) => {
    const hidesAddressesOf = new Set(await deps.users.idsOfRole(actor.user.role));
    hidesAddressesOf.delete(actor.user.id);
    const quotaPerUnit = deps.quotaPerUnit();
    const file = { of: 'logs', language, quotaPerUnit, isAdmin: true, hidesAddressesOf } as const;
    return deps.rowFiles(adminFilter(query), file);
  },
  exportOwnLogs: async ({ query }, { actor, language }) => {
    const hidesAddressesOf = new Set<number>();
    const quotaPerUnit = deps.quotaPerUnit();
    const file = { of: 'logs', language, quotaPerUnit, isAdmin: false, hidesAddressesOf } as const;
    return deps.rowFiles({ ...filter(query), userId: actor.user.id }, file);
  },
  readLogStat: async ({ query }) => statWire(await deps.logs.stat(adminFilter(query), deps.clock.now())),
  readOwnLogStat: async ({ query }, { actor }) =>
    statWire(await deps.logs.stat({ ...filter(query), userId: actor.user.id }, deps.clock.now())),
  clearLogs: ({ query }, { actor }) => deps.logClearing.clear(actor.user, query.target_timestamp * 1000),
  readClearing: async () => {
    const { isRunning, deleted, total } = deps.logClearing.progress();
    return { is_running: isRunning, deleted, total };
  },
});

const logPageOf = <Item>(page: LogPage, query: PageQuery, item: (row: LogRow) => Item) => ({
  ...pageOf(page, query, item),
  ...(page.sortedSinceMs !== undefined && { sorted_since: toSeconds(page.sortedSinceMs) }),
});

// Empty and 0 mean no filter.
const filter = (query: Query): LogFilter => ({
  ...(query.type && { type: query.type }),
  ...(query.token_name && { tokenNamePart: query.token_name }),
  ...(query.model_name && { modelPart: query.model_name }),
  ...(query.group && { group: query.group }),
  ...(query.program && { program: query.program }),
  ...(query.request_id && { requestId: query.request_id }),
  ...(query.start_timestamp && { fromMs: query.start_timestamp * 1000 }),
  ...(query.end_timestamp && { toMs: query.end_timestamp * 1000 + 999 }),
});

const adminFilter = (query: AdminQuery): LogFilter => ({
  ...filter(query),
  ...(query.username && { username: query.username }),
  ...(query.channel && { channelId: query.channel }),
});

const logWire = (row: LogRow, language: Language) => ({
  id: row.id,
  user_id: row.userId,
  created_at: toSeconds(row.createdAtMs),
  type: row.type,
  content: contentOf(row, language),
  username: row.username,
  token_name: row.tokenName,
  model_name: row.model,
  program: row.program ?? '',
  quota: row.quotaUnits,
  prompt_tokens: row.promptTokens,
  completion_tokens: row.completionTokens,
  // Whole seconds, as clients of this family expect.
  use_time: Math.round(row.useTimeMs / 1000),
  use_time_ms: row.useTimeMs,
  is_stream: row.isStream,
  channel: row.channelId,
  channel_name: row.channelName,
  token_id: row.tokenId,
  group: row.group,
  ip: row.ip,
  request_id: row.requestId,
  other: row.other,
});

/**
 * A row's text in the reader's language; the details of a charge are in its fields. An upstream's message is not
 * translated.
 */
const contentOf = ({ type, content, other }: LogRow, language: Language): string => {
  if (type === logType.error) return content;
  return (
    (type === logType.consume ? priceSentence(other, language) : undefined) ?? shownText(content, language)
  );
};

const ratio = z.number();
const perCall = z.object({ model_price: ratio.min(0), group_ratio: ratio });
const perToken = z.object({ model_ratio: ratio, completion_ratio: ratio, group_ratio: ratio });

const priceSentence = (other: string, language: Language): string | undefined => {
  const fields = parsed(other);
  const call = perCall.safeParse(fields).data;
  if (call !== undefined)
    return say('log_price_call', language, { price: call.model_price, group: call.group_ratio });
  const token = perToken.safeParse(fields).data;
  if (token === undefined) return undefined;
  const { model_ratio: model, completion_ratio: completion, group_ratio: group } = token;
  return say('log_price_tokens', language, { model, completion, group });
};

/** Leaves out the channel and what only admins may see. */
const ownLogWire = (row: LogRow, language: Language) => ({
  ...logWire(row, language),
  channel: 0,
  channel_name: '',
  other: ownFields(row.other),
});

/**
 * Fields of a row that reveal where a call went. Rows of failed calls also have the channel beside the others; a model
 * mapping is a channel's setting.
 */
const FOR_ADMINS: ReadonlySet<string> = new Set([
  'admin_info',
  'channel_id',
  'channel_name',
  'channel_type',
  'is_model_mapped',
  'upstream_model_name',
]);

const ownFields = (other: string): string => {
  const read = parsed(other);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return '';
  return JSON.stringify(Object.fromEntries(Object.entries(read).filter(([name]) => !FOR_ADMINS.has(name))));
};

const statWire = (stat: LogStat) => ({
  quota: stat.quotaUnits,
  rpm: stat.callsPerMinute,
  tpm: stat.tokensPerMinute,
});
