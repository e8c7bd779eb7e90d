/**
 * Prints which functions allocate the memory of a call once the server is warm, in bytes a call: `node bench/allocations.ts
 * [--callers 64] [--kilobytes 100] [--lines 60]`. The machine's load hardly changes them. The sources run, so that lines are theirs.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { agentPrompt } from './load/agent-prompt.ts';
import { measureWhole, SHORT_BODY, WARM_UP_SECONDS } from './load/measure.ts';
import { startWholeUpstream } from './subjects/nginx.ts';
import { startTollgateSubject } from './subjects/subject.ts';

const { values } = parseArgs({
  options: {
    callers: { type: 'string', default: '64' },
    /** The size of the prompt; default: a short one. */
    kilobytes: { type: 'string' },
    seconds: { type: 'string', default: '15' },
    lines: { type: 'string', default: '60' },
  },
});

const INSPECTOR_PORT = 18_084;
const SAMPLED_EACH_BYTES = 2048;

const targets = z.array(z.object({ webSocketDebuggerUrl: z.string() })).min(1);

interface Node {
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly selfSize: number;
  readonly children: readonly Node[];
}
const node: z.ZodType<Node> = z.object({
  callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
  selfSize: z.number(),
  get children() {
    return z.array(node);
  },
});
const stopped = z.object({ result: z.object({ profile: z.object({ head: node }) }) });

/** Node's inspector, which answers one command at a time here. */
const inspector = async () => {
  const [target] = targets.parse(await (await fetch(`http://127.0.0.1:${INSPECTOR_PORT}/json`)).json());
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '', { maxPayload: 2 ** 30 });
  await once(socket, 'open');
  return {
    command: async (method: string, params: object = {}): Promise<unknown> => {
      const answer = once(socket, 'message');
      socket.send(JSON.stringify({ id: 1, method, params }));
      return JSON.parse(String((await answer)[0]));
    },
    close: () => socket.close(),
  };
};

/** Bytes by the function that allocated them itself. */
const byFunction = (head: Node): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  const add = ({ callFrame: { functionName, url, lineNumber }, selfSize, children }: Node): void => {
    const place = url === '' ? '' : ` ${url.replace(/^.*\/(?=src\/|node_modules\/)/, '')}:${lineNumber + 1}`;
    const name = `${functionName}${place}`;
    sums.set(name, (sums.get(name) ?? 0) + selfSize);
    for (const child of children) add(child);
  };
  add(head);
  return sums;
};

const upstream = await startWholeUpstream(18_081);
const subject = await startTollgateSubject(
  { whole: 18_081, stream: 18_082, subject: 18_083 },
  { file: 'src/server/main.ts', nodeFlags: [`--inspect=127.0.0.1:${INSPECTOR_PORT}`] },
);
try {
  const { kilobytes, seconds } = values;
  const load = {
    callers: Number(values.callers),
    body: kilobytes === undefined ? SHORT_BODY : agentPrompt('bench-whole', Number(kilobytes) * 1000),
  };
  await measureWhole(subject, WARM_UP_SECONDS, load);
  const { command, close } = await inspector();
  await command('HeapProfiler.startSampling', {
    samplingInterval: SAMPLED_EACH_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  const { perSecond } = await measureWhole(subject, Number(seconds), load);
  const { profile } = stopped.parse(await command('HeapProfiler.stopSampling')).result;
  close();
  const calls = perSecond * Number(seconds);
  const sums = [...byFunction(profile.head)].toSorted(([, one], [, other]) => other - one);
  const total = sums.reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(`${(total / calls).toFixed(0)} bytes a call, of ${calls.toFixed(0)} calls`);
  for (const [name, bytes] of sums.slice(0, Number(values.lines)))
    console.log(`${(bytes / calls).toFixed(0).padStart(7)} ${name}`);
} finally {
  await subject.stop();
  await upstream.stop();
}
