import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Statement, statement as statementShape } from '#contract/api/wallet/statements.ts';
import { logType } from '#contract/codes.ts';
import type {
  IssuedAt,
  IssuedStatement,
  StatementOwner,
  StatementStore,
} from '#core/wallet/statement-store.ts';
import {
  makeStatement,
  monthAfter,
  type MonthSpan,
  monthSpan,
  type UsedSum,
} from '#core/wallet/statement.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { isOfStretch } from '../people/token-tags.ts';
import { readSums } from './charged-sums.ts';
import { countsOf, usedCounts, type UsedSums } from '../logs/used-counts.ts';
import { HOUR_MS } from '#core/time/spans.ts';

type Reader = Kysely<Schema>;

interface Row {
  readonly sha256: string;
  readonly document: string;
}

const issuedOf = ({ sha256, document }: Row): IssuedStatement => ({
  statement: statementShape.parse(JSON.parse(document)),
  sha256,
});

/** A condition on `usage_hours u`. */
const chargesOf = ({ userId, tokenId, tag }: StatementOwner) => {
  const all = sql`u.type = ${logType.consume} AND u.user_id = ${userId}`;
  if (tokenId !== 0) return sql`${all} AND u.token_id = ${tokenId}`;
  if (tag === '') return all;
  return sql`${all} AND EXISTS (SELECT 1 FROM token_tags g WHERE g.tag = ${tag} AND ${isOfStretch})`;
};

const numberOf = async (
  from: Reader,
  query: ReturnType<typeof sql<{ value: number | string | null }>>,
): Promise<number> => Number((await query.execute(from)).rows[0]?.value ?? 0);

const usedIn = async (
  from: Reader,
  owner: StatementOwner,
  { fromMs, toMs }: MonthSpan,
): Promise<UsedSum[]> => {
  type UsedRow = UsedSums & { token: number | string; model: string | null; token_name: string | null };
  const { rows } = await sql<UsedRow>`
    SELECT u.token_id AS token, t.name AS token_name, n.name AS model, u.calls, u.prompt, u.completion, u.quota
    FROM (
      SELECT token_id, model_id, ${usedCounts}
      FROM usage_hours u WHERE ${chargesOf(owner)} AND u.hour >= ${fromMs / HOUR_MS} AND u.hour < ${toMs / HOUR_MS}
      GROUP BY token_id, model_id
    ) u
    LEFT JOIN tokens t ON t.id = u.token_id LEFT JOIN names n ON n.id = u.model_id
    ORDER BY u.token_id, n.name`.execute(from);
  return rows.map((row) => ({
    tokenId: Number(row.token),
    tokenName: row.token_name ?? '',
    model: row.model ?? '',
    ...countsOf(row),
  }));
};

const movementsIn = async (
  from: Reader,
  userId: number,
  { fromMs, toMs }: MonthSpan,
): Promise<Statement['movements']> => {
  type Sums = Readonly<Record<'count' | 'came' | 'went', number | string>>;
  const { rows } = await sql<Sums & { kind: string }>`
    SELECT kind, count(*) AS count, sum(CASE WHEN delta > 0 THEN delta ELSE 0 END) AS came,
      sum(CASE WHEN delta < 0 THEN delta ELSE 0 END) AS went
    FROM journal WHERE user_id = ${userId} AND created_at >= ${fromMs} AND created_at < ${toMs} AND delta <> 0
    GROUP BY kind ORDER BY kind`.execute(from);
  return rows.map(({ kind, count, came, went }) => ({
    kind,
    count: Number(count),
    in_units: Number(came),
    out_units: Number(went),
  }));
};

/**
 * The current charges less those from that time on, so that the whole past need not be read. For a tag it must be read,
 * because a token may have had the tag for some months only.
 */
const chargedUntil = async (from: Reader, owner: StatementOwner, atMs: number, usedUnits: number) => {
  const sum = (stretch: ReturnType<typeof sql>) =>
    numberOf(
      from,
      sql`SELECT sum(u.quota) AS value FROM usage_hours u WHERE ${chargesOf(owner)} AND ${stretch}`,
    );
  return owner.tag === ''
    ? usedUnits - (await sum(sql`u.hour >= ${atMs / HOUR_MS}`))
    : sum(sql`u.hour < ${atMs / HOUR_MS}`);
};

const isWhole = ({ tokenId, tag }: StatementOwner): boolean => tokenId === 0 && tag === '';

const movedUntil = (from: Reader, owner: StatementOwner, atMs: number): Promise<number> =>
  isWhole(owner)
    ? numberOf(
        from,
        sql`SELECT sum(delta) AS value FROM journal WHERE user_id = ${owner.userId} AND created_at < ${atMs}`,
      )
    : Promise.resolve(0);

/** The issued statements of an owner, earliest month first, or the one of a month. */
const issuedIn = async (
  from: Reader,
  { userId, tokenId, tag }: StatementOwner,
  month?: string,
): Promise<IssuedStatement[]> => {
  const kept =
    tag === ''
      ? sql`FROM statements WHERE user_id = ${userId} AND token_id = ${tokenId}`
      : sql`FROM tag_statements WHERE user_id = ${userId} AND tag = ${tag}`;
  const ofMonth = month === undefined ? sql`` : sql`AND month = ${month}`;
  const { rows } = await sql<Row>`SELECT sha256, document ${kept} ${ofMonth} ORDER BY month`.execute(from);
  return rows.map(issuedOf);
};

const findIn = async (from: Reader, owner: StatementOwner, month: string) =>
  (await issuedIn(from, owner, month))[0];

/**
 * The account and its used quota. On PostgreSQL its row is locked: charges and movements wait, so everything read
 * afterwards is consistent.
 */
const lockAccount = async (
  from: Reader,
  engine: Database['engine'],
  { userId, tokenId, tag }: StatementOwner,
) => {
  const lock = engine === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``;
  const user = await sql<{ name: string; used: number }>`
    SELECT username AS name, used_quota AS used FROM users WHERE id = ${userId} ${lock}`.execute(from);
  if (tag !== '') return user.rows[0] && { ...user.rows[0], name: tag };
  if (tokenId === 0) return user.rows[0];
  const token = await sql<{ name: string; used: number }>`
    SELECT name, used_quota AS used FROM tokens WHERE id = ${tokenId} AND user_id = ${userId}`.execute(from);
  return token.rows[0];
};

const issueIn = async (
  from: Reader,
  engine: Database['engine'],
  owner: StatementOwner,
  month: string,
  { nowMs, unitsPerDollar }: IssuedAt,
): Promise<IssuedStatement> => {
  const account = await lockAccount(from, engine, owner);
  if (account === undefined) throw new Error('a statement of nobody');
  const already = await findIn(from, owner, month);
  if (already !== undefined) return already;
  const before = monthAfter(month, -1);
  const prior = (await findIn(from, owner, before))?.statement;
  const span = monthSpan(month);
  const statement = makeStatement({
    month,
    ...owner,
    name: account.name,
    nowMs,
    unitsPerDollar,
    prior,
    used: await usedIn(from, owner, span),
    usedBefore: prior === undefined ? [] : await usedIn(from, owner, monthSpan(before)),
    movements: isWhole(owner) ? await movementsIn(from, owner.userId, span) : [],
    movedUnits: await movedUntil(from, owner, span.toMs),
    movedBeforeUnits: await movedUntil(from, owner, span.fromMs),
    chargedUnits: await chargedUntil(from, owner, span.toMs, Number(account.used)),
    chargedBeforeUnits: await chargedUntil(from, owner, span.fromMs, Number(account.used)),
  });
  const document = JSON.stringify(statementShape.parse(statement));
  const sha256 = createHash('sha256').update(document).digest('hex');
  const { userId: user_id, tokenId: token_id, tag } = owner;
  const values = { user_id, month, issued_at: nowMs, sha256, document };
  await (
    tag === ''
      ? from.insertInto('statements').values({ ...values, token_id })
      : from.insertInto('tag_statements').values({ ...values, tag })
  ).execute();
  return issuedOf({ sha256, document });
};

/** Statements in the database. */
export const createStatementStore = ({ reader, writer, engine }: Database): StatementStore => ({
  exists: async ({ userId, tokenId, tag }) => {
    const found =
      tag !== ''
        ? writer
            .selectFrom('token_tags')
            .select('token_id as id')
            .where('tag', '=', tag)
            .where('user_id', '=', userId)
            .limit(1)
        : tokenId === 0
          ? writer.selectFrom('users').select('id').where('id', '=', userId)
          : writer.selectFrom('tokens').select('id').where('id', '=', tokenId).where('user_id', '=', userId);
    return (await found.executeTakeFirst()) !== undefined;
  },
  firstMs: async (owner) => {
    const { rows } = await sql<{ value: number | string | null }>`
      SELECT min(u.hour) AS value FROM usage_hours u WHERE ${chargesOf(owner)}`.execute(reader);
    const moved = await sql<{ value: number | string | null }>`
      SELECT min(created_at) AS value FROM journal WHERE user_id = ${owner.userId}`.execute(reader);
    const hour = rows[0]?.value ?? null;
    const movedAt = isWhole(owner) ? (moved.rows[0]?.value ?? null) : null;
    const times = [
      ...(hour === null ? [] : [Number(hour) * HOUR_MS]),
      ...(movedAt === null ? [] : [Number(movedAt)]),
    ];
    return times.length === 0 ? undefined : Math.min(...times);
  },
  issued: (owner) => issuedIn(reader, owner),
  find: (owner, month) => findIn(reader, owner, month),
  issue: (owner, month, at) =>
    writer.transaction().execute((transaction) => issueIn(transaction, engine, owner, month, at)),
  sums: (filter) => readSums(reader, filter),
});
