import { messageOf } from '../../../lib/server/api-error.ts';
import { type Signal, signal } from '../../../lib/browser/signal.ts';
import { chatRequest, type ChatSettings } from '../wire/chat-request.ts';
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
import { type Exchange, type Exchanges, keepExchange, newExchange } from '../wire/exchange.ts';
import { readReplyCost } from '../messages/reply-cost.ts';
import { runReply } from '../wire/run-reply.ts';

/** A conversation and its actions. One reply at a time. Its functions never change. */
export interface Chat {
  readonly items: Signal<readonly Item[]>;
  readonly isRunning: Signal<boolean>;
  /** The raw exchanges of the last replies since the page was opened. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** The exchange being viewed, if any. */
  readonly watched: Signal<Exchange | undefined>;
  readonly send: (settings: ChatSettings, text: string, images: readonly string[]) => void;
  /** Ends the running reply with what has arrived. */
  readonly stop: () => void;
  /** Requests a reply again: it replaces the reply and everything after it. */
  readonly regenerate: (settings: ChatSettings, reply: Message) => void;
  /** Edits and resends a user message: it replaces the message and everything after it. */
  readonly resend: (settings: ChatSettings, message: Message, text: string) => void;
  /** Returns a function that undoes this. */
  readonly remove: (item: Item) => () => void;
  readonly clearContext: () => void;
  /** Replaces the conversation; returns a function that undoes this. */
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
