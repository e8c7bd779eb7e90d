import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createSimulator } from './server.ts';

/**
 * A fake upstream in a process of its own: `--port` (0: any), `--speed` in tokens a second (0: at once),
 * `--with-parent` to end when standard input does. Prints one line of JSON when it listens, on this machine only.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    speed: { type: 'string', default: '0' },
    'with-parent': { type: 'boolean', default: false },
  },
});

const server = createSimulator({ speed: Number(values.speed) });
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port, url: `http://127.0.0.1:${port}` })}\n`);
});

const stop = (): void => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (values['with-parent']) process.stdin.once('end', stop).resume();
