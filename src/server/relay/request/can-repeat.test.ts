import { expect, it } from 'vitest';
import { actsNowhere } from './can-repeat.ts';

it.each([
  ['is plain', { messages: [] }],
  ['is kept by default only', { store: false }],
  ['has tools of the caller: by type', { tools: [{ type: 'function', function: { name: 'f' } }] }],
  ['has tools of the caller: by name, as Anthropic has them', { tools: [{ name: 'f', input_schema: {} }] }],
  ['has an empty list of servers', { mcp_servers: [] }],
])('a chat that %s may be made twice', (_, fields) => {
  expect(actsNowhere(fields)).toBe(true);
});

it.each([
  ['is to be kept', { store: true }],
  ['draws', { modalities: ['text', 'image'] }],
  ['reaches servers of others', { mcp_servers: [{ url: 'https://one.example' }] }],
  ['runs code at its upstream', { tools: [{ type: 'code_interpreter' }] }],
  ['has a tool of no known kind', { tools: [{ surprise: {} }] }],
])('a chat that %s is not made twice', (_, fields) => {
  expect(actsNowhere(fields)).toBe(false);
});
