import { type Signal, signal } from '../../../lib/browser/signal.ts';
import type { ChatSettings } from '../wire/chat-request.ts';
import type { Item } from './conversation.ts';
import { type Chat, startChat } from './start-chat.ts';
import type { StoredTalk } from './talk-store.ts';
import { newId } from '../../../lib/browser/new-id.ts';

/** The most models that answer side by side: more are too narrow to read. */
export const MOST_LANES = 4;

/** One model's side of a conversation. */
export interface Lane {
  readonly id: string;
  /** Empty for the first lane, which has the model of the panel. */
  readonly model: string;
  readonly chat: Chat;
}

/** A conversation with one model, or with several that get the same messages. */
export interface Talk {
  readonly id: string;
  readonly rename: (id: string) => void;
  readonly lanes: Signal<readonly Lane[]>;
  /** Whether any of them is answering. */
  readonly isRunning: Signal<boolean>;
  readonly send: (settings: ChatSettings, text: string, images: readonly string[]) => void;
  readonly stop: () => void;
  readonly clearContext: () => void;
  /** Adds a model, with the conversation of the first one. */
  readonly addLane: (model: string) => void;
  readonly changeModel: (lane: Lane, model: string) => void;
  /** Returns a function that undoes this, or says that the place has been taken. */
  readonly removeLane: (lane: Lane) => () => 'back' | 'full';
  /** Calls the listener after each message, and when a lane is added or removed. Returns a function that stops this. */
  readonly watch: (listener: () => void) => () => void;
  readonly stored: () => StoredTalk;
}

/** The settings of the panel, with the model of the lane. */
export const settingsOf = (lane: Lane, settings: ChatSettings): ChatSettings =>
  lane.model === '' ? settings : { ...settings, model: lane.model };

export const startTalk = ({ id: begun, lanes: stored }: StoredTalk): Talk => {
  let id = begun;
  const listeners = new Set<() => void>();
  const isRunning = signal(false);
  const look = (): void => {
    const isAny = lanes.get().some(({ chat }) => chat.isRunning.get());
    if (isAny !== isRunning.get()) isRunning.set(isAny);
  };
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const laneOf = (model: string, items: readonly Item[]): Lane => {
    const chat = startChat(items);
    chat.isRunning.watch(look);
    chat.items.watch(tell);
    return { id: newId(), model, chat };
  };
  const lanes = signal<readonly Lane[]>(stored.map(({ model, items }) => laneOf(model, items)));
  lanes.watch(look);
  lanes.watch(tell);
  const each = (act: (lane: Lane) => void): void => {
    for (const lane of lanes.get()) act(lane);
  };

  return {
    get id() {
      return id;
    },
    rename: (next) => {
      id = next;
    },
    lanes,
    isRunning,
    send: (settings, text, images) =>
      each((lane) => lane.chat.send(settingsOf(lane, settings), text, images)),
    stop: () => each(({ chat }) => chat.stop()),
    clearContext: () => each(({ chat }) => chat.clearContext()),
    addLane: (model) => {
      const items = lanes.get()[0]?.chat.items.get() ?? [];
      if (lanes.get().length < MOST_LANES) lanes.set([...lanes.get(), laneOf(model, items)]);
    },
    changeModel: (lane, model) =>
      lanes.set(lanes.get().map((one) => (one === lane ? { ...one, model } : one))),
    removeLane: (lane) => {
      const at = lanes.get().indexOf(lane);
      lane.chat.stop();
      lanes.set(lanes.get().filter((one) => one !== lane));
      return () => {
        if (lanes.get().length >= MOST_LANES) return 'full';
        lanes.set(lanes.get().toSpliced(at, 0, lane));
        return 'back';
      };
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stored: () => ({
      id,
      lanes: lanes.get().map(({ model, chat }) => ({ model, items: chat.items.get() })),
    }),
  };
};
