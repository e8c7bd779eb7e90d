import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { installPackages } from './debian-package.ts';

/** The one without windows comes first: the same pages for a fifth less processor time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** An installed Chrome or Chromium; `CHROMIUM_PATH` names one in an unusual place. */
export const findChromium = (): string | undefined =>
  [process.env['CHROMIUM_PATH'] ?? '', ...places].find((place) => place !== '' && existsSync(place));

/**
 * Installs Debian's Chromium with a Chinese typeface, where this process may do that and none is there yet.
 * Answers undefined when a browser is there, else the reason why not.
 */
export const installChromium = (): string | undefined => {
  if (findChromium() !== undefined) return undefined;
  const typeface = 'fonts-noto-cjk';
  const problem = installPackages(['chromium-headless-shell', typeface], ['chromium', typeface]);
  if (problem !== undefined) return `no Chrome or Chromium is installed: ${problem}`;
  return findChromium() === undefined ? 'apt-get installed no browser' : undefined;
};

let shared: Promise<Browser> | undefined;

/** One browser for all files of a run, each with contexts of its own; it ends with this process. */
export const sharedBrowser = async (): Promise<Browser> => {
  const known = await shared;
  if (known?.isConnected() === true) return known;
  shared = launchBrowser();
  return shared;
};

/** A headless browser that looks nothing up outside of this machine. */
export const launchBrowser = (): Promise<Browser> => {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('no Chrome or Chromium found; "npm test" says how it looks for one');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // No page lives long enough to earn back what its scripts cost to optimise: a tenth of all that pages take.
      '--js-flags=--no-opt,--no-maglev',
    ],
  });
};
