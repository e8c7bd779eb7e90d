import { coolsUntil, type Health, isCooling } from '#core/channel/health/health.ts';

/** A channel and one of its keys; key 0 is its only one. */
export interface SeatId {
  readonly id: number;
  readonly keyId: number;
}

/** The health of one model at one key, or, under the name '', of the key with all its models. */
export interface HealthNode {
  health: Health;
  /** The number of calls kept away since it began to cool. */
  passed: number;
  /**
   * For a whole key: the model that failed first, and whether another one failed after it without a success in between.
   */
  model: string;
  isOfSeveral: boolean;
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

/** The name under which all models of a key are remembered. */
export const WHOLE = '';

export const isNowCooling = (node: HealthNode | undefined, nowMs: number): boolean =>
  node !== undefined && isCooling(node.health, nowMs, node.passed);

/** @returns whether calls avoid it no longer, not as long as before, or only from now on */
export const setHealth = (node: HealthNode, health: Health, nowMs: number): boolean => {
  const beforeMs = isNowCooling(node, nowMs) ? node.health.coolUntilMs : 0;
  node.health = health;
  const untilMs = isNowCooling(node, nowMs) ? health.coolUntilMs : 0;
  return untilMs < beforeMs || (beforeMs === 0 && untilMs > 0);
};

/** Whether a call is kept away by this node; counts the call if it is. */
export const isKeptAway = (node: HealthNode | undefined, nowMs: number): boolean => {
  if (node === undefined || !isNowCooling(node, nowMs)) return false;
  node.passed += 1;
  return true;
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
    // So many that its trial is brought forward.
    if (!isNowCooling(node, nowMs)) continue;
    untilMs = Math.max(untilMs ?? 0, coolsUntil(node.health, nowMs));
  }
  return untilMs;
};

/** Everything that cools down. `trial`: one call is testing it. */
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

/** Whether, with this one, several models have failed at a whole key, or it is being tried. */
export const isOfSeveral = (node: HealthNode, model: string): boolean => {
  if (node.model === '') node.model = model;
  else if (node.model !== model) node.isOfSeveral = true;
  return node.isOfSeveral || node.health.trial;
};
