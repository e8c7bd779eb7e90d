import type { ChannelTestReport as ReportWire } from '#contract/api/channels/channel-test-report.ts';
import type { ChannelTestReport, TestExchange } from '#core/channel/channel-test.ts';
import { completionTokens, noUsage, promptTokens } from '#core/chat/usage.ts';
import { AppError, withBeside } from '#core/error.ts';
import type { Tested } from '../../../control/channels/checks/channel-tests.ts';

/** The answer to a test of a channel. Throws the upstream's error, with the same fields beside it. */
export const testAnswer = ({ seconds, report, refusal }: Tested) => {
  const fields = { time: seconds, report: reportWire(report) };
  if (refusal !== undefined) throw withBeside(refusal, fields);
  return { data: null, fields };
};

const reportWire = ({ exchanges, outcome, ...report }: ChannelTestReport): ReportWire => {
  const usage = outcome instanceof AppError ? noUsage : outcome;
  return {
    upstream_model: report.upstreamModel ?? '',
    format: report.format ?? '',
    first_token_ms: rounded(report.firstTokenMs),
    total_ms: Math.round(report.totalMs),
    input_tokens: promptTokens(usage),
    output_tokens: completionTokens(usage),
    exchanges: exchanges.map(exchangeWire),
  };
};

const exchangeWire = ({ proxy = '', headMs, replyHeaders, replyBytes, ...exchange }: TestExchange) => ({
  ...exchange,
  proxy,
  head_ms: rounded(headMs),
  reply_headers: replyHeaders,
  reply_bytes: replyBytes,
});

const rounded = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : Math.round(milliseconds);
