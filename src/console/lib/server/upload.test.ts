import { afterEach, expect, it, vi } from 'vitest';
import { uploading } from './upload.ts';

/** The browser's request, which sends half a body and then as the test says. */
class SlowRequest extends EventTarget {
  static last: SlowRequest;
  readonly upload = new EventTarget();
  readonly sent: string[] = [];
  readonly status = 409;
  readonly response = '{"success":false}';
  open = (...words: readonly string[]): void => void this.sent.push(...words);
  setRequestHeader = (name: string, value: string): void => void this.sent.push(`${name}: ${value}`);
  getAllResponseHeaders = (): string => 'x-request-id: a:b\r\ncontent-type: application/json\r\n';
  abort = (): void => void this.dispatchEvent(new Event('abort'));
  send = (): void => {
    SlowRequest.last = this;
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 3, total: 6 }));
  };
}

afterEach(() => void vi.unstubAllGlobals());

const begin = (signal?: AbortSignal) => {
  vi.stubGlobal('XMLHttpRequest', SlowRequest);
  const parts: number[] = [];
  const send = uploading((part) => parts.push(part));
  const init = {
    method: 'POST',
    headers: { 'X-One': '1' },
    body: new Blob(['abcdef']),
    signal: signal ?? null,
  };
  return { parts, answer: send('/api/file', init) };
};

it('tells which part of a file has left, and answers as fetch does', async () => {
  const { parts, answer } = begin();
  expect(parts).toEqual([0.5]);
  expect(SlowRequest.last.sent).toEqual(['POST', '/api/file', 'x-one: 1']);
  SlowRequest.last.dispatchEvent(new Event('load'));
  const response = await answer;
  expect([response.status, response.headers.get('x-request-id')]).toEqual([409, 'a:b']);
  expect(await response.json()).toEqual({ success: false });
});

it('ends with its signal, and fails where nobody answers', async () => {
  const stop = new AbortController();
  const stopped = begin(stop.signal).answer;
  stop.abort();
  await expect(stopped).rejects.toBe(stop.signal.reason);
  const { answer } = begin();
  SlowRequest.last.dispatchEvent(new Event('error'));
  await expect(answer).rejects.toBeInstanceOf(TypeError);
});
