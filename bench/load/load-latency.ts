import { Agent, request } from 'node:http';
import { z } from 'zod';

/** Times whole calls: run as `load-latency.ts '{"url", "headers", "calls", "perSecond"}'`; perSecond 0 is one after the other. */
const asked = z
  .object({
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    calls: z.number(),
    perSecond: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const agent = new Agent({ keepAlive: true });
const body = JSON.stringify({
  model: 'bench-whole',
  messages: [{ role: 'user', content: 'Say something short about gates.' }],
});
const headers = {
  ...asked.headers,
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
};

const oneCall = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const startMs = performance.now();
    const sent = request(asked.url, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.resume();
      response.on('end', () => resolve(performance.now() - startMs));
    });
    sent.on('error', reject);
    sent.end(body);
  });

const WARM_UP_CALLS = 300;
for (let call = 0; call < WARM_UP_CALLS; call++) await oneCall();

const times: number[] = [];
if (asked.perSecond === 0) {
  for (let call = 0; call < asked.calls; call++) times.push(await oneCall());
} else {
  const startMs = performance.now();
  const running: Promise<unknown>[] = [];
  for (let call = 0; call < asked.calls; call++) {
    const waitMs = startMs + (call * 1000) / asked.perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    running.push(oneCall().then((ms) => times.push(ms)));
  }
  await Promise.all(running);
}
agent.destroy();

times.sort((a, b) => a - b);
const at = (share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
console.log(JSON.stringify({ p50: at(0.5), p99: at(0.99) }));
