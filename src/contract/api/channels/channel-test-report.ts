import { z } from 'zod';

const headers = z.record(z.string(), z.string());

/** One request that went out and what came back, with stars for secrets. Texts are their first 16 KB. */
const exchange = z.object({
  method: z.string(),
  url: z.string(),
  /** Without its password; empty for none. */
  proxy: z.string(),
  headers,
  body: z.string(),
  /** 0 where no answer came. */
  status: z.number(),
  head_ms: z.number().nullable(),
  reply_headers: headers,
  reply: z.string(),
  reply_bytes: z.number(),
});

/** What a test of a channel sent and got; times are milliseconds. */
export const channelTestReport = z.object({
  upstream_model: z.string(),
  /** Empty where it was not known yet. */
  format: z.string(),
  first_token_ms: z.number().nullable(),
  total_ms: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  exchanges: z.array(exchange),
});

export type ChannelTestReport = z.infer<typeof channelTestReport>;
