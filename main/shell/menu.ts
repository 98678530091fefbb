// The application's menu: what every app has, so that copying, pasting and zooming work by their keys.
import { Menu, type MenuItemConstructorOptions } from 'electron';

/** The menu of a platform; the developer tools only while the app is developed. */
export function menuOf(platform: string, isPackaged: boolean): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    ...(isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : [{ label: 'File', submenu: [{ role: 'quit' as const }] }]),
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { role: 'windowMenu' },
  ];
}

export function setMenu(platform: string, isPackaged: boolean): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(platform, isPackaged)));
}
