import { z } from 'zod';
import type { Database } from '../../src/server/store/database/database.ts';
import { pause } from '../support/program.ts';

/** Background responses that the server has acknowledged: some node must charge each exactly once, at its exact price. */
export interface BackgroundSeen {
  /** Response ids by the request id of the call that created them. */
  readonly background: Map<string, string>;
}

interface Caller {
  readonly url: string;
  readonly key: string;
}

const ENDS_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

const begun = z.object({ id: z.string() });
const ended = z.object({ status: z.string(), usage: z.object({ total_tokens: z.number() }) });

const headersOf = ({ key }: Caller) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

/** Creates a background response, which may finish before, during or after the crash. */
export const backgroundCall = async (
  caller: Caller,
  seen: BackgroundSeen,
  model: string,
  workMs: number,
): Promise<void> => {
  const response = await fetch(`${caller.url}/v1/responses`, {
    method: 'POST',
    signal: AbortSignal.timeout(10_000),
    headers: headersOf(caller),
    body: JSON.stringify({
      model,
      input: 'say it again',
      background: true,
      max_output_tokens: 80,
      metadata: { queued_ms: '5', work_ms: String(workMs) },
    }),
  });
  const id = response.headers.get('x-oneapi-request-id') ?? '';
  const body = begun.safeParse(await response.json());
  if (response.ok && body.success) seen.background.set(id, body.data.id);
};

/** Waits until no acknowledged response has an open hold; then each must be charged its reported usage. */
export const wrongBackground = async (
  database: Database,
  seen: BackgroundSeen,
  caller: Caller,
): Promise<string[]> => {
  const isOver = await endOf(database);
  const wrong = isOver ? [] : ['a response in the background is not charged long after its end'];
  for (const [requestId, responseId] of seen.background) {
    const answer = await fetch(`${caller.url}/v1/responses/${responseId}`, { headers: headersOf(caller) });
    const told = ended.safeParse(await answer.json());
    const hold = await database.reader
      .selectFrom('holds')
      .select(['state', 'settled'])
      .where('id', '=', requestId)
      .executeTakeFirst();
    const price = told.data?.usage.total_tokens;
    if (Number(hold?.settled) !== price || hold?.state !== 'settled')
      wrong.push(`background call ${requestId} costs ${price} and is ${hold?.state} at ${hold?.settled}`);
  }
  return wrong;
};

const endOf = async (database: Database): Promise<boolean> => {
  for (let waited = 0; waited < ENDS_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const open = await database.reader
      .selectFrom('background_responses')
      .select('hold_id')
      .where('response_id', '<>', '')
      .executeTakeFirst();
    if (open === undefined) return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
};
