import { lookAlike } from '../../testing/openai-like.ts';
import { type OtherPaths, under } from '../../testing/other-paths.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 35,
    name: 'MiniMax',
    reference: 'platform.minimaxi.com/document, text chat; error codes',
    beside: { base_resp: { status_code: 0, status_msg: '' } },
    usage: 'last-piece',
    // Errors come with status 200.
    badKey: {
      status: 200,
      body: { base_resp: { status_code: 1004, status_msg: 'login fail: Please carry the API secret key' } },
    },
    rateLimit: { status: 200, body: { base_resp: { status_code: 1002, status_msg: 'rate limit' } } },
  }),
];

export const otherPaths: OtherPaths = {
  35: under('/v1', 'images'),
};
