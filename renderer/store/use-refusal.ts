import { ref } from 'vue';
import { CuzkError } from '../../main/contract/errors.ts';

/** Asks the engine for something and keeps what it refuses, as one sentence with what to do about it, until the next try. */
export function useRefusal() {
  const refusal = ref<string>();
  const isAsking = ref(false);

  async function attempt<T>(ask: () => Promise<T>): Promise<T | undefined> {
    refusal.value = undefined;
    isAsking.value = true;
    try {
      return await ask();
    } catch (problem) {
      refusal.value = sentenceOf(problem);
      return undefined;
    } finally {
      isAsking.value = false;
    }
  }
  return { refusal, isAsking, attempt };
}

function sentenceOf(problem: unknown): string {
  if (problem instanceof CuzkError) return problem.remedy ? `${problem.message}. Try: ${problem.remedy}` : problem.message;
  return problem instanceof Error ? problem.message : String(problem);
}
