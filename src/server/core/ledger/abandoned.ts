import { logType } from '#contract/codes.ts';
import { noUsage } from '../chat/usage.ts';
import { storedPhrase } from '../log/stored-phrase.ts';
import type { CallLog } from '../log/log.ts';
import type { Book, HoldRecord } from './book.ts';
import { applySettle, applyVoid } from './close.ts';

const logOf = (book: Book, hold: HoldRecord, type: number, nowMs: number, content: string): CallLog => ({
  requestId: hold.id,
  createdAtMs: nowMs,
  type,
  userId: hold.userId,
  username: book.names.get(hold.id)?.username ?? '',
  tokenId: hold.tokenId ?? 0,
  tokenName: book.names.get(hold.id)?.tokenName ?? '',
  channelId: 0,
  group: '',
  model: '',
  usage: noUsage,
  quotaUnits: 0,
  useTimeMs: nowMs - hold.createdAtMs,
  isStream: false,
  ip: '',
  content,
  other: '',
});

/**
 * Closes an abandoned hold after a crash. If the call was never sent upstream, everything goes back. If it was, its
 * last checkpoint is charged, at most the hold, and its log row tells admins what the house may have lost, because
 * nobody knows what the upstream produced after the checkpoint. Each writes a system log row. @returns whether it was
 * still open
 */
export const applyResolve = (book: Book, id: string, nowMs: number): boolean => {
  const hold = book.holds.get(id);
  if (hold === undefined || hold.state !== 'open') return false;
  const system = (content: string) => logOf(book, hold, logType.system, nowMs, content);
  if (!hold.sent) {
    const log = system(storedPhrase('log_call_returned', { id }));
    return applyVoid(book, id, nowMs, log).state === 'closed';
  }
  const quotaUnits = Math.min(hold.checkpoint, hold.amount);
  const lostAtMost = hold.amount - quotaUnits;
  const other = lostAtMost === 0 ? '' : JSON.stringify({ admin_info: { house_loss_at_most: lostAtMost } });
  const log = { ...logOf(book, hold, logType.consume, nowMs, storedPhrase('log_interrupted')), other };
  if (applySettle(book, { id, quotaUnits, nowMs, log, writeLog: true }).state !== 'closed') return false;
  const content = storedPhrase('log_call_charged', { id, units: quotaUnits });
  book.logs.push({ log: { ...system(content), other }, holdId: '', quotaUnits: 0, written: true });
  return true;
};
