// A device call, watched: a device that is lost or hangs may never answer, and nobody may wait for it.
import { CuzkError } from '../contract/errors.ts';
import type { CallOptions, Progress } from '../prover/prover.ts';
import type { Clock } from './clock.ts';
import type { DeviceLine } from './device-line.ts';

/**
 * Runs `call` and resolves as it does. Rejects with `DeviceHung` when it makes no progress for the line's `hangMs`, and with `Aborted` when
 * the device is found at fault meanwhile: then the call may still be under way, and what `holds` has is kept until it returns, if it ever does.
 * `abandon` is called then, and what it returns if the call does return.
 */
export async function onDevice<T extends Disposable>(
  clock: Clock,
  line: DeviceLine,
  { signal, onProgress }: CallOptions,
  { holds, abandon }: { holds: DisposableStack; abandon: () => () => void },
  call: (options: CallOptions) => Promise<T>,
): Promise<T> {
  let steps = 0;
  const answered = new AbortController();
  const watched = (progress: Progress) => {
    steps++;
    onProgress?.(progress);
  };
  const answer = call({ signal, onProgress: watched });
  let isAnswered = false;
  const onAnswer = () => {
    isAnswered = true;
  };
  answer.then(onAnswer, onAnswer);
  const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
  const onFault = () => giveUp(new CuzkError('Aborted', `the device ${line.device} is out of order`));
  line.fault.addEventListener('abort', onFault, { once: true });
  if (line.hangMs !== undefined) watch(line.hangMs).catch(() => {});
  try {
    return await Promise.race([answer, given]);
  } catch (problem) {
    if (!isAnswered) keepUntilAnswered(answer, holds.move(), abandon());
    throw problem;
  } finally {
    answered.abort();
    line.fault.removeEventListener('abort', onFault);
  }

  async function watch(ms: number): Promise<void> {
    for (;;) {
      const seen = steps;
      await clock.sleep(ms, answered.signal);
      if (steps === seen) {
        const message = `the device ${line.device} has made no progress for ${Math.round(ms / 1000)} s`;
        giveUp(new CuzkError('DeviceHung', message, { remedy: 'see what the system log says of the device, and restart' }));
        return;
      }
    }
  }
}

function keepUntilAnswered(answer: Promise<Disposable>, kept: DisposableStack, recover: () => void): void {
  const giveBack = () => {
    kept.dispose();
    recover();
  };
  answer.then((late) => {
    late[Symbol.dispose]();
    giveBack();
  }, giveBack);
}
