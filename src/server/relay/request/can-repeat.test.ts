import { expect, it } from 'vitest';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import type { Continuation, FarRequest } from './request.ts';
import { heldCall } from '../testing/answered-call.ts';
import { hasNoEffects, canRepeat } from './can-repeat.ts';

it.each([
  ['is plain', { messages: [] }],
  ['is kept by default only', { store: false }],
  ['has tools of the caller: by type', { tools: [{ type: 'function', function: { name: 'f' } }] }],
  ['has tools of the caller: by name, as Anthropic has them', { tools: [{ name: 'f', input_schema: {} }] }],
  ['has an empty list of servers', { mcp_servers: [] }],
])('a chat that %s may be made twice', (_, fields) => {
  expect(hasNoEffects(fields)).toBe(true);
});

it.each([
  ['is to be kept', { store: true }],
  ['draws', { modalities: ['text', 'image'] }],
  ['reaches servers of others', { mcp_servers: [{ url: 'https://one.example' }] }],
  ['runs code at its upstream', { tools: [{ type: 'code_interpreter' }] }],
  ['has a tool of no known kind', { tools: [{ surprise: {} }] }],
])('a chat that %s is not made twice', (_, fields) => {
  expect(hasNoEffects(fields)).toBe(false);
});

const goesOn: Continuation = { field: 'previous_response_id', id: 'resp_1', kept: undefined };

it('a call that goes on with what an upstream keeps, or is made in the background, is not made twice', () => {
  expect(canRepeat(heldCall(openaiResponses), undefined)).toBe(true);
  expect(canRepeat(heldCall(openaiResponses), goesOn)).toBe(false);
  const background = heldCall(openaiResponses);
  background.live.background = 'asked';
  expect(canRepeat(background, undefined)).toBe(false);
});

const farRequest = (actsFar: boolean): FarRequest => ({
  word: undefined,
  references: [],
  hasNoEffects: actsFar,
  promptHead: undefined,
  assumed: undefined,
  chatRequest: undefined,
  refusal: () => undefined,
  learn: () => Promise.resolve(false),
  spareTokens: () => Promise.resolve(0),
  bodyFor: () => Promise.reject(new Error('nothing is sent')),
});

it('of a body that another thread has read, that thread has looked at what it asks for', () => {
  const held = heldCall(openaiResponses);
  const far = (actsFar: boolean) => ({
    ...held,
    request: { ...held.request, far: farRequest(actsFar) },
  });
  expect([canRepeat(far(true), undefined), canRepeat(far(false), undefined)]).toEqual([true, false]);
});

it('vectors may be made twice, pictures not', () => {
  const held = heldCall(openaiResponses);
  const calls = (['embeddings', 'images', 'image-edits'] as const).map((operation) => ({
    ...held,
    call: { ...held.call, operation },
  }));
  expect(calls.map((call) => canRepeat(call, undefined))).toEqual([true, false, false]);
});
