import { type OtherPaths, under } from '../../testing/other-paths.ts';

export const otherPaths: OtherPaths = {
  38: under('/v1', 'embeddings', 'rerank'),
};
