import type { Page } from 'playwright-core';

/** Where lists are as narrow as they may be with one more of their columns (`from`), with the menu open and folded. */
export const WIDTHS = [1440, 1400, 1320, 1280, 1240, 1080, 1024, 1000, 920, 840, 768] as const;
const HEIGHT = 900;
/** Tables are laid out again shortly after a change of width. */
const SETTLED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Boxes whose content is wider than they are, as class and widths in pixels. Returns an empty list as soon as there are none,
 * else those still too wide after ten seconds.
 * @param boxes a selector; by default the page itself
 */
export const widerThanPlace = async (page: Page, boxes = 'html'): Promise<readonly string[]> => {
  const look = () =>
    page.evaluate(
      (selector) =>
        [...document.querySelectorAll(selector)]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => `${box.className || box.tagName} ${box.scrollWidth} > ${box.clientWidth}`),
      boxes,
    );
  // Only after the page has reacted to the new width.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const until = performance.now() + SETTLED_WITHIN_MS;
  let found = await look();
  while (found.length > 0 && performance.now() < until) {
    await page.waitForTimeout(LOOK_EVERY_MS);
    found = await look();
  }
  return found;
};

/** The boxes that need horizontal scrolling in windows of laptops; none should. */
export const scrolledSideways = async (page: Page): Promise<readonly string[]> => {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const wide = await widerThanPlace(page, 'html, .table-scroll');
    found.push(...wide.map((what) => `${width}: ${what}`));
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
};

/** Texts that go beyond their line of a card, where they cover what is beside them or are cut off. */
export const textsBeyondLine = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const line of document.querySelectorAll('.card-line')) {
      const content = document.createRange();
      content.selectNodeContents(line);
      if (content.getBoundingClientRect().right > line.getBoundingClientRect().right + 1)
        found.push(line.textContent);
    }
    return found;
  });
