import { setTimeout as wait } from 'node:timers/promises';
import { containerRefused, type NamedContainer } from '../../dialects/containers.ts';
import type { RelayDeps } from '../ports.ts';
import type { KeptResponses } from './kept-responses.ts';

interface Deps extends Pick<RelayDeps, 'clock'> {
  readonly kept: Pick<KeptResponses, 'holders'>;
}

/** Another node may have seen the container just now and record it a moment later. */
const ASK_AGAIN_AFTER_MS = 200;

/**
 * Throws `invalid_request` unless the containers that a request names are the user's own, that is, an answer to one of
 * the user's calls named them. Containers in earlier calls of an upstream's tools may also be unknown here, because the
 * conversation may have begun elsewhere.
 */
export const assertOwnContainers = async (
  deps: Deps,
  userId: number,
  named: readonly NamedContainer[],
): Promise<void> => {
  const first = await strangeAmong(deps, userId, named);
  if (first === undefined) return;
  if (first.isOfAnother) throw containerRefused(first.param);
  await wait(ASK_AGAIN_AFTER_MS, undefined, { ref: false });
  const strange = await strangeAmong(deps, userId, named);
  if (strange !== undefined) throw containerRefused(strange.param);
};

/** Finds the first container that the user may not name. */
const strangeAmong = async (
  { kept, clock }: Deps,
  userId: number,
  named: readonly NamedContainer[],
): Promise<{ readonly param: string; readonly isOfAnother: boolean } | undefined> => {
  const holders = await kept.holders(
    named.map(({ id }) => id),
    clock.now(),
  );
  for (const { id, param, isSaid } of named) {
    const owners = holders.filter(({ responseId }) => responseId === id);
    if (owners.some((owner) => owner.userId === userId)) continue;
    const isOfAnother = owners.length > 0;
    if (isOfAnother || !isSaid) return { param, isOfAnother };
  }
  return undefined;
};
