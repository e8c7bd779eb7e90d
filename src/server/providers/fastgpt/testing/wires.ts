import { lookAlike } from '../../testing/openai-like.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 22,
    name: 'FastGPT',
    reference: 'doc.fastgpt.io, OpenAPI chat',
    key: 'fastgpt-1-app1',
    models: false,
    beside: { responseData: [{ moduleName: 'AI Chat' }], newVariables: {} },
    badKey: {
      status: 500,
      body: {
        code: 514,
        statusText: 'unAuthApiKey',
        message: 'common:code_error.error_code.514',
        data: null,
      },
    },
    rateLimit: { status: 429, body: { code: 429, statusText: 'tooManyRequest', message: '', data: null } },
  }),
];
