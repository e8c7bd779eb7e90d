// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { readCallFacts } from './call-facts.ts';
import type { LogEntry } from './log-query.ts';
import { UsageDetail } from './usage-detail.tsx';

const usage = { inputTokens: 20, audioInputTokens: 100, outputTokens: 5 };
const noticesOf = (other: object): readonly (string | null)[] => {
  const facts = readCallFacts(JSON.stringify({ usage, ...other }));
  const { container } = render(<UsageDetail facts={facts} entry={{} as LogEntry} />);
  return [...container.querySelectorAll('.notice')].map(({ textContent }) => textContent);
};

it('only admins see which sound and pictures were charged as text', () => {
  const notices = noticesOf({ admin_info: { sold_as_text: ['audioInputTokens', 'imageOutputTokens'] } });
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain('detail.soldAsText');
  expect(noticesOf({})).toEqual([]);
});
