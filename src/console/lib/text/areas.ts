import type chat from '../../locales/zh/chat.json';
import type about from '../../locales/zh/about.json';
import type availability from '../../locales/zh/availability.json';
import type channelBill from '../../locales/zh/channel-bill.json';
import type channelEvidence from '../../locales/zh/channel-evidence.json';
import type channelKeys from '../../locales/zh/channel-keys.json';
import type channelMore from '../../locales/zh/channel-more.json';
import type channelRouting from '../../locales/zh/channel-routing.json';
import type channels from '../../locales/zh/channels.json';
import type common from '../../locales/zh/common.json';
import type connect from '../../locales/zh/connect.json';
import type dashboard from '../../locales/zh/dashboard.json';
import type enter from '../../locales/zh/enter.json';
import type firstSteps from '../../locales/zh/first-steps.json';
import type fresh from '../../locales/zh/fresh.json';
import type front from '../../locales/zh/front.json';
import type logMore from '../../locales/zh/log-more.json';
import type live from '../../locales/zh/live.json';
import type logs from '../../locales/zh/logs.json';
import type midjourney from '../../locales/zh/midjourney.json';
import type palette from '../../locales/zh/palette.json';
import type personal from '../../locales/zh/personal.json';
import type playground from '../../locales/zh/playground.json';
import type priceForm from '../../locales/zh/price-form.json';
import type priceBook from '../../locales/zh/price-book.json';
import type prices from '../../locales/zh/prices.json';
import type pricing from '../../locales/zh/pricing.json';
import type redemption from '../../locales/zh/redemption.json';
import type reset from '../../locales/zh/reset.json';
import type settings from '../../locales/zh/settings.json';
import type sharedUsage from '../../locales/zh/shared-usage.json';
import type statements from '../../locales/zh/statements.json';
import type tableViews from '../../locales/zh/table-views.json';
import type task from '../../locales/zh/task.json';
import type tokens from '../../locales/zh/tokens.json';
import type topup from '../../locales/zh/topup.json';
import type users from '../../locales/zh/users.json';

/** The texts by area. Keys are checked against the Chinese files: one that is not there does not compile. */
export interface Areas {
  readonly common: typeof common;
  readonly connect: typeof connect;
  readonly dashboard: typeof dashboard;
  /** Registration, setup, and the return from a sign-in service. */
  readonly enter: typeof enter;
  readonly front: typeof front;
  readonly about: typeof about;
  readonly availability: typeof availability;
  readonly channels: typeof channels;
  /** What opens from the channel list: drawers, dialogs, details, tags. */
  readonly 'channel-more': typeof channelMore;
  /** Explanations of a call: rules, preview, routing. */
  readonly 'channel-routing': typeof channelRouting;
  /** An upstream's file against a channel's calls. */
  readonly 'channel-bill': typeof channelBill;
  /** What a channel's replies reveal about its upstream. */
  readonly 'channel-evidence': typeof channelEvidence;
  /** The keys of a channel. */
  readonly 'channel-keys': typeof channelKeys;
  readonly tokens: typeof tokens;
  readonly topup: typeof topup;
  /** Usage links: the page they open, and where they are created. */
  readonly 'shared-usage': typeof sharedUsage;
  readonly statements: typeof statements;
  readonly chat: typeof chat;
  readonly reset: typeof reset;
  readonly redemption: typeof redemption;
  /** The command palette and the sheet of keys. */
  readonly palette: typeof palette;
  /** What opens from the settings of prices. */
  readonly 'price-form': typeof priceForm;
  readonly 'price-book': typeof priceBook;
  readonly prices: typeof prices;
  readonly pricing: typeof pricing;
  readonly settings: typeof settings;
  /** The first steps of a new account. */
  readonly 'first-steps': typeof firstSteps;
  /** Confirming one's identity before a dangerous action. */
  readonly fresh: typeof fresh;
  /** The live board. */
  readonly live: typeof live;
  readonly logs: typeof logs;
  /** What opens from the log list: details, the account, clearing. */
  readonly 'log-more': typeof logMore;
  readonly midjourney: typeof midjourney;
  /** The view of a list: columns, density, saved views. */
  readonly 'table-views': typeof tableViews;
  readonly task: typeof task;
  readonly playground: typeof playground;
  readonly users: typeof users;
  readonly personal: typeof personal;
}

export type Area = keyof Areas;

type PathsOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string ? Key : `${Key}.${PathsOf<Texts[Key]>}`;
}[keyof Texts & string];

/** A text of an area by its path: `table.selected`. */
export type TextKey<In extends Area> = PathsOf<Areas[In]>;
