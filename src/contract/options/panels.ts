import { z } from 'zod';
import { jsonOption } from './option.ts';

const MOST_ENTRIES = 50;
const TEXT_MAX_LENGTH = 5000;

/** Only pages of the web: an address of scripts would run in the console. */
const webAddress = z
  .string()
  .trim()
  .max(2048)
  .regex(/^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i);

const address = z.strictObject({
  url: webAddress,
  /** Its name: a region, a line. */
  route: z.string().trim().min(1).max(100),
  description: z.string().max(500).default(''),
});

const announcement = z.strictObject({
  /** Markdown. */
  content: z.string().trim().min(1).max(TEXT_MAX_LENGTH),
  /** A day, or a time with its zone. */
  date: z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
});

const question = z.strictObject({
  question: z.string().trim().min(1).max(500),
  /** Markdown. */
  answer: z.string().trim().min(1).max(TEXT_MAX_LENGTH),
});

/** A group of monitors, as the family stores it: a public page of an Uptime Kuma. Its number there is dropped. */
const watched = z.object({
  categoryName: z.string().trim().min(1).max(50),
  url: webAddress,
  slug: z
    .string()
    .trim()
    .regex(/^[\w-]{1,100}$/),
  description: z.string().max(500).default(''),
});

const list = <Entry extends z.ZodType>(entry: Entry, guard: 'house' | 'trust') =>
  jsonOption<z.output<Entry>[]>([], guard, z.array(entry).max(MOST_ENTRIES), { takenMaxLength: 512 * 1024 });

/** Panels of the dashboard that the operator fills for all users; an empty one is not shown. */
export const panelOptions = {
  /** People send their keys there, so it is a matter of trust. */
  'console_setting.api_info': list(address, 'trust'),
  'console_setting.announcements': list(announcement, 'house'),
  'console_setting.faq': list(question, 'house'),
  /** This server asks there. */
  'console_setting.uptime_kuma_groups': list(watched, 'trust'),
};
