import { parseArgs } from 'node:util';
import { runServer } from '../run-server.ts';
import { createProxySimulator } from './server.ts';

/** A proxy as operators put between themselves and an upstream, in a process of its own. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'with-parent': { type: 'boolean', default: false },
  },
});

runServer(createProxySimulator(), Number(values.port), values['with-parent']);
