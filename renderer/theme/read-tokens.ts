/** The colours behind CSS tokens as they are now, light or dark, for a canvas, which cannot read tokens. */
export function readTokens<T extends string>(host: HTMLElement, tokens: readonly T[]): Record<T, string> {
  const probe = document.createElement('span');
  host.append(probe);
  const computed = getComputedStyle(probe);
  const colours = {} as Record<T, string>;
  for (const token of tokens) {
    probe.style.color = `var(${token})`;
    colours[token] = computed.color;
  }
  probe.remove();
  return colours;
}
