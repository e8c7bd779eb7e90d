import { setTimeout as wait } from 'node:timers/promises';
import { containerRefused, type NamedContainer } from '../../dialects/containers.ts';
import type { RelayDeps } from '../ports.ts';
import type { KeptResponses } from './kept-responses.ts';

interface Deps extends Pick<RelayDeps, 'clock'> {
  readonly kept: Pick<KeptResponses, 'holders'>;
}

/** Another node may have told of it just now, and write it a moment later. */
const ASK_AGAIN_AFTER_MS = 200;

/**
 * Throws `invalid_request` unless the containers that a request names are the user's own: an answer to a call of theirs told of
 * them. Those in earlier calls of an upstream's tools may also be nobody's here, in a conversation that began elsewhere.
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

/** The first container that the user may not name. */
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
