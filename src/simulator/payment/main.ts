import { parseArgs } from 'node:util';
import { runServer } from '../run-server.ts';
import { createPaymentSimulator } from './server.ts';

/** A fake payment gateway of the epay protocol, in a process of its own, for one merchant. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    merchant: { type: 'string', default: '1000' },
    key: { type: 'string', default: 'simulated-merchant-key' },
    'with-parent': { type: 'boolean', default: false },
  },
});

runServer(
  createPaymentSimulator({ merchantId: values.merchant, key: values.key }),
  Number(values.port),
  values['with-parent'],
);
