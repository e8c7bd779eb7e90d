import { z } from 'zod';
import type { OptionValues } from '#contract/options.ts';
import type { Log } from '#core/logging.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import { refuse } from '../refuse.ts';
import { fetchBody } from '../channels/checks/read-reply.ts';

export interface UpdateCheckDeps {
  readonly options: () => Pick<OptionValues, 'UpdateCheckUrl'>;
  readonly sender: Pick<Sender, 'send'>;
  readonly log: Log;
}

/** The newest release, and whether it is newer than this server. */
export interface Release {
  readonly latest: string;
  readonly isNewer: boolean;
  readonly notes: string;
  readonly url: string;
}

/** A release as code hosts return it; in a list the newest is first. */
const release = z.looseObject({
  tag_name: z.string().max(200).optional(),
  version: z.string().max(200).optional(),
  name: z.string().max(200).nullish(),
  body: z.string().max(100_000).nullish(),
  html_url: z.string().max(2048).optional(),
});
const answer = z.union([release, z.tuple([release], z.unknown()).transform(([first]) => first)]);

const TIMEOUT_MS = 10_000;

/** Fetches the latest release from the configured address. Throws `update_unset` or `update_failed`. */
export const createUpdateCheck =
  ({ options, sender, log }: UpdateCheckDeps) =>
  async (current: string): Promise<Release> => {
    const url = options().UpdateCheckUrl;
    if (url === '') throw refuse('update_unset');
    try {
      const release = answer.parse(await fetchBody(sender, url, TIMEOUT_MS));
      const latest = release.tag_name ?? release.version ?? release.name ?? '';
      if (latest === '') throw new Error('it names no version');
      const page = release.html_url ?? '';
      return {
        latest,
        isNewer: isNewer(latest, current),
        notes: release.body ?? '',
        url: /^https?:\/\//i.test(page) ? page : '',
      };
    } catch (cause) {
      log.warn('the update check failed', { cause: cause instanceof Error ? cause.message : String(cause) });
      throw refuse('update_failed');
    }
  };

/** The numbers of a version, and what makes it one before the release: `-rc.1`. A build (`+7`) makes it no other version. */
const parts = (version: string): readonly [number[], string[]] => {
  const [, release = '', before = ''] = /(\d[\d.]*)([^+]*)/.exec(version) ?? [];
  return [release.split('.').map(Number), before.match(/\d+|[a-z]+/gi) ?? []];
};

/** Numbers by size, after them words by the alphabet. */
const order = (left: string, right: string): number =>
  Number(left) - Number(right) || (left < right ? -1 : Number(left > right));

/** Compares two versions from the left: `v1.10.0` is newer than `1.9`, and than `1.10.0-rc.1`. */
export const isNewer = (latest: string, current: string): boolean => {
  const [[left, leftBefore], [right, rightBefore]] = [parts(latest), parts(current)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  if (leftBefore.length === 0 || rightBefore.length === 0) return leftBefore.length < rightBefore.length;
  for (const [at, one] of leftBefore.entries()) {
    const difference = order(one, rightBefore[at] ?? '');
    if (difference !== 0) return difference > 0;
  }
  return false;
};
