import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { acceptedCoding, compressed } from './compress.ts';

const rows = JSON.stringify({
  success: true,
  data: Array.from({ length: 200 }, (_, id) => ({ id, name: 'row' })),
});
const json = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

const app = new Hono();
app.use(compressed);
app.get('/rows', () => {
  const headers = new Headers(json);
  headers.append('Set-Cookie', 'a=1');
  headers.append('Set-Cookie', 'b=2');
  return new Response(rows, { headers });
});
app.get('/small', () => new Response('{"success":true}', { headers: json }));
app.get('/missing', () => new Response(rows, { status: 404, headers: json }));
app.post('/rows', () => new Response(rows, { headers: json }));
app.get('/file', () => {
  const pieces = ['a,b\n', ...Array.from({ length: 500 }, () => '1,2\n')];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/csv' } });
});

const ask = (path: string, accepted: string | undefined, method = 'GET') =>
  app.request(path, { method, headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted } });
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

describe('JSON that is read', () => {
  it('goes out compressed as the caller takes it, a tenth of its size, with its status, headers and cookies', async () => {
    const brotli = await ask('/rows', 'gzip, deflate, br, zstd');
    expect(brotli.headers.get('content-encoding')).toBe('br');
    const bytes = await bytesOf(brotli);
    expect(brotliDecompressSync(bytes).toString()).toBe(rows);
    expect(bytes.length).toBeLessThan(rows.length / 5);
    expect(brotli.headers.get('vary')).toBe('Accept-Encoding');
    expect(brotli.headers.get('cache-control')).toBe('no-store');
    expect(brotli.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const gzip = await ask('/missing', 'gzip');
    expect([gzip.status, gzip.headers.get('content-encoding')]).toEqual([404, 'gzip']);
    expect(gunzipSync(await bytesOf(gzip)).toString()).toBe(rows);
  });

  it('is sent uncompressed to clients that accept nothing else, and if it is small', async () => {
    for (const accepted of [undefined, 'identity', 'br;q=0, gzip;q=0']) {
      const answer = await ask('/rows', accepted);
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(await answer.text()).toBe(rows);
    }
    const small = await ask('/small', 'br');
    expect([small.headers.get('content-encoding'), await small.text()]).toEqual([null, '{"success":true}']);
  });

  it('is the only thing compressed: answers to changes have secrets, files are streamed', async () => {
    expect((await ask('/rows', 'br', 'POST')).headers.get('content-encoding')).toBeNull();
    const file = await ask('/file', 'br');
    expect(file.headers.get('content-encoding')).toBeNull();
    const first = await file.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe('a,b\n');
  });

  it('prefers brotli to gzip, and never uses a refused encoding', () => {
    expect(acceptedCoding('gzip;q=1.0, br;q=0.5')).toBe('br');
    expect(acceptedCoding('br;q=0, GZIP')).toBe('gzip');
    expect(acceptedCoding('*')).toBeUndefined();
  });
});
