import { setTimeout as pause } from 'node:timers/promises';
import type { Operator } from '../e2e/support/operator.ts';

/** Calls at one or several nodes while the operator edits channels, and by which edit each call went. */

/** The model of the channel whose mapping is edited; its upstream answers with the name it was asked by. */
export const MARKED_MODEL = 'marked';
/** Every so many edits the mapping changes; the others change how and what ordinary channels serve. */
const MARK_EVERY = 5;
/** Every so many calls ask for the marked model. */
const ASK_MARKED_EVERY = 3;

export interface Edited {
  /** Calls of ordinary models, milliseconds, by node. */
  readonly calls: readonly number[][];
  /** Until an edit counted at the node where it was made. */
  readonly edits: readonly number[];
  /** How long after an edit counted a call still began by what was before; none if no call did. By node. */
  readonly staleMs: readonly number[][];
  readonly failed: readonly string[];
}

interface Load {
  /** Sends a call to a node and returns what the upstream was asked for. Throws if it fails. */
  readonly call: (node: number, model: string) => Promise<string>;
  readonly nodes: number;
  readonly models: readonly string[];
  readonly callsPerSecond: number;
  readonly seconds: number;
  /** None edits. */
  readonly editing?: {
    readonly perSecond: number;
    readonly operator: Operator;
    /** Ordinary channels, and the marked one. */
    readonly channelIds: readonly number[];
    readonly markedId: number;
  };
}

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const beganMs = performance.now();
  await act();
  return performance.now() - beganMs;
};

/** What an edit changes: in turn the weight, the priority, the status and the list of models. */
const editOf = (at: number, channelIds: readonly number[], models: readonly string[]): object => {
  const id = channelIds[at % channelIds.length];
  const turn = Math.floor(at / channelIds.length);
  const even = turn % 2 === 0;
  const edits: readonly [object, ...object[]] = [
    { id, weight: 1 + (at % 5) },
    { id, priority: at % 10 },
    { id, status: even ? 2 : 1 },
    { id, models: (even ? models.slice(0, -1) : models).join(',') },
  ];
  return edits[at % edits.length] ?? edits[0];
};

export const callWhileEdited = async (load: Load): Promise<Edited> => {
  const { nodes, models, callsPerSecond, seconds, editing } = load;
  const perNode = (): number[][] => Array.from({ length: nodes }, () => []);
  const [calls, staleMs, edits, failed] = [perNode(), perNode(), [] as number[], [] as string[]];
  /** When each version of the mapping counted. */
  const countedAtMs: number[] = [];
  const begun: Promise<unknown>[] = [];
  const endMs = performance.now() + seconds * 1000;
  const every = async (perSecond: number, act: (at: number) => Promise<void>): Promise<void> => {
    const beganMs = performance.now();
    for (let at = 0; performance.now() < endMs; at += 1) {
      begun.push(act(at).catch((thrown) => void failed.push(String(thrown))));
      await pause(Math.max(0, beganMs + ((at + 1) * 1000) / perSecond - performance.now()));
    }
  };
  const ask = async (at: number): Promise<void> => {
    const node = Math.floor(at / ASK_MARKED_EVERY) % nodes;
    if (editing === undefined || at % ASK_MARKED_EVERY !== 0) {
      calls[at % nodes]?.push(await timed(() => load.call(at % nodes, models[at % models.length] ?? '')));
      return;
    }
    const beganMs = performance.now();
    const version = Number((await load.call(node, MARKED_MODEL)).replace('version-', ''));
    const nextAtMs = countedAtMs[version + 1] ?? Infinity;
    if (nextAtMs < beganMs) staleMs[node]?.push(beganMs - nextAtMs);
  };
  let version = 0;
  const edit = async (at: number): Promise<void> => {
    if (editing === undefined) return;
    const isMark = at % MARK_EVERY === 0;
    const next = isMark ? (version += 1) : 0;
    const mapping = JSON.stringify({ [MARKED_MODEL]: `version-${next}` });
    const body = isMark
      ? { id: editing.markedId, model_mapping: mapping }
      : editOf(at, editing.channelIds, models);
    edits.push(await timed(() => editing.operator.call('/api/channel', { method: 'PUT', body })));
    if (isMark) countedAtMs[next] = performance.now();
  };
  await Promise.all([
    every(callsPerSecond, ask),
    ...(editing === undefined ? [] : [every(editing.perSecond, edit)]),
  ]);
  await Promise.all(begun);
  return { calls, edits, staleMs, failed };
};
