import { coolsUntil, countsFor, type Health, isCooling, isDoubtful } from '#core/channel/health/health.ts';
import type { RelayOperation } from '#core/operation.ts';

/** A channel and one of its keys; key 0 is its only one. */
export interface SeatId {
  readonly id: number;
  readonly keyId: number;
  /** The models of its channel. */
  readonly models?: readonly string[];
}

/** The health of one model at one key, or, under the name '', of the key with all its models. */
export interface HealthNode {
  health: Health;
  /** The number of calls kept away since the cooldown began. */
  passed: number;
  /** The first few models, and the first few keys, that have failed there since the last answer. */
  models: readonly string[];
  keyIds: readonly number[];
}

/** Something that cools down, and for how long. */
export interface Cooling {
  readonly channelId: number;
  readonly keyId: number;
  /** Empty for all models. */
  readonly model: string;
  /** Milliseconds until its trial; 0 or less if the next call is the trial. */
  readonly leftMs: number;
  readonly trial: boolean;
}

export type HealthNodes = Map<string, HealthNode>;

/** The name under which the health of a key with all its models is stored. */
export const WHOLE = '';

/** Whether calls of this user (0: of any user) avoid the node. */
export const isNowCooling = (node: HealthNode | undefined, nowMs: number, userId = 0): boolean =>
  node !== undefined && countsFor(node.health, userId) && isCooling(node.health, nowMs, node.passed);

export const isNowDoubtful = (node: HealthNode | undefined, nowMs: number): boolean =>
  node !== undefined && isDoubtful(node.health, nowMs);

/** Whether the node has failed a user's calls more than once since its last answer, or has cooled down for that. */
export const isNowFailing = (node: HealthNode | undefined, nowMs: number, userId: number): boolean =>
  node !== undefined && countsFor(node.health, userId) && isDoubtful(node.health, nowMs, 2);

/**
 * Sets the health.
 * @returns whether calls avoid the node from now on, no longer avoid it, or avoid it for a shorter time
 */
export const setHealth = (node: HealthNode, health: Health, nowMs: number): boolean => {
  const beforeMs = isNowCooling(node, nowMs) ? node.health.coolUntilMs : 0;
  node.health = health;
  const untilMs = isNowCooling(node, nowMs) ? health.coolUntilMs : 0;
  return untilMs < beforeMs || (beforeMs === 0 && untilMs > 0);
};

/** Whether this node keeps a call away. If so, counts the call. */
export const isKeptAway = (node: HealthNode | undefined, nowMs: number, userId: number): boolean => {
  if (node === undefined || !isNowCooling(node, nowMs, userId)) return false;
  node.passed += 1;
  return true;
};

type IsAvoided = (node: HealthNode | undefined, nowMs: number, userId: number) => boolean;
interface AvoidedBy {
  readonly nowMs: number;
  readonly userId: number;
}

/** Whether the model, or every model, is avoided there. Runs for hundreds of keys per call. */
const isAvoidedIn = (
  models: HealthNodes | undefined,
  model: string,
  isAvoided: IsAvoided,
  { nowMs, userId }: AvoidedBy,
): boolean => {
  if (models === undefined) return false;
  const isWholeKept = isAvoided(models.get(WHOLE), nowMs, userId);
  return isAvoided(models.get(model), nowMs, userId) || isWholeKept;
};

/** Whether the model is avoided at that key of a channel (for key 0, at the channel). */
export const isAvoidedAt = (
  keys: ReadonlyMap<number, HealthNodes> | undefined,
  keyId: number,
  model: string,
  isAvoided: IsAvoided,
  by: AvoidedBy,
): boolean => {
  if (keys === undefined) return false;
  // Both levels are asked, because each counts the calls it keeps away.
  const isChannelAvoided = isAvoidedIn(keys.get(0), model, isAvoided, by);
  if (keyId === 0) return isChannelAvoided;
  return isAvoidedIn(keys.get(keyId), model, isAvoided, by) || isChannelAvoided;
};

/**
 * Until when a model surely cools at a key, if nothing new happens; undefined if it does not cool. Adds `passed` to the
 * calls kept away.
 */
export const keptAway = (
  nodes: HealthNodes | undefined,
  model: string,
  nowMs: number,
  passed: number,
): number | undefined => {
  let untilMs: number | undefined;
  for (const node of [nodes?.get(WHOLE), nodes?.get(model)]) {
    if (node === undefined || !isNowCooling(node, nowMs)) continue;
    node.passed += passed;
    // The counted calls have brought the trial forward, so it no longer cools.
    if (!isNowCooling(node, nowMs)) continue;
    untilMs = Math.max(untilMs ?? 0, coolsUntil(node.health, nowMs));
  }
  return untilMs;
};

/** Everything that cools down. With `trial`, one call is testing it. */
export function* coolingIn(
  channels: ReadonlyMap<number, ReadonlyMap<number, HealthNodes>>,
  nowMs: number,
): Generator<Cooling> {
  for (const [channelId, keys] of channels)
    for (const [keyId, models] of keys)
      for (const [model, { health }] of models)
        if (health.coolUntilMs > 0)
          yield { channelId, keyId, model, leftMs: health.coolUntilMs - nowMs, trial: health.trial };
}

/** If this many models of a key or channel have failed, its other models, which may work, are avoided too. */
const MODELS_OF_WHOLE = 4;
/** If this many keys of a channel have failed, its other keys are avoided too. */
const KEYS_OF_ALL = 2;

const withOne = <Name>(names: readonly Name[], name: Name, most: number): readonly Name[] =>
  names.length >= most || names.includes(name) ? names : [...names, name];

/** Notes that a model failed at the seat. */
export const noteFailed = (node: HealthNode, { keyId }: SeatId, model: string): void => {
  node.models = withOne(node.models, model, MODELS_OF_WHOLE);
  node.keyIds = withOne(node.keyIds, keyId, KEYS_OF_ALL);
};

/** Notes that a call was answered at the node. */
export const noteAnswered = (node: HealthNode): void => {
  node.models = [];
  node.keyIds = [];
};

/**
 * Whether enough has failed to avoid everything that the node stands for: several models (all, if the channel has few),
 * and several keys.
 */
export const speaksForAll = ({ health, models, keyIds }: HealthNode, seat: SeatId, of: Part): boolean => {
  if (health.trial) return true;
  const leastModels = Math.min(MODELS_OF_WHOLE, Math.max(2, seat.models?.length ?? MODELS_OF_WHOLE));
  return (
    (of.model !== WHOLE || models.length >= leastModels) &&
    (of.keyId === seat.keyId || keyIds.length >= KEYS_OF_ALL)
  );
};

/**
 * The name under which the health of a model is stored for one kind of call, because an upstream may answer one kind
 * and fail at another.
 */
export const healthName = (model: string, operation: RelayOperation = 'chat'): string =>
  operation === 'chat' ? model : `${model}\n${operation}`;

/** The model of a name under which health is stored. */
export const modelNamed = (name: string): string => name.split('\n', 1)[0] ?? name;

/** A part of a channel that has health: key 0 stands for any key, the model `WHOLE` for all models. */
export interface Part {
  readonly keyId: number;
  readonly model: string;
}

/** What distinguishes the failures of a part: their models, their keys, or both. */
export const originOf = ({ keyId }: SeatId, model: string, of: Part): readonly string[] | undefined => {
  const names = [...(of.model === WHOLE ? [model] : []), ...(of.keyId === keyId ? [] : [String(keyId)])];
  return names.length === 0 ? undefined : names;
};
