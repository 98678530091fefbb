/** Calls back with the next picture; a page that nobody sees draws none, so there after a second. */
export function beforePaint(callback: () => void): void {
  let frame = 0;
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    callback();
  };
  const timer = setTimeout(once, 1000);
  frame = requestAnimationFrame(once);
}
