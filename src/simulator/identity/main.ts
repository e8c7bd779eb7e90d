import { parseArgs } from 'node:util';
import { runServer } from '../run-server.ts';
import { createIdentitySimulator } from './server.ts';

/** The fake identity services, in a process of their own. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'with-parent': { type: 'boolean', default: false },
  },
});

runServer(createIdentitySimulator(), Number(values.port), values['with-parent']);
