import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Statement, statement as statementShape } from '#contract/api/statements.ts';
import { logType } from '#contract/codes.ts';
import type { IssuedStatement, StatementOwner, StatementStore } from '#core/wallet/statement-store.ts';
import {
  makeStatement,
  monthAfter,
  type MonthSpan,
  monthSpan,
  type UsedSum,
} from '#core/wallet/statement.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { HOUR_MS } from '../logs/usage-sums.ts';

type Reader = Kysely<Schema>;

interface Row {
  readonly sha256: string;
  readonly document: string;
}

const issuedOf = ({ sha256, document }: Row): IssuedStatement => ({
  statement: statementShape.parse(JSON.parse(document)),
  sha256,
});

const chargesOf = ({ userId, tokenId }: StatementOwner) =>
  tokenId === 0
    ? sql`type = ${logType.consume} AND user_id = ${userId}`
    : sql`type = ${logType.consume} AND user_id = ${userId} AND token_id = ${tokenId}`;

const numberOf = async (
  from: Reader,
  query: ReturnType<typeof sql<{ value: number | string | null }>>,
): Promise<number> => Number((await query.execute(from)).rows[0]?.value ?? 0);

const usedIn = async (
  from: Reader,
  owner: StatementOwner,
  { fromMs, toMs }: MonthSpan,
): Promise<UsedSum[]> => {
  type Sums = Readonly<Record<'token' | 'calls' | 'prompt' | 'completion' | 'quota', number | string>>;
  const { rows } = await sql<Sums & { model: string | null; token_name: string | null }>`
    SELECT u.token_id AS token, t.name AS token_name, n.name AS model, u.calls, u.prompt, u.completion, u.quota
    FROM (
      SELECT token_id, model_id, sum(calls) AS calls, sum(prompt_tokens) AS prompt,
        sum(completion_tokens) AS completion, sum(quota) AS quota
      FROM usage_hours WHERE ${chargesOf(owner)} AND hour >= ${fromMs / HOUR_MS} AND hour < ${toMs / HOUR_MS}
      GROUP BY token_id, model_id
    ) u
    LEFT JOIN tokens t ON t.id = u.token_id LEFT JOIN names n ON n.id = u.model_id
    ORDER BY u.token_id, n.name`.execute(from);
  return rows.map((row) => ({
    tokenId: Number(row.token),
    tokenName: row.token_name ?? '',
    model: row.model ?? '',
    calls: Number(row.calls),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    units: Number(row.quota),
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

/** What is charged now less what came at that time or later: the whole past need not be read. */
const chargedUntil = async (from: Reader, owner: StatementOwner, atMs: number, usedUnits: number) =>
  usedUnits -
  (await numberOf(
    from,
    sql`SELECT sum(quota) AS value FROM usage_hours WHERE ${chargesOf(owner)} AND hour >= ${atMs / HOUR_MS}`,
  ));

const movedUntil = (from: Reader, { userId, tokenId }: StatementOwner, atMs: number): Promise<number> =>
  tokenId === 0
    ? numberOf(
        from,
        sql`SELECT sum(delta) AS value FROM journal WHERE user_id = ${userId} AND created_at < ${atMs}`,
      )
    : Promise.resolve(0);

const findIn = async (from: Reader, { userId, tokenId }: StatementOwner, month: string) => {
  const row = await from
    .selectFrom('statements')
    .select(['sha256', 'document'])
    .where('user_id', '=', userId)
    .where('token_id', '=', tokenId)
    .where('month', '=', month)
    .executeTakeFirst();
  return row && issuedOf(row);
};

/**
 * The account and what it has used. On PostgreSQL its row is locked: whatever charges or moves waits, so all that is read
 * after is of one moment.
 */
const lockAccount = async (from: Reader, engine: Database['engine'], { userId, tokenId }: StatementOwner) => {
  const lock = engine === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``;
  const user = await sql<{ name: string; used: number }>`
    SELECT username AS name, used_quota AS used FROM users WHERE id = ${userId} ${lock}`.execute(from);
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
  nowMs: number,
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
    prior,
    used: await usedIn(from, owner, span),
    usedBefore: prior === undefined ? [] : await usedIn(from, owner, monthSpan(before)),
    movements: owner.tokenId === 0 ? await movementsIn(from, owner.userId, span) : [],
    movedUnits: await movedUntil(from, owner, span.toMs),
    movedBeforeUnits: await movedUntil(from, owner, span.fromMs),
    chargedUnits: await chargedUntil(from, owner, span.toMs, Number(account.used)),
    chargedBeforeUnits: await chargedUntil(from, owner, span.fromMs, Number(account.used)),
  });
  const document = JSON.stringify(statementShape.parse(statement));
  const sha256 = createHash('sha256').update(document).digest('hex');
  const { userId: user_id, tokenId: token_id } = owner;
  await from
    .insertInto('statements')
    .values({ user_id, token_id, month, issued_at: nowMs, sha256, document })
    .execute();
  return issuedOf({ sha256, document });
};

/** Statements in the database. */
export const createStatementStore = ({ reader, writer, engine }: Database): StatementStore => ({
  exists: async ({ userId, tokenId }) => {
    const found =
      tokenId === 0
        ? writer.selectFrom('users').select('id').where('id', '=', userId)
        : writer.selectFrom('tokens').select('id').where('id', '=', tokenId).where('user_id', '=', userId);
    return (await found.executeTakeFirst()) !== undefined;
  },
  firstMs: async (owner) => {
    const { rows } = await sql<{ value: number | string | null }>`
      SELECT min(hour) AS value FROM usage_hours WHERE ${chargesOf(owner)}`.execute(reader);
    const moved = await sql<{ value: number | string | null }>`
      SELECT min(created_at) AS value FROM journal WHERE user_id = ${owner.userId}`.execute(reader);
    const hour = rows[0]?.value ?? null;
    const movedAt = owner.tokenId === 0 ? (moved.rows[0]?.value ?? null) : null;
    const times = [
      ...(hour === null ? [] : [Number(hour) * HOUR_MS]),
      ...(movedAt === null ? [] : [Number(movedAt)]),
    ];
    return times.length === 0 ? undefined : Math.min(...times);
  },
  issued: async ({ userId, tokenId }) => {
    const rows = await reader
      .selectFrom('statements')
      .select(['sha256', 'document'])
      .where('user_id', '=', userId)
      .where('token_id', '=', tokenId)
      .orderBy('month')
      .execute();
    return rows.map(issuedOf);
  },
  find: (owner, month) => findIn(reader, owner, month),
  issue: (owner, month, nowMs) =>
    writer.transaction().execute((transaction) => issueIn(transaction, engine, owner, month, nowMs)),
});
