import { parseArgs } from 'node:util';
import { runServer } from './run-server.ts';
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

runServer(createSimulator({ speed: Number(values.speed) }), Number(values.port), values['with-parent']);
