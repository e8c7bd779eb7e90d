import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/chromium.ts';
import { visitConsole } from '../support/console-visit.ts';

/**
 * Takes the pictures of README.md anew, light and dark, while `npm start -- --demo` runs:
 * `npm run pictures -- --url http://localhost:3000 --password <what the demo printed for root>`.
 */
const { values } = parseArgs({
  options: { url: { type: 'string', default: 'http://localhost:3000' }, password: { type: 'string' } },
});

const folder = join(import.meta.dirname, '../../docs/pictures');
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

const DESKTOP = { width: 1440, height: 940 };
/** High enough to show the whole chart. */
const DASHBOARD = { width: 1440, height: 1200 };
const PHONE = { width: 390, height: 780 };
/** Sharp enough for a picture that is shown at half its width. */
const PIXELS_PER_POINT = 1.4;
/** WebP quality, at most 100. At this value no artefacts are visible around letters. */
const QUALITY = 88;
const ANSWER_MS = 30_000;
/** The height of the console's top bar and the table's sticky head, which cover the top of the page. */
const BELOW_HEADS = '100px';

type Look = (page: Page) => Promise<void>;

const dashboard: Look = async (page) => {
  await page.goto('/detail');
  await page.getByRole('heading', { name: 'Top models' }).waitFor();
};

/** The details of the newest streamed chat call. */
const call: Look = async (page) => {
  await page.goto('/log?model_name=gpt-4o');
  const row = page.locator('tbody tr').filter({ hasText: 'stream' }).first();
  await row.getByRole('button').first().click();
  const parts = page.getByRole('heading', { name: 'Where the time went' });
  await parts.waitFor();
  await row.evaluate((element, below) => {
    element.style.scrollMarginTop = below;
    element.scrollIntoView({ block: 'start' });
  }, BELOW_HEADS);
};

const channels: Look = async (page) => {
  await page.goto('/channel');
  await page.locator('main').getByText('Fake drawings').waitFor();
};

const playground: Look = async (page) => {
  await page.goto('/playground');
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('How do I compute a moving average?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page
    .getByText(/tok\/s/)
    .last()
    .waitFor({ timeout: ANSWER_MS });
};

const takeWebp = async (page: Page): Promise<Buffer> => {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready');
  const session = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? DESKTOP;
  const clip = { x: 0, y: 0, width, height, scale: PIXELS_PER_POINT };
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
  return Buffer.from(data, 'base64');
};

const see = async (browser: Browser, theme: Theme, size: typeof DESKTOP, look: Look): Promise<Buffer> => {
  const isPhone = size === PHONE;
  const visit = await visitConsole(browser, {
    url: values.url,
    username: 'root',
    password: values.password ?? '',
    theme,
    isPhone,
  });
  await visit.page.setViewportSize(size);
  await look(visit.page);
  const picture = await takeWebp(visit.page);
  await visit.close();
  return picture;
};

/** Places pictures of phones side by side, on a background in the colour of the theme. */
const beside = async (browser: Browser, theme: Theme, phones: readonly Buffer[]): Promise<Buffer> => {
  const page = await browser.newPage({ viewport: { width: 1290, height: 840 } });
  const images = phones.map((one) => `<img src="data:image/webp;base64,${one.toString('base64')}">`);
  await page.setContent(`<style>
    body { display: flex; gap: 30px; margin: 0; padding: 30px; background: ${theme === 'dark' ? '#1c1f26' : '#e9ebef'} }
    img { width: ${PHONE.width}px; height: ${PHONE.height}px; border-radius: 24px }
  </style>${images.join('')}`);
  const picture = await takeWebp(page);
  await page.close();
  return picture;
};

const browser = await launchBrowser();
try {
  for (const theme of themes) {
    const keep = (name: string, picture: Buffer) => writeFile(join(folder, `${name}-${theme}.webp`), picture);
    await keep('dashboard', await see(browser, theme, DASHBOARD, dashboard));
    await keep('call', await see(browser, theme, DESKTOP, call));
    const phones = [];
    for (const look of [dashboard, channels, playground]) phones.push(await see(browser, theme, PHONE, look));
    await keep('phones', await beside(browser, theme, phones));
  }
} finally {
  await browser.close();
}
