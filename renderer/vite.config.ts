// Bundles the page. `vite build` makes the shipped one; `--mode demo` makes the demo, which plays recorded events and is never shipped.
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

/** What the page may load, by the browser's own check: nothing but itself. The hosts send the same as a header. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
].join('; ');

export default defineConfig(({ mode, command }) => ({
  // Relative, so that the page can be served from any place: a private protocol, a port, a folder.
  base: './',
  root: import.meta.dirname,
  plugins: [
    vue(),
    {
      name: 'content-security-policy',
      // Only what is built: the development server injects styles and scripts of its own.
      transformIndexHtml: (html: string) =>
        command === 'build'
          ? html.replace(
              '<meta charset',
              `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}" />\n    <meta charset`,
            )
          : html,
    },
  ],
  define: { __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
  build: {
    target: 'chrome130',
    outDir: mode === 'demo' ? '../dist/demo' : '../dist/renderer',
    emptyOutDir: true,
    // Small files as data: URLs would need img-src and font-src to allow more.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: mode === 'demo' ? 'demo/demo.html' : 'index.html' },
  },
}));
