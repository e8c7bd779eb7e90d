import { messageOf } from '../../lib/api-error.ts';
import { type Signal, signal } from '../../lib/signal.ts';
import { chatRequest, type ChatSettings } from './chat-request.ts';
import {
  appended,
  before,
  contextCleared,
  ended,
  extended,
  type Item,
  type Message,
  metered,
  pendingReply,
  type ReplyMeter,
  userMessage,
  without,
} from './conversation.ts';
import { type Exchange, type Exchanges, keepExchange, newExchange } from './exchange.ts';
import { readReplyCost } from './reply-cost.ts';
import { runReply } from './run-reply.ts';

/** A conversation and what can be done with it. One reply at a time. Its functions stay the same for its life. */
export interface Chat {
  readonly items: Signal<readonly Item[]>;
  readonly isRunning: Signal<boolean>;
  /** What went over the wire, of the last replies since the page was opened. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** The one that is looked at, if any. */
  readonly watched: Signal<Exchange | undefined>;
  readonly send: (settings: ChatSettings, text: string, images: readonly string[]) => void;
  /** Ends the running reply with what has arrived. */
  readonly stop: () => void;
  /** Asks again for a reply: it and what follows it give way to a new one. */
  readonly regenerate: (settings: ChatSettings, reply: Message) => void;
  /** A user message in other words: it and what follows it give way, and it is sent. */
  readonly resend: (settings: ChatSettings, message: Message, text: string) => void;
  /** Gives the way back. */
  readonly remove: (item: Item) => () => void;
  readonly clearContext: () => void;
  /** Another conversation in place of this one; gives the way back. */
  readonly replace: (next: readonly Item[]) => () => void;
}

export const startChat = (first: readonly Item[]): Chat => {
  const items = signal(first);
  const isRunning = signal(false);
  const exchanges: Exchanges = new Map();
  const watched = signal<Exchange | undefined>(undefined);
  let running: AbortController | undefined;

  const change = (to: (now: readonly Item[]) => readonly Item[]): void => items.set(to(items.get()));
  const stop = (): void => running?.abort();

  const answer = async (settings: ChatSettings, asked: readonly Item[]): Promise<void> => {
    stop();
    const controller = new AbortController();
    running = controller;
    const reply = pendingReply(settings.model);
    const { id } = reply;
    const measured = (meter: ReplyMeter): void => change((now) => metered(now, id, meter));
    const request = chatRequest(settings, asked);
    const exchange = newExchange(request);
    keepExchange(exchanges, id, exchange);
    items.set([...asked, reply]);
    isRunning.set(true);
    try {
      const meter = await runReply(request, exchange, controller.signal, {
        text: (text, reasoning) => change((now) => appended(now, id, text, reasoning)),
        more: (tools, images) => change((now) => extended(now, id, tools, images)),
        end: (end) => change((now) => ended(now, id, end)),
        meter: measured,
      });
      if (meter.requestId !== undefined) {
        void readReplyCost(meter.requestId).then((quotaUnits) => {
          if (quotaUnits !== undefined) measured({ quotaUnits });
        });
      }
    } catch (error) {
      change((now) => ended(now, id, { status: 'error', error: messageOf(error) }));
    } finally {
      if (running === controller) isRunning.set(false);
    }
  };
  const replace = (next: readonly Item[]): (() => void) => {
    const old = items.get();
    stop();
    items.set(next);
    return () => items.set(old);
  };

  return {
    items,
    isRunning,
    exchanges,
    watched,
    stop,
    replace,
    send: (settings, text, images) => void answer(settings, [...items.get(), userMessage(text, images)]),
    regenerate: (settings, reply) => void answer(settings, before(items.get(), reply.id)),
    resend: (settings, message, text) =>
      void answer(settings, [...before(items.get(), message.id), userMessage(text, message.images)]),
    remove: (item) => {
      const at = items.get().indexOf(item);
      change((now) => without(now, item.id));
      return () => change((now) => now.toSpliced(at, 0, item));
    },
    clearContext: () => change(contextCleared),
  };
};
