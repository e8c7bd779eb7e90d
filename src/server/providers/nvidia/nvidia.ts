import { adjustForLookAlikes } from '../adjust-chat.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { readNvidiaRerank, writeNvidiaRerank } from './nvidia-rerank.ts';

const plain = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'completions', 'embeddings', 'rerank', 'models'],
  adjust: (body, call) =>
    call.operation === 'rerank' ? writeNvidiaRerank(body) : adjustForLookAlikes(body, call),
  elsewhere: { rerank: '/v1/ranking' },
});

const OWN_HOST = 'https://integrate.api.nvidia.com';

/** What orders documents has a host beside the others', and a path for each model, where dots are underscores. */
const hostedRerank = (model: string): string =>
  `https://ai.api.nvidia.com/v1/retrieval/${model.split('/').map(encodeURIComponent).join('/').replaceAll('.', '_')}/reranking`;

/** NVIDIA's own service, and NIMs of one's own (docs.api.nvidia.com; docs.nvidia.com/nim). */
export const nvidia: Provider = {
  ...plain,
  address: (channel, call) => {
    const { url, headers } = plain.address(channel, call);
    const isHosted = call.operation === 'rerank' && url.startsWith(`${OWN_HOST}/`);
    return { url: isHosted ? hostedRerank(call.model) : url, headers };
  },
  readReply: (body, call, asked) => (call.operation === 'rerank' ? readNvidiaRerank(body, asked) : body),
};
