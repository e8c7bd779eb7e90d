import type { Page } from 'playwright-core';

const LAPTOPS = [1440, 1280] as const;
const HEIGHT = 900;

/** What has to be scrolled sideways in the windows of laptops, by width and class: nothing should. */
export const scrolledSideways = async (page: Page): Promise<readonly string[]> => {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const width of LAPTOPS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('html, .table-scroll')]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => `${box.className || box.tagName} ${box.scrollWidth} > ${box.clientWidth}`),
    );
    found.push(...wide.map((what) => `${width}: ${what}`));
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
};
