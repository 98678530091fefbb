// The app's one window: its page without any of Node, where it stood the last time, and shown when there is something to see.
import { readFileSync } from 'node:fs';
import { BrowserWindow, nativeImage, nativeTheme, type Rectangle, type Session, screen } from 'electron';
import { writeWholeAll } from '../circuits/write-whole.ts';
import { iconBitmap } from './icon.ts';
import { pageUrl } from './origin.ts';
import { openingOf, type Place, readPlace, smallest } from './placement.ts';

export interface WindowOptions {
  session: Session;
  preload: string;
  /** Where the window's place is kept. */
  placeFile: string;
}

/** As renderer/styles/tokens.css has it (`--ground`): what is seen before the page is. */
export const grounds = { light: '#f4f5f7', dark: '#0f1216' } as const;

const ground = () => (nativeTheme.shouldUseDarkColors ? grounds.dark : grounds.light);

export const icon = (size: number) => nativeImage.createFromBitmap(iconBitmap(size), { width: size, height: size });

/** Makes the window; it shows itself when its page has drawn. */
export function makeWindow({ session, preload, placeFile }: WindowOptions): BrowserWindow {
  const { isMaximized, ...bounds } = openingOf(remembered(placeFile), workAreas());
  const window = new BrowserWindow({
    ...bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: 'cuzk',
    icon: icon(256),
    backgroundColor: ground(),
    autoHideMenuBar: true,
    webPreferences: {
      session,
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // They would be downloaded.
      spellcheck: false,
      // A page that is behind other windows goes on taking events, so that none pile up.
      backgroundThrottling: false,
    },
  });
  const onTheme = () => window.setBackgroundColor(ground());
  nativeTheme.on('updated', onTheme);
  window.once('closed', () => nativeTheme.off('updated', onTheme));
  window.once('ready-to-show', () => {
    if (isMaximized) window.maximize();
    window.show();
  });
  rememberPlace(window, placeFile);
  return window;
}

/** Loads the page into the window. */
export const loadPage = (window: BrowserWindow): Promise<void> => window.loadURL(pageUrl);

/** To the front, from wherever it is. */
export function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function workAreas(): Rectangle[] {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main, ...others].map(({ workArea }) => workArea);
}

function remembered(file: string): Place | undefined {
  try {
    return readPlace(readFileSync(file, 'utf8'));
  } catch {
    // At the first start there is none.
    return undefined;
  }
}

const settleMs = 400;

function rememberPlace(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    const place: Place = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    writeWholeAll([[file, `${JSON.stringify(place)}\n`]]).catch((problem) => process.emitWarning(problem));
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(write, settleMs);
  };
  window.on('resize', later);
  window.on('move', later);
  // Last chance while the window still knows where it is.
  window.on('close', write);
  window.on('closed', () => clearTimeout(timer));
}
