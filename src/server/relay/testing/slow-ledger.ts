import { expect } from 'vitest';
import type { Usage } from '#core/chat/usage.ts';
import { AppError } from '#core/error.ts';
import type { MessageSocket } from '#core/outbound/message-socket.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { openaiRealtime } from '../../dialects/openai-realtime/openai-realtime.ts';
import { maskingOf } from '../answer/mask.ts';
import { Context } from '../realtime/context.ts';
import { Conversation } from '../realtime/conversation.ts';
import type { ConversationDeps } from '../realtime/conversation-deps.ts';
import type { Held } from '../stages.ts';
import { heldCall } from './answered-call.ts';

/** A conversation whose ledger is slow: it opens and closes holds only when told to. */

/** The hold of the first turn, and of one after an answer of `USED` at `LATER`. */
export const FIRST = 8192;
export const USED = { total_tokens: 300, input_tokens: 200, output_tokens: 100 };
export const USED_UNITS = 300;

const socketTo = () => {
  const sent: { type?: string; error?: { code?: string } }[] = [];
  const closed: number[] = [];
  let isPaused = false;
  const socket: MessageSocket = {
    waitingBytes: 0,
    get isPaused() {
      return isPaused;
    },
    onMessage: undefined,
    onSent: undefined,
    onClose: undefined,
    onPong: undefined,
    send: (data) => void sent.push(JSON.parse(data.toString()) as object),
    pause: () => void (isPaused = true),
    resume: () => void (isPaused = false),
    close: (code) => void closed.push(code),
    cut: () => undefined,
    ping: () => undefined,
  };
  const says = (...messages: object[]): void => {
    for (const message of messages) socket.onMessage?.(Buffer.from(JSON.stringify(message)), false);
  };
  return { socket, sent, closed, says, isPaused: () => isPaused, types: () => sent.map(({ type }) => type) };
};

const sumOf = (usage: Usage): number =>
  usage.inputTokens + usage.audioInputTokens + usage.outputTokens + usage.audioOutputTokens;

/** A ledger with one account and a price of one unit a token. While it is busy, requests to it stay open. */
const createLedger = (balance: number) => {
  const open = new Map<Held, number>();
  let left = balance;
  let free: (() => void) | undefined;
  let ready: Promise<void> = Promise.resolve();
  const charged: number[] = [];
  const saved: number[] = [];
  const ledger = {
    open,
    charged,
    saved,
    left: () => left,
    busy: () => void (ready = new Promise((resolve) => (free = resolve))),
    async done() {
      free?.();
      ready = Promise.resolve();
      await settled();
    },
    async next(_: Held | undefined, worst: Usage): Promise<Held> {
      await ready;
      const units = sumOf(worst);
      if (units > left) throw new AppError('insufficient_quota', 'short', { reason: 'user_short' });
      const turn = heldCall(openaiRealtime);
      left -= units;
      open.set(turn, units);
      return turn;
    },
    async grow(turn: Held, worst: Usage): Promise<void> {
      await ready;
      const more = sumOf(worst) - (open.get(turn) ?? 0);
      if (more > left) throw new AppError('insufficient_quota', 'short', { reason: 'user_short' });
      left -= more;
      open.set(turn, sumOf(worst));
    },
    async settle(turn: Held): Promise<void> {
      await ready;
      const held = open.get(turn);
      if (held === undefined) return;
      open.delete(turn);
      const { produced, reported } = turn.live.meter;
      const units = produced && reported !== undefined ? sumOf(reported) : 0;
      if (units > 0) charged.push(units);
      left += held - units;
    },
  };
  return ledger;
};

/** Resolves once everything that does not need the ledger has run. */
export const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

interface Change {
  readonly charge?: ConversationDeps['charge'];
  readonly isOutdated?: (turn: Held) => boolean;
}

export const converse = async (balance: number, change: Change = {}) => {
  const [caller, upstream] = [socketTo(), socketTo()];
  const ledger = createLedger(balance);
  const context = new Context();
  const first = await ledger.next(undefined, context.worst());
  const conversation = new Conversation(
    {
      masking: maskingOf(new Secrets([])),
      settle: ledger.settle,
      next: ledger.next,
      grow: ledger.grow,
      charge: change.charge ?? (async () => true),
      isOutdated: change.isOutdated ?? (() => false),
      save: (_, used) => void ledger.saved.push(sumOf(used)),
      check: (_, said) => said,
      writeError: ({ reason, code }) => ({ type: 'error', error: { code: reason ?? code } }),
    },
    caller.socket,
    upstream.socket,
    context,
    first,
  );
  return { caller, upstream, ledger, conversation };
};

export const ASK = { type: 'response.create' };
export const BEGUN = { type: 'response.created', response: { id: 'r' } };
export const DONE = { type: 'response.done', response: { id: 'r', usage: USED } };
export const REFUSED = { type: 'error', error: { code: 'conversation_already_has_active_response' } };
export const PIECE = { type: 'response.output_text.delta', delta: 'la '.repeat(400) };

export const endConversation = async ({
  caller,
  ledger,
  conversation,
}: Awaited<ReturnType<typeof converse>>) => {
  caller.socket.onClose?.(1000, '');
  await conversation.ended;
  expect(ledger.open.size).toBe(0);
};
