import type * as contract from '#contract/api/site/contents.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Site } from '../../../control/site/site.ts';
import type { Release } from '../../../control/site/update-check.ts';
import type { WatchedGroup } from '../../../control/site/uptime.ts';
import type { Handlers } from '../../handler.ts';

interface ContentDeps {
  readonly routing: () => Routing;
  readonly site: Site;
  readonly uptime: () => Promise<readonly WatchedGroup[]>;
  readonly checkUpdate: (current: string) => Promise<Release>;
}

/** The operator's texts for all visitors, and the check for a newer version. */
export const contentHandlers = ({
  routing,
  site,
  uptime,
  checkUpdate,
}: ContentDeps): Handlers<typeof contract> => ({
  readNotice: async () => routing().options.Notice,
  readAbout: async () => routing().options.About,
  readHomePage: async () => routing().options.HomePageContent,
  readPanels: async () => {
    const { options } = routing();
    return {
      addresses: options['console_setting.api_info'],
      announcements: options['console_setting.announcements'].toSorted(
        (left, right) => Date.parse(right.date) - Date.parse(left.date),
      ),
      questions: options['console_setting.faq'],
      has_uptime: options['console_setting.uptime_kuma_groups'].length > 0,
    };
  },
  uptimeStatus: async () =>
    (await uptime()).map(({ name, description, monitors }) => ({
      categoryName: name,
      description,
      monitors: [...monitors],
    })),
  checkUpdate: async () => {
    const release = await checkUpdate(site.version);
    return {
      current: site.version,
      latest: release.latest,
      is_newer: release.isNewer,
      notes: release.notes,
      url: release.url,
    };
  },
});
