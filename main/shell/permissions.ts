// What a page may not do, whoever wrote it: leave its address, open windows, ask for permissions, load from elsewhere, or reach the network.
import { app, type Session, type WebContents } from 'electron';
import { isGranted, isPage, mayLoad, origin } from './origin.ts';

/** Chromium's own features that would look up names or speak to the network by themselves. Before the app is ready. */
export function keepOffline(): void {
  // No name is ever resolved; numeric addresses are refused below.
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.commandLine.appendSwitch('disable-background-networking');
  app.commandLine.appendSwitch('disable-component-update');
  app.commandLine.appendSwitch('disable-features', 'NetworkTimeServiceQuerying,MediaRouter,OptimizationHints');
}

/** Refuses what pages of this session ask for, and all that they would load from elsewhere. */
export function confineSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(isGranted(permission, requestingUrl, isMainFrame)),
  );
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, { isMainFrame }) =>
    isGranted(permission, requestingOrigin, isMainFrame),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  // The dictionaries would be downloaded.
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !(mayLoad(url) || isDeveloperTool(url)) }));
  session.on('will-download', (event, item) => {
    // What the page made itself is saved, by the system's dialog.
    if (!item.getURL().startsWith(`blob:${origin}/`)) event.preventDefault();
  });
}

/** The developer tools' own page: they are not there in a packaged app. */
const isDeveloperTool = (url: string) => !app.isPackaged && url.startsWith('devtools:');

/** Refuses that anything shown anywhere in the app goes elsewhere, opens a window, or embeds another page. */
export function confineContents(contents: WebContents): void {
  contents.on('will-frame-navigate', (event) => {
    // Reloading is going to the same place.
    if (!(event.isMainFrame && isPage(event.url))) event.preventDefault();
  });
  contents.on('will-navigate', (event) => {
    if (!isPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!(event.isMainFrame && isPage(event.url))) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // A peer connection would ask servers for its own address, and no policy of the page's holds it back.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}
