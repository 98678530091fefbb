// Runs in the page's process, in a world of its own: gives the page the four things that it may do, and no more. Bundled as CommonJS, which
// is what a sandboxed preload can be.
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { type Bridge, channels } from '../contract/bridge.ts';

let listener: ((message: string) => void) | undefined;

ipcRenderer.on(channels.host, (_event, message: string) => {
  try {
    listener?.(message);
  } finally {
    // The host sends no more than so much that was not taken.
    ipcRenderer.send(channels.taken, message.length);
  }
});

const bridge: Bridge = {
  send: (message) => ipcRenderer.send(channels.page, message),
  onMessage: (heard) => {
    listener = heard;
  },
  pathOf: (file) => webUtils.getPathForFile(file),
  chooseFiles: (options) => ipcRenderer.invoke(channels.choose, options),
};

contextBridge.exposeInMainWorld('cuzk', bridge);
