import type { Script } from '../script.ts';
import { sendJson, startStream } from '../wire.ts';
import { doneOf, endWithoutUsage, events, usageEvent, USAGE, whole } from './good-parts.ts';

/** A good answer that reports `usages`: one after another in a stream, only the last in a whole answer. */
const reporting = (
  description: string,
  usages: readonly unknown[],
  beside: Partial<Script> = {},
): Script => ({
  description,
  outcome: 'answer',
  ...beside,
  run: (call) => {
    if (!call.stream) return sendJson(call.response, 200, whole(call, usages.at(-1) ?? null));
    startStream(call.response);
    const reports = usages.map((usage) => usageEvent(call, usage)).join('');
    call.response.end(
      events(call).join('') + (reports === '' ? endWithoutUsage(call) : reports) + doneOf(call),
    );
  },
});

/** Upstreams that report wrong usage. */
export const usages: Readonly<Record<string, Script>> = {
  'usage-missing': reporting('never says what was used', []),
  'usage-null': reporting('says null was used', [null]),
  'usage-zero': reporting('says nothing was used', [
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  ]),
  'usage-negative': reporting('says less than nothing was used', [
    { prompt_tokens: -12, completion_tokens: -8_000_000, total_tokens: -20 },
  ]),
  'usage-huge': reporting('says 10^18 tokens were used', [
    { prompt_tokens: 1e18, completion_tokens: 1e18, total_tokens: 2e18 },
  ]),
  'usage-text': reporting('writes its counts as text', [
    { prompt_tokens: '12', completion_tokens: '8', total_tokens: '20' },
  ]),
  'usage-fraction': reporting('counts halves of tokens', [
    { prompt_tokens: 12.5, completion_tokens: 8.25, total_tokens: 20.75 },
  ]),
  'usage-details-lie': reporting('says more came from the cache than was sent', [
    {
      ...USAGE,
      prompt_tokens_details: { cached_tokens: 5000 },
      completion_tokens_details: { reasoning_tokens: 9000 },
    },
  ]),
  'usage-twice': reporting('reports usage twice; the last report is the true one', [
    { ...USAGE, completion_tokens: 3 },
    USAGE,
  ]),
  'usage-each-chunk': {
    description: 'reports usage so far with every event',
    outcome: 'answer',
    streamOnly: true,
    run: (call) => {
      startStream(call.response);
      const counted = events(call).map((text, index) =>
        text.replace(
          '"choices":',
          `"usage":{"prompt_tokens":12,"completion_tokens":${Math.min(index, 8)},"total_tokens":${12 + index}},"choices":`,
        ),
      );
      call.response.end(counted.join('') + endWithoutUsage(call) + doneOf(call));
    },
  },
};
