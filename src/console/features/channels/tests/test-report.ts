import { laidOut } from '#contract/json-text.ts';
import type { ChannelTestReport } from '#contract/api/channels/channel-test-report.ts';

type Exchange = ChannelTestReport['exchanges'][number];

/** The report of a test in our server's answer; undefined if the test did not get that far. */
export const reportIn = (fields: Readonly<Record<string, unknown>>): ChannelTestReport | undefined =>
  fields['report'] as ChannelTestReport | undefined;

/** A request as it is sent, with indented JSON. */
export const sentText = ({ method, url, headers, body }: Exchange): string =>
  [`${method} ${url}`, ...lines(headers), '', laidOut(body)].join('\n').trim();

/** A response, written the same way. */
export const receivedText = ({ status, reply_headers: headers, reply }: Exchange): string =>
  [`HTTP ${String(status)}`, ...lines(headers), '', laidOut(reply)].join('\n').trim();

/** The whole report as one text. */
export const copyOf = ({ exchanges }: ChannelTestReport): string =>
  exchanges.flatMap((exchange) => [sentText(exchange), receivedText(exchange)]).join('\n\n');

const lines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
