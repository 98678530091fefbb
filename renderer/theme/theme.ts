// Light or dark: the system's choice, or a person's own, kept in the browser.
import { usePreferredDark, useStorage } from '@vueuse/core';
import { computed, watchEffect } from 'vue';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const chosen = useStorage<Theme>('theme', 'system');

export function useTheme() {
  const prefersDark = usePreferredDark();
  const isDark = computed(() => (chosen.value === 'system' ? prefersDark.value : chosen.value === 'dark'));
  return { chosen, isDark };
}

/** Puts the choice where the tokens look for it. */
export function applyTheme(): void {
  watchEffect(() => {
    if (chosen.value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen.value;
  });
}
