import { expect, it } from 'vitest';
import { AppError } from '../../error.ts';
import { testVerdict } from './test-verdict.ts';

const options = {
  AutomaticDisableChannelEnabled: true,
  AutomaticEnableChannelEnabled: true,
  AutomaticDisableKeywords: 'credit',
  ChannelDisableThreshold: 5,
};
const refused = (status: number, message = 'no') =>
  new AppError('upstream_failed', message, { upstream: { status, message } });
const on = { status: 1, autoDisable: true };
const stopped = { status: 3, autoDisable: true };

it.each([
  ['works', on, 5000, undefined, {}, 'none'],
  ['took longer than the threshold', on, 5001, undefined, {}, 'disable-slow'],
  ['is slow, and no threshold is set', on, 60_000, undefined, { ChannelDisableThreshold: 0 }, 'none'],
  ['has a key that is refused', on, 10, refused(401), {}, 'disable'],
  ['says one of the keywords', on, 10, refused(400, 'Your CREDIT is gone'), {}, 'disable'],
  ['is overloaded for a while', on, 10, refused(503), {}, 'none'],
  ['is spared by its own switch', { ...on, autoDisable: false }, 9000, refused(401), {}, 'none'],
  [
    'fails, and nothing is automatic',
    on,
    9000,
    refused(401),
    { AutomaticDisableChannelEnabled: false },
    'none',
  ],
  [
    'is slow, and nothing is automatic',
    on,
    9000,
    undefined,
    { AutomaticDisableChannelEnabled: false },
    'none',
  ],
  ['was stopped and works again', stopped, 10, undefined, {}, 'enable'],
  ['was stopped and is still slow', stopped, 9000, undefined, {}, 'none'],
  ['was stopped and still fails', stopped, 10, refused(401), {}, 'none'],
  [
    'works again, and nothing is automatic',
    stopped,
    10,
    undefined,
    { AutomaticEnableChannelEnabled: false },
    'none',
  ],
  ['was switched off by hand', { ...on, status: 2 }, 10, undefined, {}, 'none'],
])('a channel that %s', (_case, channel, responseTimeMs, error, more, action) => {
  expect(testVerdict(channel, { responseTimeMs, error }, { ...options, ...more }).action).toBe(action);
});
