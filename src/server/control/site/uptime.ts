import { z } from 'zod';
import type { OptionValues } from '#contract/options.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import { fetchBody } from '../channels/checks/read-reply.ts';
import { withoutEnd } from '#contract/without-end.ts';

export interface UptimeDeps {
  readonly options: () => Pick<OptionValues, 'console_setting.uptime_kuma_groups'>;
  readonly sender: Pick<Sender, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** A watched service, as reported by its Uptime Kuma. */
export interface Monitor {
  readonly name: string;
  /** The uptime of the last 24 hours, from 0 to 1. */
  readonly uptime: number;
  /** In Uptime Kuma's numbering: 0 down, 1 up, 2 pending, 3 maintenance. */
  readonly status: number;
  /** Its group on the status page. */
  readonly group: string;
}

/** The services of one status page. */
export interface WatchedGroup {
  readonly name: string;
  readonly description: string;
  /** Empty if the status page did not answer. */
  readonly monitors: readonly Monitor[];
}

type Asked = OptionValues['console_setting.uptime_kuma_groups'][number];

const TIMEOUT_MS = 10_000;
/** How long status pages stay cached, however often the panel is opened. */
const KEPT_MS = 60_000;
const MOST_MONITORS = 100;
const NAME_LENGTH = 200;

const name = z.string().transform((text) => text.slice(0, NAME_LENGTH));

/** Source: Uptime Kuma, API of public status pages. */
const page = z.object({
  publicGroupList: z.array(
    z.object({
      name,
      monitorList: z.array(z.object({ id: z.union([z.number(), z.string()]), name })),
    }),
  ),
});
const beats = z.object({
  heartbeatList: z.record(z.string(), z.array(z.object({ status: z.number().int().min(0).max(3) }))),
  /** Keyed by id and hours: `7_24`. */
  uptimeList: z.record(z.string(), z.number().min(0).max(1)),
});

/**
 * Reads the status pages that the operator configured. A page that does not answer becomes a group without monitors.
 */
export const createUptime = ({ options, sender, clock, log }: UptimeDeps) => {
  let kept:
    | { readonly of: string; readonly atMs: number; readonly groups: Promise<WatchedGroup[]> }
    | undefined;
  const read = async ({ categoryName, description, url, slug }: Asked): Promise<WatchedGroup> => {
    const base = `${withoutEnd(url, '/')}/api/status-page`;
    const group = { name: categoryName, description };
    try {
      const [about, told] = await Promise.all([
        fetchBody(sender, `${base}/${slug}`, TIMEOUT_MS),
        fetchBody(sender, `${base}/heartbeat/${slug}`, TIMEOUT_MS),
      ]);
      return { ...group, monitors: monitorsOf(page.parse(about), beats.parse(told)) };
    } catch (cause) {
      log.warn('a status page could not be read', {
        group: categoryName,
        cause: cause instanceof Error ? cause.message.slice(0, NAME_LENGTH) : String(cause),
      });
      return { ...group, monitors: [] };
    }
  };
  return (): Promise<WatchedGroup[]> => {
    const asked = options()['console_setting.uptime_kuma_groups'];
    const of = JSON.stringify(asked);
    const nowMs = clock.now();
    const age = nowMs - (kept?.atMs ?? 0);
    if (kept === undefined || kept.of !== of || age >= KEPT_MS || age < 0)
      kept = { of, atMs: nowMs, groups: Promise.all(asked.map(read)) };
    return kept.groups;
  };
};

const monitorsOf = (
  { publicGroupList }: z.infer<typeof page>,
  { heartbeatList, uptimeList }: z.infer<typeof beats>,
): Monitor[] =>
  publicGroupList
    .flatMap((group) => group.monitorList.map((monitor) => ({ group: group.name, ...monitor })))
    .slice(0, MOST_MONITORS)
    .map(({ group, id, name: monitor }) => ({
      name: monitor,
      group,
      uptime: uptimeList[`${String(id)}_24`] ?? 0,
      status: heartbeatList[String(id)]?.at(-1)?.status ?? 0,
    }));
