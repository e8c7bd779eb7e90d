import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { addressOf, hangUp, listening } from '../../src/server/outbound/testing/local-server.ts';
import type { OptionValues } from '../../src/contract/options.ts';
import { chat, type Rig, type RigChannel } from './rig.ts';

/** Helpers for tests of late first tokens: options, rows as admins see them, upstreams controlled by the test. */

export const DEADLINE_MS = 300;
export const haste = (more: object = {}): Partial<OptionValues> => ({
  'upstream_setting.first_token': { m: { deadline_ms: DEADLINE_MS, ...more } },
});
export const hedged = (percent = 100): Partial<OptionValues> => ({
  ...haste({ hedge: true }),
  'upstream_setting.hedge_percent': percent,
});
/** The priority of a channel that is asked first. */
export const FIRST: Partial<RigChannel> = { priority: 9 };

interface Attempt {
  readonly channel: number;
  readonly status: number;
  readonly ms: number;
  readonly at: number;
  readonly connect?: number;
  readonly head?: number;
  readonly race?: string;
  readonly error?: string;
}
interface AdminInfo {
  readonly attempts: readonly Attempt[];
  readonly retries_refused?: boolean;
  readonly stages: { readonly read: number; readonly hold: number; readonly last?: number };
}

const infoOf = (other: string): AdminInfo =>
  (JSON.parse(other) as { readonly admin_info: AdminInfo }).admin_info;

/** Waits for the rows of this many calls, all settled. */
export const rowsOf = async (gateway: Rig, count = 1) => {
  await expect.poll(async () => (await gateway.logs()).length).toBe(count);
  await expect.poll(gateway.openHolds).toBe(0);
  return (await gateway.logs()).map((row) => ({ ...row, info: infoOf(row.other) }));
};
export const lastRow = async (gateway: Rig) => {
  const row = (await rowsOf(gateway)).at(-1);
  if (row === undefined) throw new Error('no row');
  return row;
};
/** The only row so far, while other calls still run. */
export const firstInfo = async (gateway: Rig): Promise<AdminInfo> => {
  await expect.poll(async () => (await gateway.logs()).length).toBe(1);
  return infoOf((await gateway.logs())[0]?.other ?? '{}');
};

export const streamed = (gateway: Rig, body: object = {}): Promise<Response> =>
  chat(gateway, { stream: true, ...body });

/** An upstream that the test controls by body. Closed after the test. */
export const ownUpstream = async (
  answer: (body: string, response: ServerResponse) => void | Promise<void>,
): Promise<string> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => void answer(text, response));
  });
  onTestFinished(() => {
    hangUp(server);
  });
  await listening(server);
  return addressOf(server);
};
