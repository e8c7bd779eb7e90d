import { type Health, isCooling } from '#core/channel/health.ts';

/** A channel and which of its keys; 0 is its only one. */
export interface SeatId {
  readonly id: number;
  readonly keyId: number;
}

/** What is remembered of one model at one key, or under the name '' of the key with all its models. */
export interface HealthNode {
  health: Health;
  /** How often calls have been kept away since it began to cool. */
  passed: number;
  /** Of a whole key: the model that failed first, and whether another failed after it with no success in between. */
  model: string;
  isOfSeveral: boolean;
}

export type HealthNodes = Map<string, HealthNode>;

/** The name under which all models of a key are remembered. */
export const WHOLE = '';

export const isNowCooling = (node: HealthNode | undefined, nowMs: number): boolean =>
  node !== undefined && isCooling(node.health, nowMs, node.passed);

/** The same for a call that is kept away by it, which is counted. */
export const isKeptAway = (node: HealthNode | undefined, nowMs: number): boolean => {
  if (node === undefined || !isNowCooling(node, nowMs)) return false;
  node.passed += 1;
  return true;
};

/** Until when a model cools at a key, undefined if it does not; so many more calls were kept away from it. */
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
    untilMs = Math.max(untilMs ?? 0, node.health.coolUntilMs);
  }
  return untilMs;
};
