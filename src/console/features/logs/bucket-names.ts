/** The buckets of a call's usage, in the order they are shown, with the names of their texts. They do not overlap. */
export const bucketNames = {
  inputTokens: 'bucket.input',
  cacheReadTokens: 'bucket.cacheRead',
  cacheWrite5mTokens: 'bucket.cacheWrite5m',
  cacheWrite1hTokens: 'bucket.cacheWrite1h',
  imageInputTokens: 'bucket.imageInput',
  audioInputTokens: 'bucket.audioInput',
  outputTokens: 'bucket.output',
  audioOutputTokens: 'bucket.audioOutput',
  imageOutputTokens: 'bucket.imageOutput',
  call: 'bucket.call',
} as const;

export type BucketName = keyof typeof bucketNames;

export const isBucket = (name: string): name is BucketName => Object.hasOwn(bucketNames, name);
