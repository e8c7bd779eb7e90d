import { Agent, request } from 'node:http';
import { z } from 'zod';

/**
 * Opens many streams at once, reads each to its end and prints what came: run as
 * `load-streams.ts '{"url", "headers", "model", "streams", "rampMs", "readBytesPerSecond"}'`.
 */
const asked = z
  .object({
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    model: z.string(),
    streams: z.number(),
    rampMs: z.number(),
    /** 0 reads as fast as it comes. */
    readBytesPerSecond: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

/** Marks the end of a complete stream, in either format. */
const ENDS = /(?:\[DONE\]|"message_stop"\})\n\n$/;
const TAIL_LENGTH = 20;

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const body = JSON.stringify({
  model: asked.model,
  stream: true,
  ...(!asked.url.endsWith('/messages') && { stream_options: { include_usage: true } }),
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Count to one hundred, slowly.' }],
});

interface Read {
  readonly whole: boolean;
  readonly chunks: number;
  readonly bytes: number;
  /** From the request to the first event; undefined if there was none. */
  readonly firstMs: number | undefined;
}

const oneStream = (): Promise<Read> =>
  new Promise((resolve) => {
    let chunks = 0;
    let bytes = 0;
    let tail = '';
    let firstMs: number | undefined;
    const startMs = performance.now();
    const finish = (): void => resolve({ whole: ENDS.test(tail), chunks, bytes, firstMs });
    const headers = {
      ...asked.headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(asked.url, { method: 'POST', agent, headers }, (response) => {
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        firstMs ??= performance.now() - startMs;
        for (let at = part.indexOf('\n\n'); at !== -1; at = part.indexOf('\n\n', at + 2)) chunks++;
        tail = (tail + part.subarray(-TAIL_LENGTH).toString()).slice(-TAIL_LENGTH);
        if (asked.readBytesPerSecond > 0) {
          response.pause();
          setTimeout(() => response.resume(), (part.length / asked.readBytesPerSecond) * 1000);
        }
      });
      response.on('end', finish);
      response.on('error', finish);
    });
    sent.on('error', finish);
    sent.end(body);
  });

const reads = await Promise.all(
  Array.from({ length: asked.streams }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, (asked.rampMs * index) / asked.streams));
    return oneStream();
  }),
);
agent.destroy();

const firsts = reads.map(({ firstMs }) => firstMs ?? Infinity).toSorted((a, b) => a - b);
console.log(
  JSON.stringify({
    firstP99Ms: firsts[Math.min(firsts.length - 1, Math.floor(firsts.length * 0.99))],
    dropped: reads.filter((read) => !read.whole).length,
    chunks: reads.reduce((sum, read) => sum + read.chunks, 0),
    bytes: reads.reduce((sum, read) => sum + read.bytes, 0),
  }),
);
