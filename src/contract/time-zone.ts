import { z } from 'zod';
import { issueKey } from './text.ts';

const isZone = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
};

/** The name of a time zone, as IANA lists it. */
export const timeZone = z.string().min(1).max(64).refine(isZone, issueKey('issue_zone'));
