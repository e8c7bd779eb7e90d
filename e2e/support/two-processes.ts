import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { hasRedis } from '../../src/server/limits/testing/redis-server.ts';
import { makeToken } from './operator.ts';
import { startTwoNodes, type TwoNodes } from './two-nodes.ts';
import { startWatchedUpstream, useChannels, type WatchedUpstream } from './upstreams/watched-upstream.ts';

/** Two nodes in front of one upstream; set once tests run. */
export interface TwoProcesses {
  readonly site: TwoNodes;
  readonly upstream: WatchedUpstream;
  readonly channels: ReturnType<typeof useChannels>;
}

/** Runs tests on two nodes with these options, once for each carrier of news, each with a new site. */
export const describeTwoProcesses = (
  options: Readonly<Record<string, unknown>>,
  tests: (on: TwoProcesses) => void,
): void => {
  for (const newsBy of ['PostgreSQL', 'Redis'] as const) {
    const needs = newsBy === 'Redis' ? ' (needs redis-server)' : '';
    describe.skipIf(newsBy === 'Redis' && !hasRedis)(`two processes that hear by ${newsBy}${needs}`, () => {
      let site: TwoNodes;
      let upstream: WatchedUpstream;
      let channels: ReturnType<typeof useChannels>;
      beforeAll(async () => {
        [upstream, site] = await Promise.all([startWatchedUpstream(), startTwoNodes(newsBy)]);
        await site.set(options);
        channels = useChannels(site, upstream, (await makeToken(site.root)).key);
      });
      afterAll(async () => {
        await site.stop();
        upstream.close();
      });
      beforeEach(() => {
        upstream.rule.behaviour = () => undefined;
      });
      tests({
        get site() {
          return site;
        },
        get upstream() {
          return upstream;
        },
        get channels() {
          return channels;
        },
      });
    });
  }
};
