import { lookAlike } from '../../testing/openai-like.ts';
import type { Wire } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  lookAlike({
    type: 18,
    name: 'iFlytek Spark',
    reference: 'www.xfyun.cn/doc/spark/HTTP调用文档.html',
    // Keys with three parts use WebSockets; spark-socket.test.ts tests them.
    key: 'the-password',
    model: 'generalv3.5',
    models: false,
    usage: 'last-piece',
    beside: { code: 0, message: 'Success', sid: 'cha000' },
    badKey: {
      status: 401,
      body: { message: 'HMAC signature cannot be verified: fail to retrieve credential' },
    },
    rateLimit: {
      status: 429,
      body: { error: { message: 'AppIdQpsOverFlowError:(授权错误)', type: 'api_error', code: '11202' } },
    },
  }),
];
